package faults

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/socialfeed/conform/refserver"
)

func transport() []Fault {
	return slices.Concat(plainService(), bodies(), brokenTimes(), nullAndBlank(), mangledText(),
		userAgents(), mediaTypes(), originsRefused(), preflights())
}

// bodies are the faults of bodies that are no JSON, or not in UTF-8 (What the
// service does, transport rules 2 and 3).
func bodies() []Fault {
	return slices.Concat(
		breaks("transport.json-body",
			fault("transport-feed-labelled-text", "the feed is labelled text/json",
				rewriteResponse(readsFeed(), header("Content-Type", "text/json"))),
			fault("transport-problem-labelled-otherwise", "a 401 is labelled application/problem+json",
				rewriteResponse(logsOut(), onStatus(401, header("Content-Type", "application/problem+json")))),
			fault("transport-event-unlabelled", "a new event is answered without a Content-Type",
				rewriteResponse(createsEvent(), header("Content-Type", ""))),
			fault("transport-unknown-path-in-html", "an unknown path is answered with a page of HTML",
				rewriteResponse(not(readsOwnRecord().or(readsUser())), onStatus(404, func(r *http.Request, resp *response) {
					if r.Method == http.MethodGet {
						header("Content-Type", "text/html; charset=utf-8")(r, resp)
						body("<html><body><h1>Not Found</h1></body></html>")(r, resp)
					}
				}))).also("errors.json-error", "a page of HTML is no JSON body of a refusal")),
		breaks("transport.utf8",
			fault("transport-name-cut-inside-character", "the session's user has a further field, a short name of 3 bytes, cut inside of a character if need be",
				rewriteResponse(readsOwnRecord(), func(_ *http.Request, resp *response) {
					if name := fieldText(objectOf(resp.body), "first_name"); name != "" {
						resp.object(set("short_name", "SHORT NAME"))
						resp.body = bytes.ReplaceAll(resp.body, []byte("SHORT NAME"), []byte(name[:min(3, len(name))]))
					}
				})),
			fault("transport-error-in-latin-1", "the message of a 415 is written in Latin-1",
				rewriteResponse(connectsSocially(), onStatus(415, body(`{"errors":[{"code":1008,"message":"type refus`+"\xe9"+`"}]}`))))),
	)
}

// userAgents are the faults of requests without a User-Agent (What the service
// does, transport rule 6).
func userAgents() []Fault {
	given, anonymous := setHeader("User-Agent", "unknown"), lacksHeader("User-Agent")
	faults := []Fault{
		fault("transport-versions-for-anonymous", "the list of versions needs no User-Agent", rewriteRequest(readsVersions().and(anonymous), given)),
		fault("transport-event-deletion-for-anonymous", "deleting an event needs no User-Agent", rewriteRequest(deletesEvent().and(anonymous), given)),
		fault("transport-followers-empty-for-anonymous", "another user's followers are answered as none without a User-Agent",
			respond(readsFollowersOf().and(anonymous), 200, "[]")),
	}
	for _, e := range []struct {
		name, does string
		m          match
	}{
		{"login", "logs in", logsIn()},
		{"logout", "logs out", logsOut()},
		{"update", "updates the user", updatesUser()},
		{"social-connection", "connects the users", connectsSocially()},
		{"event-change", "changes the event", updatesEvent()},
	} {
		faults = append(faults, fault("transport-anonymous-"+e.name+"-done-anyway",
			"a request without a User-Agent is refused, and "+e.does+" anyway", refusedButDone(e.m.and(anonymous), given)))
	}
	return breaks("transport.user-agent-required", faults...)
}

