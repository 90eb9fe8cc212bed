package clients

import (
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

const shownText = 60 // characters of a value

func metadata(r *request) finding {
	record, _ := r.record()
	data, isObject := record["metadata"].(map[string]any)
	if !isObject {
		return finding{} // the rule about types judges it
	}
	if len(data) > rules.MetadataKeys {
		return violation("metadata has %d keys", len(data))
	}
	for _, key := range jsonvalue.SortedKeys(data) {
		value, isText := data[key].(string)
		switch {
		case utf8.RuneCountInString(key) > rules.MetadataKeyLength:
			return violation("metadata has a key of %d characters", utf8.RuneCountInString(key))
		case !isText:
			return violation("metadata.%s is %s, which is no string", key, jsonvalue.Cut(jsonvalue.Show(data[key]), shownText))
		case utf8.RuneCountInString(value) > rules.MetadataValueLength:
			return violation("metadata.%s has %d characters", key, utf8.RuneCountInString(value))
		}
	}
	return kept
}

// mistyped says how a field of a record is of another type than a client may send, "" where it is not.
// The values of metadata are judged by a rule of their own.
func mistyped(where string, record jsonvalue.Record, field rules.Field) string {
	value := record[field.Name]
	if _, isObject := value.(map[string]any); value == nil || field.Limited && isObject {
		return ""
	}
	var names []string
	for _, typ := range field.Sent {
		if typ.Allows(value) {
			return ""
		}
		names = append(names, string(typ))
	}
	shown := jsonvalue.Cut(jsonvalue.Show(value), shownText)
	if strings.EqualFold(field.Name, "password") {
		shown = "something else" // the value is a secret
	}
	return where + field.Name + " is " + shown + ", not " + strings.Join(names, " or ")
}
