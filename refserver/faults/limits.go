package faults

import (
	"maps"
	"net/http"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

func limits() []Fault {
	return slices.Concat(metadataSizes(), metadataKinds(), rates())
}

// metadataIn is the metadata that a request sends, nil without.
func metadataIn(r *http.Request) map[string]any {
	metadata, _ := requestObject(r)["metadata"].(map[string]any)
	return metadata
}

// refusing answers 422 where the server would take the metadata.
func refusing(m match, wrong func(key string, value any) bool) mutation {
	return refused(m.and(anyEntry(wrong)), 422, complaint("metadata is too long"))
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
func mended(m match, mend objectEdit) mutation { return rewriteBody(m, within("metadata", mend)) }

// unbounded takes metadata that the server would refuse: it sees what mend leaves
// of it, and the answer has it as it was sent.
func unbounded(m match, mend objectEdit) mutation {
	return intercept(m.and(sends("metadata")), func(next http.Handler, r *http.Request) *response {
		whole := metadataIn(r)
		inBody(within("metadata", mend))(r)
		resp := record(next, r)
		if len(whole) > 0 {
			resp.object(set("metadata", whole))
		}
		return resp
	})
}

// cutKeys cuts the keys of metadata.
func cutKeys(n int) objectEdit {
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
func cutValues(n int) objectEdit {
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
	more := func(n int) match { return func(r *http.Request) bool { return len(metadataIn(r)) > n } }
	tooMany := more(10)
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("limits-update-takes-11-keys", "an update of the user does not count the keys of metadata",
				unbounded(updatesUser(), firstKeys(10))),
			fault("limits-event-change-refuses-10-keys", "a change of an event takes 9 keys of metadata and not 10",
				rewriteResponse(updatesEvent().and(more(9)), replaceStatus(200, 422, complaint("metadata holds too many keys")))),
			fault("limits-user-loses-11th-key", "of the metadata of a new user the first 10 keys are taken, and the rest is dropped",
				mended(createsUser(), firstKeys(10))),
			fault("limits-event-with-11-keys-answers-413", "a new event with 11 keys of metadata is answered with 413",
				rewriteResponse(createsEvent().and(tooMany), replaceStatus(422, 413, complaint("metadata is too large")))),
			fault("limits-refused-update-keeps-10-keys", "an update with 11 keys of metadata is refused, and the first 10 are stored all the same",
				refusedButDone(updatesUser().and(tooMany), inBody(within("metadata", firstKeys(10)))))),
		breaks("limits.metadata.key-length",
			fault("limits-event-takes-long-key", "a new event takes keys of metadata of any length", unbounded(createsEvent(), cutKeys(40))),
			fault("limits-event-change-cuts-key", "a change of an event cuts keys of metadata after 40 characters",
				mended(updatesEvent(), cutKeys(40))),
			fault("limits-update-refuses-key-of-40", "an update of the user takes keys of 39 characters and not of 40",
				refusing(updatesUser(), func(key string, _ any) bool { return utf8.RuneCountInString(key) == 40 }))),
		breaks("limits.metadata.value-length",
			fault("limits-event-takes-long-value", "a new event takes values of metadata of any length", unbounded(createsEvent(), cutValues(500))),
			fault("limits-event-change-cuts-value", "a change of an event cuts values of metadata after 500 characters",
				mended(updatesEvent(), cutValues(500))),
			fault("limits-user-refuses-value-of-500", "a new user takes values of 499 characters and not of 500",
				refusing(createsUser(), func(_ string, value any) bool {
					text, _ := value.(string)
					return len(text) == 500
				})),
			fault("limits-user-takes-499-characters", "a new user takes values of 499 characters, of any length in bytes, and not of 500",
				refusing(createsUser(), func(_ string, value any) bool {
					text, _ := value.(string)
					return utf8.RuneCountInString(text) == 500
				})),
			fault("limits-update-stores-255-of-a-value", "an update of the user keeps 255 characters of a value of metadata that is not too long",
				mended(updatesUser(), func(metadata map[string]any) {
					if text, is := metadata["k"].(string); is && len(text) <= 500 {
						metadata["k"] = text[:min(255, len(text))]
					}
				}))),
		breaks("limits.metadata.characters",
			fault("limits-user-value-counts-bytes", "the values of a new user's metadata are counted in bytes",
				refusing(createsUser(), func(_ string, value any) bool {
					text, _ := value.(string)
					return len(text) > 500
				})),
			fault("limits-event-key-counts-utf-16", "the keys of a new event's metadata are counted in units of UTF-16",
				refusing(createsEvent(), func(key string, _ any) bool { return utf16Length(key) > 40 }))),
	)
}

func utf16Length(text string) int { return len(utf16.Encode([]rune(text))) }