// mediaTypes are the faults of Content-Type and Accept (What the service does,
// transport rule 9; Errors, rows 406 and 415).
func mediaTypes() []Fault {
	text, withCharset := headerContains("Content-Type", "text/plain"), headerContains("Content-Type", "charset")
	page, asJSON := headerContains("Accept", "text/html"), setHeader("Content-Type", "application/json")
	return slices.Concat(
		breaks("transport.content-type-415",
			fault("transport-text-logs-in", "a login is taken whatever its Content-Type", rewriteRequest(logsIn().and(text), asJSON)),
			fault("transport-form-creates-user", "JSON that is said to be a form creates a user",
				rewriteRequest(createsUser().and(headerContains("Content-Type", "x-www-form-urlencoded")), asJSON)),
			fault("transport-text-update-done-anyway", "an update that is no JSON is refused, and carried out anyway",
				refusedButDone(updatesUser().and(text), asJSON)),
			fault("transport-text-changes-event", "a change of an event is taken whatever its Content-Type",
				rewriteRequest(updatesEvent().and(text), asJSON)),
			fault("transport-text-social-answers-400", "a social connection that is no JSON is answered with 400",
				rewriteResponse(connectsSocially(), replaceStatus(415, 400, "{}"))),
			fault("transport-text-update-answers-422", "an update that is no JSON is answered with 422",
				rewriteResponse(updatesUser(), replaceStatus(415, 422, complaint("user_name is required"))))),
		breaks("transport.content-type-charset",
			fault("transport-charset-refused", "application/json with a charset is answered with 415",
				rewriteRequest(createsUser().and(withCharset), setHeader("Content-Type", "text/plain"))),
			fault("transport-charset-answers-400", "application/json with a charset is answered with 400",
				respond(createsUser().and(withCharset), 400, "{}"))),
		breaks("transport.equivalent-spelling",
			fault("transport-scheme-in-one-case", "the scheme of credentials counts in one case only",
				respond(readsOwnRecord().and(headerContains("Authorization", "basic ")), 401, complaint("unknown scheme"))),
			fault("transport-media-type-in-one-case", "an event is taken with its media type in lower case only",
				respond(createsEvent().and(headerContains("Content-Type", "APPLICATION")), 415, complaint("JSON only")))),
		breaks("transport.accept-406",
			fault("transport-accept-ignored-in-search", "a search answers JSON to a client that does not take it",
				rewriteRequest(searches().and(page), setHeader("Accept", "*/*"))),
			fault("transport-accept-feed-answers-415", "the feed answers 415 to a client that does not take JSON",
				rewriteResponse(readsFeed(), replaceStatus(406, 415, complaint("JSON only")))),
			fault("transport-accept-user-answers-400", "the session's user is answered with 400 to a client that does not take JSON",
				rewriteResponse(readsOwnRecord(), replaceStatus(406, 400, "{}")))),
	)
}

const allowOrigin = "Access-Control-Allow-Origin"

// originsRefused are the faults of answers that a browser keeps from a page of
// another origin (What the service does, transport rule 8).
func originsRefused() []Fault {
	foreign := not(lacksHeader("Origin"))
	return breaks("transport.cors-response",
		fault("transport-origin-not-allowed-on-401", "a 401 cannot be read from another origin",
			rewriteResponse(readsOwnRecord().and(foreign), onStatus(401, header(allowOrigin, "")))),
		fault("transport-origin-not-allowed-for-versions", "the list of versions cannot be read from another origin",
			rewriteResponse(readsVersions().and(foreign), header(allowOrigin, ""))),
		fault("transport-one-origin-for-feed", "the feed can be read from one origin alone",
			rewriteResponse(readsFeed().and(foreign), header(allowOrigin, "https://www.example"))),
		fault("transport-origin-allowed-twice", "the feed allows all origins in one line and the sender's in another, which browsers refuse",
			rewriteResponse(readsFeed().and(foreign), func(r *http.Request, resp *response) {
				resp.header[allowOrigin] = []string{"*", r.Header.Get("Origin")}
			})))
}

// preflights are the faults of the question that a browser asks first.
func preflights() []Fault {
	before := func(method, path string) match {
		return func(r *http.Request) bool {
			return r.Method == http.MethodOptions && strings.EqualFold(r.Header.Get("Access-Control-Request-Method"), method) && r.URL.Path == path
		}
	}
	return breaks("transport.cors-preflight",
		fault("transport-preflight-without-delete", "a preflight allows GET, POST and PUT, and no DELETE",
			rewriteResponse(before("DELETE", "/0.2/user"), header("Access-Control-Allow-Methods", "GET, POST, PUT"))),
		fault("transport-preflight-without-put", "a preflight of a PUT names no methods",
			rewriteResponse(before("PUT", "/0.2/user"), header("Access-Control-Allow-Methods", ""))),
		fault("transport-preflight-needs-credentials", "a preflight of a GET without credentials is refused",
			respond(before("GET", "/0.2/user").and(lacksHeader("Authorization")), 401, complaint("credentials are required"))),
		fault("transport-preflight-without-authorization", "a preflight on events allows the header Content-Type, and not Authorization",
			rewriteResponse(before("POST", "/0.2/user/events"), header("Access-Control-Allow-Headers", "content-type"))),
		fault("transport-preflight-without-content-type", "a preflight of a PUT allows the header Authorization, and not Content-Type",
			rewriteResponse(before("PUT", "/0.2/user"), header("Access-Control-Allow-Headers", "authorization"))),
		fault("transport-preflight-is-no-method-of-events", "a preflight on events is answered with 405",
			respond(before("POST", "/0.2/user/events"), 405, complaint("the method is not allowed here"))),
		fault("transport-preflight-without-origin", "a preflight of a GET allows no origin",
			rewriteResponse(before("GET", "/0.2/user"), header(allowOrigin, ""))))
}

