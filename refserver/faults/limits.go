package faults

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
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
func refusing(m match, wrong func(key, text string) bool) mutation {
	return refused(m.and(anyEntry(func(key string, value any) bool {
		text, is := value.(string)
		return is && wrong(key, text)
	})), 422, complaint("metadata is too long"))
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

// corrected corrects metadata before the server sees it.
func corrected(m match, correct objectEdit) mutation {
	return rewriteBody(m, within("metadata", correct))
}

// unbounded accepts metadata that the server would refuse: the server sees the
// result of bound, and the answer has the metadata as it was sent.
func unbounded(m match, bound objectEdit) mutation {
	return intercept(m.and(sends("metadata")), func(next http.Handler, r *http.Request) *response {
		whole := metadataIn(r)
		inBody(within("metadata", bound))(r)
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
func cutValues(n int) objectEdit { return eachTextOf(cutTo(n)) }

func isLongerThan(most int) func(text string) bool {
	return func(text string) bool { return utf8.RuneCountInString(text) > most }
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
				corrected(createsUser(), firstKeys(10))),
			fault("limits-event-with-11-keys-answers-413", "a new event with 11 keys of metadata is answered with 413",
				rewriteResponse(createsEvent().and(tooMany), replaceStatus(422, 413, complaint("metadata is too large")))),
			fault("limits-refused-update-keeps-10-keys", "an update with 11 keys of metadata is refused, and the first 10 are stored anyway",
				refusedButDone(updatesUser().and(tooMany), inBody(within("metadata", firstKeys(10)))))),
		breaks("limits.metadata.key-length",
			fault("limits-event-takes-long-key", "a new event takes keys of metadata of any length", unbounded(createsEvent(), cutKeys(40))),
			fault("limits-event-change-cuts-key", "a change of an event cuts keys of metadata after 40 characters",
				corrected(updatesEvent(), cutKeys(40))),
			fault("limits-update-refuses-key-of-40", "an update of the user takes keys of 39 characters and not of 40",
				refusing(updatesUser(), func(key, _ string) bool { return utf8.RuneCountInString(key) == 40 }))),
		breaks("limits.metadata.value-length",
			fault("limits-event-takes-long-value", "a new event takes values of metadata of any length", unbounded(createsEvent(), cutValues(500))),
			fault("limits-event-change-cuts-value", "a change of an event cuts values of metadata after 500 characters",
				corrected(updatesEvent(), cutValues(500))),
			fault("limits-user-refuses-value-of-500", "a new user takes values of 499 characters and not of 500",
				refusing(createsUser(), func(_, text string) bool { return len(text) == 500 })),
			fault("limits-user-takes-499-characters", "a new user takes values of 499 characters, of any length in bytes, and not of 500",
				refusing(createsUser(), func(_, text string) bool { return utf8.RuneCountInString(text) == 500 })),
			fault("limits-update-stores-255-of-a-value", "an update of the user keeps 255 characters of a value of metadata that is not too long",
				corrected(updatesUser(), func(metadata map[string]any) {
					if text, is := metadata["k"].(string); is && len(text) <= 500 {
						metadata["k"] = text[:min(255, len(text))]
					}
				}))),
		breaks("limits.metadata.characters",
			fault("limits-user-value-counts-bytes", "the values of a new user's metadata are counted in bytes",
				refusing(createsUser(), func(_, text string) bool { return len(text) > 500 })),
			fault("limits-event-key-counts-utf-16", "the keys of a new event's metadata are counted in units of UTF-16",
				refusing(createsEvent(), func(key, _ string) bool { return utf16Length(key) > 40 }))),
	)
}

func utf16Length(text string) int { return len(utf16.Encode([]rune(text))) }

// metadataKinds are faults of values of metadata that are not strings (Limits,
// item 3; Resources and their fields, Metadata).
func metadataKinds() []Fault {
	return breaks("limits.metadata.strings-only",
		fault("limits-user-number-becomes-text", "a number in a new user's metadata is taken as text",
			corrected(createsUser(), eachValue(numberAsText))),
		fault("limits-update-boolean-becomes-text", "a boolean in the metadata of an update of the user is taken as text",
			corrected(updatesUser(), eachValue(oneFor[any](true, "true")))),
		fault("limits-event-null-dropped", "a null in a new event's metadata is passed over",
			corrected(createsEvent(), dropValues(isNull))),
		fault("limits-event-change-map-becomes-text", "a map in the metadata of a changed event is taken as the text of its JSON",
			corrected(updatesEvent(), eachValue(of(func(object map[string]any) any { return strings.TrimSpace(string(encode(object))) })))),
		fault("limits-event-list-dropped-beside-text", "of a new event's metadata the first value alone is checked, and lists behind it are passed over",
			corrected(createsEvent(), func(metadata map[string]any) {
				for i, key := range slices.Sorted(maps.Keys(metadata)) {
					if _, is := metadata[key].([]any); is && i > 0 {
						delete(metadata, key)
					}
				}
			})),
		fault("limits-update-number-answers-413", "a number in the metadata of an update of the user is answered with 413",
			rewriteResponse(updatesUser().and(anyEntry(func(_ string, value any) bool { _, is := value.(json.Number); return is })),
				replaceStatus(422, 413, complaint("metadata is too large")))),
		fault("limits-refused-event-change-keeps-strings", "a change of an event with a boolean in its metadata is refused, and the strings beside it are stored anyway",
			refusedButDone(updatesEvent().and(anyEntry(func(_ string, value any) bool { return isA[bool](value) })),
				inBody(within("metadata", dropValues(isNo[string]))))))
}

// dropValues leaves out the entries of metadata whose value is so.
func dropValues(is func(any) bool) objectEdit {
	return func(metadata map[string]any) {
		maps.DeleteFunc(metadata, func(_ string, value any) bool { return is(value) })
	}
}

// eachTextOf changes every text of metadata.
func eachTextOf(change func(string) string) objectEdit {
	return eachValue(of(func(text string) any { return change(text) }))
}

// eachValue changes every value of metadata.
func eachValue(change func(any) any) objectEdit {
	return func(metadata map[string]any) {
		for key, value := range metadata {
			metadata[key] = change(value)
		}
	}
}

// promised is the limit of the contract, in requests a minute.
const promised = 1000

// count says what a request is counted as, and how many of those a minute are
// let through; a blank category has no limit.
type count struct {
	category string
	limit    int
}

// rating is a way to limit rates.
type rating struct {
	counts func(method string) count
	span   func(category string) time.Duration // nil: a minute
}

// byTheContract counts as the table of the part Limits does.
func byTheContract(method string) count {
	switch method {
	case http.MethodPost, http.MethodPut:
		return count{"writing", promised}
	case http.MethodDelete:
		return count{"deleting", promised}
	case http.MethodGet:
		return count{"querying", promised}
	}
	return count{}
}

// except counts one method otherwise than the contract does.
func except(method string, other count) func(string) count {
	return func(asked string) count {
		if asked == method {
			return other
		}
		return byTheContract(asked)
	}
}

// rates are the faults of the limits of requests a minute (the contract's part
// Limits, table and items 1 and 2).
func rates() []Fault {
	unlimited := count{}
	return slices.Concat(
		breaks("limits.rate.get",
			fault("limits-reads-unlimited", "GET has no limit", rating{counts: except(http.MethodGet, unlimited)}.apply),
			fault("limits-reads-limited-thrice-as-high", "GET is limited to 3,000 a minute",
				rating{counts: except(http.MethodGet, count{"querying", 3 * promised})}.apply),
			fault("limits-reads-answer-403", "a GET beyond the limit is answered with 403",
				rewriteResponse(by(http.MethodGet), replaceStatus(429, 403, complaint("no access for now"))))),
		breaks("limits.rate.write",
			fault("limits-put-uncounted", "POST is limited, and PUT is not", rating{counts: except(http.MethodPut, unlimited)}.apply),
			fault("limits-put-counted-apart", "POST and PUT have a limit each",
				rating{counts: except(http.MethodPut, count{"updating", promised})}.apply)),
		breaks("limits.rate.delete",
			fault("limits-deletes-unlimited", "DELETE has no limit", rating{counts: except(http.MethodDelete, unlimited)}.apply),
			fault("limits-deletes-answer-503", "a DELETE beyond the limit is answered with 503",
				rewriteResponse(by(http.MethodDelete), replaceStatus(429, 503, complaint("try again later")))).
				also("errors.no-5xx", "a 503 breaks that rule wherever it is answered")),
		breaks("limits.rate.separate",
			fault("limits-reads-share-with-writes", "GET, POST and PUT share one limit",
				rating{counts: except(http.MethodGet, count{"writing", promised})}.apply),
			fault("limits-deletes-share-with-writes", "POST, PUT and DELETE share one limit",
				rating{counts: except(http.MethodDelete, count{"writing", promised})}.apply)),
		breaks("limits.rate.recovers",
			fault("limits-deletes-recover-late", "DELETE is limited to 1,000 in a hundred seconds",
				rating{counts: byTheContract, span: longer("deleting", 100*time.Second)}.apply),
			fault("limits-reads-never-recover", "GET is refused for an hour once the limit was reached",
				rating{counts: byTheContract, span: longer("querying", time.Hour)}.apply)),
	)
}

func longer(category string, span time.Duration) func(string) time.Duration {
	return func(asked string) time.Duration {
		if asked == category {
			return span
		}
		return time.Minute
	}
}

// apply puts the rating in the place of the server's own.
func (ra rating) apply(o *refserver.Options) {
	o.RateLimit = -1
	if ra.span == nil {
		ra.span = func(string) time.Duration { return time.Minute }
	}
	spent := &ledger{times: map[string][]time.Time{}}
	wrapHandler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := ra.counts(r.Method)
			if c.category == "" || spent.take(c, ra.span(c.category)) {
				next.ServeHTTP(w, r)
				return
			}
			resp := &response{status: 429, header: http.Header{}, body: []byte(complaint("too many requests"))}
			resp.header.Set("Content-Type", "application/json")
			resp.header.Set("Retry-After", "60")
			resp.send(w)
		})
	})(o)
}

// ledger keeps when requests were let through.
type ledger struct {
	mu    sync.Mutex
	times map[string][]time.Time // by category, the oldest first
}

// take lets a request through, unless as many as the limit were within the span.
func (l *ledger) take(c count, span time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, times := time.Now(), l.times[c.category]
	for len(times) > 0 && now.Sub(times[0]) >= span {
		times = times[1:]
	}
	allowed := len(times) < c.limit
	if allowed {
		times = append(times, now)
	}
	l.times[c.category] = times
	return allowed
}
