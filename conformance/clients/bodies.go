package clients

import (
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

func jsonBody(r *request) finding {
	switch {
	case !r.hasBody() || !r.whole:
		return finding{}
	case !utf8.Valid(r.Body):
		return violation("the body is no UTF-8")
	case r.broken != nil:
		return violation("the body is %v", r.broken)
	}
	return kept
}

func nfc(r *request) finding {
	f, problem := finding{}, ""
	note := func(where, text string) bool {
		f.relevant = true
		if !norm.NFC.IsNormalString(text) && utf8.ValidString(text) {
			problem = where
		}
		return problem == ""
	}
	if r.whole && r.broken == nil {
		walkTexts(r.sent, func(field, text string) bool {
			return note("the field "+jsonvalue.Cut(field, 60), text)
		})
	}
	for name, values := range r.query {
		for _, value := range values {
			note("the parameter "+jsonvalue.Cut(name, 60), value)
		}
	}
	if path, err := url.PathUnescape(r.path); err == nil && withParameter(r.endpoint) {
		note("the path", path)
	}
	if problem != "" {
		return violation("%s holds text that is not in Normalization Form C", problem)
	}
	return f
}

func required(r *request) finding {
	record, isObject := r.record()
	if !isObject && !(r.whole && !r.hasBody()) {
		return finding{}
	}
	fields := requiredAt(r.endpoint)
	object, nested := jsonvalue.AsRecord(record["object"])
	nested = nested && isEvent(r.endpoint)
	if fields == nil && !nested {
		return finding{}
	}
	for _, field := range fields {
		if record[field] == nil {
			return violation("%s is missing", field)
		}
	}
	if nested && object["id"] == nil {
		return violation("object.id is missing")
	}
	return kept
}

func requiredAt(e rules.Endpoint) []string {
	switch e {
	case rules.CreateUser, rules.UpdateMe:
		return []string{"user_name"}
	case rules.Login:
		return []string{"password"}
	case rules.CreateConnection:
		return []string{"user_to_id"}
	case rules.CreateEvent:
		return []string{"verb"}
	case rules.ConnectSocial:
		return []string{"platform", "type", "platform_user_id", "connection_ids"}
	}
	return nil
}

func isEvent(e rules.Endpoint) bool { return e == rules.CreateEvent || e == rules.UpdateEvent }

func timestamps(r *request) finding {
	record, _ := r.record()
	f := finding{}
	for _, name := range []string{"created_at", "updated_at", "last_login", "confirmed_at"} {
		value, there := record[name]
		if !there || value == nil {
			continue
		}
		f.relevant = true
		text, isText := value.(string)
		if _, ok := jsonvalue.ParseTimestamp(text); !isText || !ok {
			return violation("%s is %s", name, jsonvalue.Show(value))
		}
	}
	return f
}

// The limits of metadata, in entries and characters.
const (
	maxKeys   = 10
	maxKey    = 40
	maxValue  = 500
	shownText = 60
)

func metadata(r *request) finding {
	record, _ := r.record()
	data, isObject := record["metadata"].(map[string]any)
	if !isObject {
		return finding{} // the rule about types judges it
	}
	if len(data) > maxKeys {
		return violation("metadata has %d keys", len(data))
	}
	for _, key := range jsonvalue.SortedKeys(data) {
		value, isText := data[key].(string)
		switch {
		case utf8.RuneCountInString(key) > maxKey:
			return violation("metadata has a key of %d characters", utf8.RuneCountInString(key))
		case !isText:
			return violation("metadata.%s is %s, which is no string", key, jsonvalue.Cut(jsonvalue.Show(data[key]), shownText))
		case utf8.RuneCountInString(value) > maxValue:
			return violation("metadata.%s has %d characters", key, utf8.RuneCountInString(value))
		}
	}
	return kept
}

// fieldType is a field's documented JSON type: its name, and which values are of it.
type fieldType struct {
	name string
	is   func(any) bool
}

func typesOf(e rules.Endpoint) map[string]fieldType {
	text := fieldType{"a string", isText}
	number := fieldType{"a number", func(v any) bool { _, ok := v.(json.Number); return ok }}
	object := fieldType{"an object", func(v any) bool { _, ok := v.(map[string]any); return ok }}
	kind := fieldType{"follow or friend", func(v any) bool { return v == "follow" || v == "friend" }}
	switch e {
	case rules.CreateUser, rules.UpdateMe:
		return map[string]fieldType{
			"user_name": text, "custom_id": text, "password": text, "first_name": text, "last_name": text, "email": text,
			"url": text, "activated": text, "metadata": object,
			"social_ids": {"a list or a map of strings", func(v any) bool { return isTexts(v) || isTextMap(v) }},
		}
	case rules.Login:
		return map[string]fieldType{"password": text, "email": text, "user_name": text}
	case rules.CreateConnection:
		return map[string]fieldType{"user_to_id": {"an integer or a string", isID}, "type": kind}
	case rules.ConnectSocial:
		return map[string]fieldType{"platform": text, "type": kind, "platform_user_id": text, "connection_ids": {"a list of strings", isTexts}}
	case rules.CreateEvent, rules.UpdateEvent:
		return map[string]fieldType{
			"verb": text, "language": text, "priority": text, "location": text, "latitude": number, "longitude": number,
			"metadata": object, "object": object,
		}
	}
	return nil
}

// types judges the types of fields, by tables that are built once.
func types() func(*request) finding {
	tables := map[rules.Endpoint]map[string]fieldType{}
	for _, e := range rules.Endpoints() {
		if table := typesOf(e); table != nil {
			tables[e] = table
		}
	}
	text := fieldType{"a string", isText}
	object := map[string]fieldType{"id": text, "type": text, "url": text, "display_name": {"a map of strings", isTextMap}}
	return func(r *request) finding { return typed(r, tables[r.endpoint], object) }
}

func typed(r *request, documented, ofObject map[string]fieldType) finding {
	if documented == nil || !r.whole || r.broken != nil || !r.hasBody() {
		return finding{}
	}
	record, isObject := r.record()
	if !isObject {
		return violation("the body is %s, not an object", jsonvalue.Cut(jsonvalue.Show(r.sent), shownText))
	}
	if problem := mistyped("", record, documented); problem != "" {
		return violation("%s", problem)
	}
	if object, nested := jsonvalue.AsRecord(record["object"]); nested && isEvent(r.endpoint) {
		if problem := mistyped("object.", object, ofObject); problem != "" {
			return violation("%s", problem)
		}
	}
	return kept
}

// mistyped names the first field whose type is not the documented one, "" for none.
func mistyped(where string, record jsonvalue.Record, documented map[string]fieldType) string {
	for _, name := range jsonvalue.SortedKeys(record) {
		want, known := documented[name]
		if value := record[name]; known && value != nil && !want.is(value) {
			shown := jsonvalue.Cut(jsonvalue.Show(value), shownText)
			if strings.EqualFold(name, "password") {
				shown = "something else" // the value is a secret
			}
			return where + name + " is " + shown + ", not " + want.name
		}
	}
	return ""
}

func isText(v any) bool { _, ok := v.(string); return ok }

func isID(v any) bool {
	n, ok := v.(json.Number)
	return isText(v) || ok && jsonvalue.IsInteger(n)
}

func isTexts(v any) bool {
	list, ok := v.([]any)
	for _, item := range list {
		ok = ok && isText(item)
	}
	return ok
}

func isTextMap(v any) bool {
	m, ok := v.(map[string]any)
	for _, item := range m {
		ok = ok && isText(item)
	}
	return ok
}