// nullAndBlank are the faults of fields that stand there without a value (What
// the service does, transport rule 5).
func nullAndBlank() []Fault {
	return slices.Concat(
		breaks("transport.no-null",
			fault("transport-null-url", "the session's user without a url has null for one", rewriteObject(readsOwnRecord(), lacking("url", nil))),
			fault("transport-null-image-in-followers", "users without an image have null for one in a list of another user's followers",
				rewriteEach(readsFollowersOf(), lacking("image", nil))),
			fault("transport-null-in-version", "each version says null where the day of its end would stand",
				rewriteEach(readsVersions(), lacking("ends_at", nil))),
			fault("transport-null-in-error", "a 415 names null as the field that is wrong",
				rewriteResponse(updatesEvent(), onStatus(415, body(`{"errors":[{"code":1008,"message":"no JSON","field":null}]}`)))),
			fault("transport-null-in-new-user-stays", "fields that a create has as null are null in its answer", repeats(createsUser(), nil)),
			fault("transport-null-in-update-stays", "fields that an update of the user has as null are null in its answer", repeats(updatesUser(), nil)),
			fault("transport-null-in-new-event-stays", "fields that a new event has as null are null in the answer", repeats(createsEvent(), nil)),
			fault("transport-null-in-changed-event-stays", "fields that a change of an event has as null are null in its answer",
				repeats(updatesEvent(), nil))),
		breaks("transport.blank-omitted",
			fault("transport-blank-custom-id", "a user without a custom_id has a blank one in a list of friends",
				rewriteEach(readsFriends(), lacking("custom_id", ""))),
			fault("transport-blank-object-type", "the object of a new event without a type has a blank one",
				rewriteObject(createsEvent(), within("object", lacking("type", "")))),
			fault("transport-blank-language", "an event without a language has a blank one in the answer to a change",
				rewriteObject(updatesEvent(), lacking("language", ""))),
			fault("transport-blank-confirmation", "a new follow says in a blank field who confirmed it",
				rewriteObject(connects(), lacking("confirmed_by", ""))),
			fault("transport-blank-in-new-user-stays", "fields that a create has blank are blank in its answer", repeats(createsUser(), "")),
			fault("transport-blank-in-update-stays", "fields that an update of the user has blank are blank in its answer", repeats(updatesUser(), "")),
			fault("transport-blank-in-new-event-stays", "fields that a new event has blank are blank in the answer", repeats(createsEvent(), "")),
			fault("transport-blank-in-changed-event-stays", "fields that a change of an event has blank are blank in its answer",
				repeats(updatesEvent(), ""))),
	)
}

// lacking gives a field that is not there a value that says nothing.
func lacking(field string, nothing any) objectEdit {
	return func(object map[string]any) {
		if _, there := object[field]; !there {
			object[field] = nothing
		}
	}
}

// repeats answers what a request sends with a value that says nothing.
func repeats(m match, nothing any) mutation {
	return rewriteResponse(m, func(r *http.Request, resp *response) {
		resp.object(func(resource map[string]any) {
			for field, value := range requestObject(r) {
				if value == nothing && field != "password" {
					resource[field] = nothing
				}
			}
		})
	})
}

// brokenTimes are the faults of times that are not RFC 3339 (What the service
// does, transport rule 4).
func brokenTimes() []Fault {
	return breaks("transport.timestamps",
		fault("transport-time-without-zone", "created_at has neither Z nor an offset among the results of a search",
			rewriteEach(searches(), written("created_at", "2006-01-02T15:04:05"))),
		fault("transport-time-with-space", "updated_at has a space between date and time when another user is read",
			rewriteObject(readsUser(), written("updated_at", "2006-01-02 15:04:05Z"))),
		fault("transport-time-offset-without-colon", "the offset of updated_at has no colon in the answer to a changed event",
			rewriteObject(updatesEvent(), written("updated_at", "2006-01-02T15:04:05-0700"))),
		fault("transport-confirmed-at-as-http-date", "confirmed_at of a new friend is written like the dates of HTTP headers",
			rewriteObject(connects(), written("confirmed_at", http.TimeFormat))),
		fault("transport-last-login-in-month-zero", "before any login last_login is 0000-00-00T00:00:00Z when another user is read",
			rewriteObject(readsUser(), mapText("last_login", oneFor(neverLoggedIn, "0000-00-00T00:00:00Z")))))
}

