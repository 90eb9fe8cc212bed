package conformance

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

const ruleNoContent = "errors.no-content-empty"

// passiveRules are judged on every exchange. The mark stands in every password of the run.
func passiveRules(passwordMark string) []passiveRule {
	return []passiveRule{
		{id: "transport.json-body", expected: "a body that is declared application/json and parses as JSON", judge: jsonBody},
		{id: "transport.utf8", expected: "a body in valid UTF-8", judge: validUTF8},
		{id: "transport.timestamps", expected: "RFC 3339 timestamps", judge: rfc3339, source: "users.create.status"},
		{id: "transport.no-null", expected: "no null at any depth", judge: noNull},
		{id: "transport.blank-omitted", expected: "blank fields left out", judge: noBlank, source: "users.create.status"},
		{id: "sessions.token-confined", expected: "session_token in responses of login and create-with-login alone", judge: tokenConfined},
		{id: "users.types", expected: "a User with the documented types", judge: typesOf(userKind), source: "users.create.status"},
		{id: "users.image-shape", expected: "image as an array of objects whose url is a string", judge: imageShape, source: "users.create.status"},
		{id: "users.password-hidden", expected: "no password in any response", judge: passwordHidden(passwordMark)},
		{id: "connections.types", expected: "a Connection with the documented types", judge: typesOf(connectionKind), source: "connections.create.follow"},
		{id: "connections.confirmed-at", expected: "no confirmed_at on a follow", judge: noConfirmedFollow, source: "connections.create.follow"},
		{id: "events.types", expected: "an Event with the documented types", judge: typesOf(eventKind), source: "events.create.status"},
		{id: "errors.json-error", expected: "a JSON body with every 4xx", judge: jsonError},
		{id: "errors.bad-request-empty", expected: "{} as the body of a 400", judge: emptyBadRequest},
		{id: "errors.no-5xx", expected: "no 5xx", judge: noServerError},
		{id: ruleNoContent, expected: "no body with a 204", judge: emptyNoContent},
		{id: "errors.no-secret-echo", expected: "no token or password in an error's body", judge: noSecretEcho},
	}
}

// about is a finding on a relevant exchange; an empty problem means that all is well.
func about(problem string) finding { return finding{relevant: true, problem: problem} }

func jsonBody(o *observation) finding {
	if len(o.answered) == 0 {
		return finding{}
	}
	lenient := o.status >= 500 // an intermediary may have answered
	declared := o.answer.Get("Content-Type")
	if mediaType, _, _ := mime.ParseMediaType(declared); mediaType != "application/json" {
		return finding{relevant: true, problem: fmt.Sprintf("a %d declared %q", o.status, declared), lenient: lenient}
	}
	if o.broken != nil {
		return finding{relevant: true, problem: fmt.Sprintf("a %d that is %v", o.status, o.broken), lenient: lenient}
	}
	return about("")
}

func validUTF8(o *observation) finding {
	if len(o.answered) == 0 {
		return finding{}
	}
	if !utf8.Valid(o.answered) {
		return about(fmt.Sprintf("a %d with bytes that are not UTF-8", o.status))
	}
	return about("")
}

func rfc3339(o *observation) finding {
	f := finding{}
	for _, r := range o.resources {
		for _, name := range []string{"created_at", "updated_at", "last_login", "confirmed_at"} {
			value, there := r.record[name]
			if !there || value == nil {
				continue
			}
			f.relevant = true
			text, is := value.(string)
			if !is || text == "" {
				continue // of the wrong type, or blank: the rules about these blame it
			}
			if _, ok := parseTimestamp(text); !ok {
				return about(fmt.Sprintf("%s%s.%s = %q", r.kind, r.where, name, text))
			}
		}
	}
	return f
}

func noNull(o *observation) finding {
	if len(o.answered) == 0 || o.broken != nil {
		return finding{}
	}
	if o.value == nil {
		return about("null as the body")
	}
	if !bytes.Contains(o.answered, []byte("null")) {
		return about("")
	}
	problem := ""
	walk(o.value, "", func(path, key string, value any) bool {
		if value == nil && problem == "" {
			problem = strings.TrimPrefix(path+"."+key, ".") + " = null"
		}
		return problem == ""
	})
	return about(problem)
}

func noBlank(o *observation) finding {
	f := finding{}
	for _, r := range o.resources {
		f.relevant = true
		for _, name := range sortedKeys(Fields(r.record)) {
			if r.record[name] == "" {
				return about(fmt.Sprintf(`%s%s.%s = ""`, r.kind, r.where, name))
			}
		}
	}
	return f
}

func typesOf(k kind) func(*observation) finding {
	return func(o *observation) finding {
		if !o.has(k) {
			return finding{}
		}
		asSent := o.sentArray("social_ids")
		for _, r := range o.resources {
			if r.kind != k && (k != eventKind || r.kind != objectKind) {
				continue
			}
			if problem := mistyped(r, func(field string) bool { return asSent && field == "social_ids" }); problem != "" {
				return about(problem)
			}
		}
		return about("")
	}
}

func imageShape(o *observation) finding {
	f := finding{}
	for _, r := range o.resources {
		if r.kind != userKind {
			continue
		}
		f.relevant = true
		image, there := r.record["image"]
		if !there || image == nil {
			continue
		}
		entries, ok := recordsIn(image)
		if !ok {
			return about(fmt.Sprintf("User%s.image = %s", r.where, show(image)))
		}
		for _, entry := range entries {
			if _, text := entry["url"].(string); !text {
				return about(fmt.Sprintf("User%s.image with an entry %s", r.where, show(entry)))
			}
		}
	}
	return f
}

func noConfirmedFollow(o *observation) finding {
	f := finding{}
	for _, r := range o.resources {
		if r.kind != connectionKind || r.record["type"] != "follow" {
			continue
		}
		f.relevant = true
		if at := r.record["confirmed_at"]; at != nil { // null is judged by a rule of its own
			return about("a follow with confirmed_at " + show(at))
		}
	}
	return f
}

func jsonError(o *observation) finding {
	if !o.refused() {
		return finding{}
	}
	switch {
	case len(o.answered) == 0:
		return about(fmt.Sprintf("a %d with no body", o.status))
	case o.broken != nil:
		return about(fmt.Sprintf("a %d that is %v", o.status, o.broken))
	}
	return about("")
}

func emptyBadRequest(o *observation) finding {
	if o.status != http.StatusBadRequest {
		return finding{}
	}
	if record, ok := asRecord(o.value); !ok || len(record) > 0 {
		return about("a 400 with " + firstOf(cutText(string(o.answered), 120), "no body"))
	}
	return about("")
}

func noServerError(o *observation) finding {
	if o.status >= 500 {
		return about(fmt.Sprintf("%s answered %s", o.method, o.summary()))
	}
	return about("")
}

func emptyNoContent(o *observation) finding {
	if o.status != http.StatusNoContent {
		return finding{}
	}
	if stray := o.strayBody(); stray != "" {
		return about("a 204 with " + stray)
	}
	return about("")
}
