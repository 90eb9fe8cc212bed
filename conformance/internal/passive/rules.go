package passive

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

const ruleNoContent = "errors.no-content-empty"

// rulesWith are judged on every exchange. The mark stands in every password of the run.
func rulesWith(passwordMark string) []rule {
	return []rule{
		{id: "transport.json-body", expected: "a body that is declared application/json and parses as JSON", judge: jsonBody},
		{id: "transport.utf8", expected: "a body in valid UTF-8", judge: validUTF8},
		{id: "transport.timestamps", expected: "RFC 3339 timestamps", judge: rfc3339},
		{id: "transport.no-null", expected: "no null at any depth", judge: noNull},
		{id: "transport.blank-omitted", expected: "blank fields left out", judge: noBlank},
		{id: "sessions.token-confined", expected: "session_token only in responses of login and create-with-login", judge: tokenConfined},
		{id: "users.types", expected: "a User with the documented types", judge: typesOf(rules.User)},
		{id: "users.image-shape", expected: "image as an array of objects whose url is a string", judge: imageShape},
		{id: "users.password-hidden", expected: "no password in any response", judge: passwordHidden(passwordMark)},
		{id: "connections.types", expected: "a Connection with the documented types", judge: typesOf(rules.Connection)},
		{id: "connections.confirmed-at", expected: "no confirmed_at on a follow", judge: noConfirmedFollow},
		{id: "events.types", expected: "an Event with the documented types", judge: typesOf(rules.Event)},
		{id: "errors.json-error", expected: "a JSON body with every 4xx", judge: jsonError},
		{id: "errors.bad-request-empty", expected: "{} as the body of a 400", judge: emptyBadRequest},
		{id: "errors.no-5xx", expected: "no 5xx", judge: noServerError},
		{id: ruleNoContent, expected: "no body with a 204", judge: emptyNoContent},
		{id: "errors.no-secret-echo", expected: "no token or password in an error's body", judge: noSecretEcho},
	}
}

// about is a finding on a relevant exchange; an empty problem means that all is well.
func about(problem string) finding { return finding{relevant: true, problem: problem} }

func jsonBody(o *decodedExchange) finding {
	if len(o.RespBody) == 0 || o.refusedBeforeService() {
		return finding{}
	}
	lenient := o.Status >= 500 // an intermediary may have answered
	declared := o.RespHeader.Get("Content-Type")
	if mediaType, _, _ := mime.ParseMediaType(declared); mediaType != "application/json" {
		return finding{relevant: true, problem: fmt.Sprintf("a %d declared %q", o.Status, declared), lenient: lenient}
	}
	if o.broken != nil {
		return finding{relevant: true, problem: fmt.Sprintf("a %d that is %v", o.Status, o.broken), lenient: lenient}
	}
	return about("")
}

func validUTF8(o *decodedExchange) finding {
	if len(o.RespBody) == 0 {
		return finding{}
	}
	if !utf8.Valid(o.RespBody) {
		return about(fmt.Sprintf("a %d with bytes that are not UTF-8", o.Status))
	}
	return about("")
}

func rfc3339(o *decodedExchange) finding {
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
			at, ok := jsonvalue.ParseTimestamp(text)
			if !ok {
				return about(fmt.Sprintf("%s%s.%s = %q", r.kind, r.where, name, text))
			}
			if apart := o.zonesApart(at); apart != 0 && name == "created_at" {
				return finding{relevant: true, lenient: true, // a clock may be wrong
					problem: fmt.Sprintf("%s%s.created_at = %q, %v from the answer's Date %q: a local time under another offset", r.kind, r.where, text, apart, o.RespHeader.Get("Date"))}
			}
		}
	}
	return f
}