// written gives a time of an object another layout.
func written(field, layout string) objectEdit {
	return func(object map[string]any) {
		if at := timeIn(object, field); !at.IsZero() {
			object[field] = at.UTC().Format(layout)
		}
	}
}

// mangledText are the faults of text that does not come back as it was sent (What
// the service does, transport rule 3).
func mangledText() []Fault {
	return breaks("transport.unicode-roundtrip",
		fault("transport-astral-characters-lost", "characters beyond the Basic Multilingual Plane become question marks in the first name of a new user",
			rewriteText(createsUser(), "first_name", beyond(lastOfBasicPlane, '?'))),
		fault("transport-astral-characters-lost-in-update", "characters beyond the Basic Multilingual Plane are dropped from the last name of an update",
			rewriteText(updatesUser(), "last_name", beyond(lastOfBasicPlane, -1))),
		fault("transport-text-compatibility-composed", "compatibility characters are replaced in the metadata of a new user (NFKC)",
			rewriteText(createsUser(), "metadata", norm.NFKC.String)),
		fault("transport-text-decomposed", "text comes back decomposed in the first name of the session's user (NFD)",
			rewriteObject(readsOwnRecord(), mapText("first_name", norm.NFD.String))),
		fault("transport-text-taken-for-latin-1", "the first name of an update is taken for Latin-1",
			rewriteText(updatesUser(), "first_name", latin1)),
		fault("transport-text-escaped-for-html", "the object's display name is escaped for HTML in a new event",
			rewriteText(createsEvent(), "object", strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace)),
		fault("transport-joiners-dropped", "format characters, such as those that join emoji, are dropped from a new event's metadata",
			rewriteText(createsEvent(), "metadata", dropping(unicode.Cf))),
		fault("transport-marks-dropped", "combining marks that stand alone are dropped from the metadata of an update",
			rewriteText(updatesUser(), "metadata", dropping(unicode.Mn))),
		fault("transport-line-breaks-folded", "line breaks become spaces in a new event's metadata",
			rewriteText(createsEvent(), "metadata", strings.NewReplacer("\n", " ", "\r", " ").Replace)))
}

func mapped(change func(rune) rune) func(string) string {
	return func(text string) string { return strings.Map(change, text) }
}

// rewriteText changes the text in a field of the requests that match.
func rewriteText(m match, field string, change func(string) string) mutation {
	return rewriteBody(m, mapField(field, func(value any) any { return mapStrings(value, change) }))
}

// plainService are the faults of a port that serves requests without TLS as well
// (What the service does, transport rule 1).
func plainService() []Fault {
	allow := func(o *refserver.Options) { o.AllowPlainHTTP = true }
	elsewhere := func(r *http.Request) bool { return r.TLS == nil && r.URL.Path != "/versions" }
	return breaks("transport.https-only",
		fault("transport-plain-http-served", "the port serves requests without TLS as well", allow).listening(plainBesideTLS),
		fault("transport-plain-http-shows-versions", "the port serves the list of versions without TLS as well, and nothing else",
			combine(allow, respond(elsewhere, 403, complaint("HTTPS only")))).listening(plainBesideTLS))
}

// listening changes how the server listens.
func (f Fault) listening(listen func(net.Listener, http.Handler) net.Listener) Fault {
	f.Listen = listen
	return f
}

// plainBesideTLS has a listener serve connections that do not begin like TLS.
func plainBesideTLS(inner net.Listener, server http.Handler) net.Listener {
	return bilingual{inner, server}
}

type bilingual struct {
	net.Listener
	server http.Handler
}

func (l bilingual) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &bilingualConn{Conn: conn, reader: bufio.NewReader(conn), server: l.server}, nil
}

type bilingualConn struct {
	net.Conn
	reader *bufio.Reader
	server http.Handler
	begun  bool
}

// Read hands on what begins like TLS. Of anything else it serves one request
// itself, and hands on nothing.
func (c *bilingualConn) Read(p []byte) (int, error) {
	const handshake = 0x16
	if !c.begun {
		c.begun = true
		first, err := c.reader.Peek(1)
		if err != nil {
			return 0, err
		}
		if first[0] != handshake {
			return 0, c.servePlain()
		}
	}
	return c.reader.Read(p)
}

func (c *bilingualConn) servePlain() error {
	r, err := http.ReadRequest(c.reader)
	if err != nil {
		return err
	}
	r.RemoteAddr = c.RemoteAddr().String()
	recorder := httptest.NewRecorder()
	c.server.ServeHTTP(recorder, r)
	resp := recorder.Result()
	resp.Close = true
	if err := resp.Write(c.Conn); err != nil {
		return err
	}
	return io.EOF
}
