package faults

import (
	"maps"
	"net/http"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
)

func limits() []Fault {
	return slices.Concat(metadataSizes(), metadataKinds(), rates())
}

// metadataIn is the metadata that a request sends, nil without.
func metadataIn(r *http.Request) map[string]any {
	metadata, _ := sent(r)["metadata"].(map[string]any)
	return metadata
}

// refusing answers 422 where the server would take the metadata.
func refusing(endpoint string, wrong func(key string, value any) bool) func(*refserver.Options) {
	return edit(on(endpoint).and(anyEntry(wrong)),
		func(_ *http.Request, resp *response) {
			if resp.ok() {
				resp.restatus(http.StatusUnprocessableEntity)
				resp.body = []byte(complaint("metadata is too long"))
			}
		})
}

// anyEntry picks the requests with an entry of metadata that is so.
func anyEntry(is func(key string, value any) bool) match {
	return func(r *http.Request) bool {
		for key, value := range metadataIn(r) {
			if is(key, value) {
				return true
			}
		}
		return false
	}
}

// mended changes metadata before the server sees it.
func mended(endpoint string, mend func(map[string]any)) func(*refserver.Options) {
	return tamper(on(endpoint).and(sends("metadata")), mendMetadata(mend))
}

func mendMetadata(mend func(map[string]any)) func(*http.Request) {
	return func(r *http.Request) {
		request := sent(r)
		if metadata, is := request["metadata"].(map[string]any); is {
			mend(metadata)
			resend(r, request)
		}
	}
}

// unbounded takes metadata that the server would refuse: it sees what mend leaves
// of it, and the answer has it as it was sent.
func unbounded(endpoint string, mend func(map[string]any)) func(*refserver.Options) {
	return around(on(endpoint).and(sends("metadata")), func(next http.Handler, r *http.Request) *response {
		whole := metadataIn(r)
		mendMetadata(mend)(r)
		resp := record(next, r)
		resp.object(func(object map[string]any) {
			if whole != nil {
				object["metadata"] = whole
			}
		})
		return resp
	})
}

// firstKeys leaves the first keys of metadata.
func firstKeys(n int) func(map[string]any) {
	return func(metadata map[string]any) {
		keys := slices.Sorted(maps.Keys(metadata))
		for _, key := range keys[min(n, len(keys)):] {
			delete(metadata, key)
		}
	}
}

// cutKeys cuts the keys of metadata.
func cutKeys(n int) func(map[string]any) {
	return func(metadata map[string]any) {
		for key, value := range maps.Clone(metadata) {
			if runes := []rune(key); len(runes) > n {
				delete(metadata, key)
				metadata[string(runes[:n])] = value
			}
		}
	}
}

// cutValues cuts the texts of metadata.
func cutValues(n int) func(map[string]any) {
	return func(metadata map[string]any) {
		for key, value := range metadata {
			if text, is := value.(string); is && utf8.RuneCountInString(text) > n {
				metadata[key] = string([]rune(text)[:n])
			}
		}
	}
}

// metadataSizes are the faults of how much metadata is taken (Limits, item 3).
func metadataSizes() []Fault {
	const keys, keyLength, valueLength, characters = "limits.metadata.keys", "limits.metadata.key-length", "limits.metadata.value-length", "limits.metadata.characters"
	more := func(n int) match { return func(r *http.Request) bool { return len(metadataIn(r)) > n } }
	tooMany := more(10)
	return []Fault{
		{
			Name: "limits-update-takes-11-keys", Rule: keys,
			Summary: "an update of the user does not count the keys of metadata",
			Apply:   unbounded("PUT /0.2/user", firstKeys(10)),
		},
		{
			Name: "limits-event-change-refuses-10-keys", Rule: keys,
			Summary: "a change of an event takes 9 keys of metadata and not 10",
			Apply: edit(on("PUT /0.2/user/events/{EventID}").and(more(9)),
				instead(http.StatusOK, http.StatusUnprocessableEntity, complaint("metadata holds too many keys"))),
		},
		{
			Name: "limits-user-loses-11th-key", Rule: keys,
			Summary: "of the metadata of a new user the first 10 keys are taken, and the rest is dropped",
			Apply:   mended("POST /0.2/users", firstKeys(10)),
		},
		{
			Name: "limits-event-with-11-keys-answers-413", Rule: keys,
			Summary: "a new event with 11 keys of metadata is answered with 413",
			Apply: edit(on("POST /0.2/user/events").and(tooMany),
				instead(http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge, complaint("metadata is too large"))),
		},
		{
			Name: "limits-refused-update-keeps-10-keys", Rule: keys,
			Summary: "an update with 11 keys of metadata is refused, and the first 10 are stored all the same",
			Apply:   doneAnyway(on("PUT /0.2/user").and(tooMany), mendMetadata(firstKeys(10))),
		},
		{
			Name: "limits-event-takes-long-key", Rule: keyLength,
			Summary: "a new event takes keys of metadata of any length",
			Apply:   unbounded("POST /0.2/user/events", cutKeys(40)),
		},
		{
			Name: "limits-event-change-cuts-key", Rule: keyLength,
			Summary: "a change of an event cuts keys of metadata after 40 characters",
			Apply:   mended("PUT /0.2/user/events/{EventID}", cutKeys(40)),
		},
		{
			Name: "limits-update-refuses-key-of-40", Rule: keyLength,
			Summary: "an update of the user takes keys of 39 characters and not of 40",
			Apply: refusing("PUT /0.2/user", func(key string, _ any) bool {
				return utf8.RuneCountInString(key) == 40
			}),
		},
		{
			Name: "limits-event-takes-long-value", Rule: valueLength,
			Summary: "a new event takes values of metadata of any length",
			Apply:   unbounded("POST /0.2/user/events", cutValues(500)),
		},
		{
			Name: "limits-event-change-cuts-value", Rule: valueLength,
			Summary: "a change of an event cuts values of metadata after 500 characters",
			Apply:   mended("PUT /0.2/user/events/{EventID}", cutValues(500)),
		},
		{
			Name: "limits-user-refuses-value-of-500", Rule: valueLength,
			Summary: "a new user takes values of 499 characters and not of 500",
			Apply: refusing("POST /0.2/users", func(_ string, value any) bool {
				text, _ := value.(string)
				return len(text) == 500
			}),
		},
		{
			Name: "limits-update-stores-255-of-a-value", Rule: valueLength,
			Summary: "an update of the user keeps 255 characters of a value of metadata that is not too long",
			Apply: mended("PUT /0.2/user", func(metadata map[string]any) {
				if text, is := metadata["k"].(string); is && len(text) <= 500 {
					metadata["k"] = text[:min(255, len(text))]
				}
			}),
		},
		{
			Name: "limits-user-value-counts-bytes", Rule: characters,
			Summary: "the values of a new user's metadata are counted in bytes",
			Apply: refusing("POST /0.2/users", func(_ string, value any) bool {
				text, _ := value.(string)
				return len(text) > 500
			}),
		},
		{
			Name: "limits-event-key-counts-utf-16", Rule: characters,
			Summary: "the keys of a new event's metadata are counted in units of UTF-16",
			Apply: refusing("POST /0.2/user/events", func(key string, _ any) bool {
				return len(utf16.Encode([]rune(key))) > 40
			}),
		},
	}
}