// zonesApart returns how far the time of something that the request has just created is from the answer's
// Date, where that is what two time zones can differ by, 0 otherwise.
func (o *decodedExchange) zonesApart(at time.Time) time.Duration {
	const step, farthest, latency = 15 * time.Minute, 14 * time.Hour, 10 * time.Second
	date, err := http.ParseTime(o.RespHeader.Get("Date"))
	if err != nil || o.Endpoint != rules.CreateUser && o.Endpoint != rules.CreateEvent {
		return 0
	}
	apart := at.Sub(date)
	zones := apart.Round(step)
	if (apart-zones).Abs() > latency || zones.Abs() > farthest {
		return 0
	}
	return zones
}

func noNull(o *decodedExchange) finding {
	if len(o.RespBody) == 0 || o.broken != nil {
		return finding{}
	}
	if o.value == nil {
		return about("null as the body")
	}
	if !bytes.Contains(o.RespBody, []byte("null")) {
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

func noBlank(o *decodedExchange) finding {
	f := finding{}
	for _, r := range o.resources {
		f.relevant = true
		for _, name := range jsonvalue.SortedKeys(r.record) {
			if r.record[name] == "" {
				return about(fmt.Sprintf(`%s%s.%s = ""`, r.kind, r.where, name))
			}
		}
	}
	return f
}

func typesOf(k rules.Resource) func(*decodedExchange) finding {
	return func(o *decodedExchange) finding {
		if !o.has(k) {
			return finding{}
		}
		asSent := o.sentArray("social_ids")
		for _, r := range o.resources {
			if r.kind != k && (k != rules.Event || r.kind != rules.Object) {
				continue
			}
			exempt := func(field string) bool {
				return asSent && field == "social_ids" || o.mistakes.known[mistake(r.kind, field, r.record[field])]
			}
			if problem := mistyped(r, o.mistakes.fields[r.kind], exempt); problem != "" {
				return about(problem)
			}
		}
		return about("")
	}
}

func imageShape(o *decodedExchange) finding {
	f := finding{}
	for _, r := range o.resources {
		if r.kind != rules.User {
			continue
		}
		f.relevant = true
		image, there := r.record["image"]
		if !there || image == nil {
			continue
		}
		entries, ok := jsonvalue.AsRecords(image)
		if !ok {
			return about(fmt.Sprintf("User%s.image = %s", r.where, jsonvalue.Show(image)))
		}
		for _, entry := range entries {
			if _, text := entry["url"].(string); !text {
				return about(fmt.Sprintf("User%s.image with an entry %s", r.where, jsonvalue.Show(entry)))
			}
		}
	}
	return f
}

func noConfirmedFollow(o *decodedExchange) finding {
	f := finding{}
	for _, r := range o.resources {
		if r.kind != rules.Connection || r.record["type"] != "follow" {
			continue
		}
		f.relevant = true
		if at := r.record["confirmed_at"]; at != nil { // null is judged by a rule of its own
			return about("a follow with confirmed_at " + jsonvalue.Show(at))
		}
	}
	return f
}

func jsonError(o *decodedExchange) finding {
	if !o.refused() || o.refusedBeforeService() {
		return finding{}
	}
	switch {
	case len(o.RespBody) == 0:
		return about(fmt.Sprintf("a %d with no body", o.Status))
	case o.broken != nil:
		return about(fmt.Sprintf("a %d that is %v", o.Status, o.broken))
	}
	return about("")
}

func emptyBadRequest(o *decodedExchange) finding {
	if o.Status != http.StatusBadRequest || o.refusedBeforeService() {
		return finding{}
	}
	if record, ok := jsonvalue.AsRecord(o.value); !ok || len(record) > 0 {
		return about("a 400 with " + cmp.Or(jsonvalue.Cut(string(o.RespBody), 120), "no body"))
	}
	return about("")
}

func noServerError(o *decodedExchange) finding {
	if o.Status >= 500 {
		return about(fmt.Sprintf("%s answered %s", o.Method, o.Summary()))
	}
	return about("")
}

func emptyNoContent(o *decodedExchange) finding {
	if o.Status != http.StatusNoContent {
		return finding{}
	}
	if stray := o.StrayBody(); stray != "" {
		return about("a 204 with " + stray)
	}
	return about("")
}
