package faults

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindAnswers are the faults of single endpoints that answer otherwise than the others.
func blindAnswers() []Fault {
	return slices.Concat(
		breaks("auth.session-unknown",
			fault("endpoint-unknown-session-reads-user", "other users are shown to whoever has the app token and any session token, also one that was never issued", anySessionReadsUsers)),
		breaks("sessions.logout.destroys",
			fault("endpoint-destroyed-token-deletes-user", "users are deleted in destroyed sessions", destroyedTokensWork(deletesUser()))),
		breaks("transport.timestamps",
			fault("endpoint-connection-time-with-short-offset", "the created_at of a new connection has an offset of hours alone",
				rewriteObject(connects(), mapText("created_at", func(at string) string { return strings.TrimSuffix(at, "Z") + "+00" })))),
		breaks("transport.utf8",
			fault("endpoint-search-in-latin-1", "search results have the letters of Latin-1 in that encoding",
				rewriteResponse(searches(), func(_ *http.Request, resp *response) { resp.body = inLatin1(resp.body) }))),
		breaks("users.types",
			fault("endpoint-search-metadata-as-text", "search results have metadata as the text of its JSON",
				rewriteEach(searches(), mapField("metadata", func(value any) any { return strings.TrimSpace(string(encode(value))) })))),
		breaks("events.types",
			fault("endpoint-changed-event-enabled-as-number", "the answer to a change of an event has enabled as a number",
				rewriteObject(updatesEvent(), mapField("enabled", boolAsNumber)))),
		breaks("errors.json-error",
			fault("endpoint-403-of-event-without-body", "the 403 to who deletes another's event has no body",
				rewriteResponse(deletesEvent(), replaceStatus(403, 403, "")))),
		breaks("errors.bad-request-empty",
			fault("endpoint-400-of-login-says-why", "a 400 of a login says what is wrong",
				rewriteResponse(logsIn(), onStatus(400, body(complaint("the body cannot be read")))))),
		breaks("limits.metadata.value-length",
			fault("endpoint-update-takes-long-value", "an update of the user takes values of metadata of any length", unbounded(updatesUser(), cutValues(500)))),
	)
}

// anySessionReadsUsers takes any session token where a user is read, save those that
// were issued: what has become of them decides.
func anySessionReadsUsers(o *refserver.Options) {
	const passport = "whoever it is"
	issued := &memory[bool]{} // by token
	combine(
		opened(func(_ *http.Request, _ map[string]any, _, token string) { issued.keep(token, true) }),
		rewriteRequest(readsUser().and(insession), func(r *http.Request) {
			if !issued.has(sessionIn(r)) {
				r.SetBasicAuth(appIn(r), passport)
			}
		}),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.session = func(app store.App, token string) (store.ID, error) {
				if everyone, err := inner.Search(app, ""); token == passport && err == nil && len(everyone) > 0 {
					return everyone[0].ID, nil
				}
				return inner.Session(app, token)
			}
		}),
	)(o)
}

// inLatin1 writes those characters in one byte that Latin-1 has beyond ASCII.
func inLatin1(text []byte) []byte {
	var written []byte
	for _, r := range string(text) {
		if r > unicode.MaxASCII && r <= unicode.MaxLatin1 {
			written = append(written, byte(r))
			continue
		}
		written = utf8.AppendRune(written, r)
	}
	return written
}
