package grid

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// bodies is the table of bodies as a whole.
func bodies() []class {
	const deep = 500
	other := []struct{ name, text string }{
		{"null as the body", `null`}, {"true as the body", `true`}, {"false as the body", `false`}, {"a text as the body", `"a"`}, {"a number as the body", `7`},
		{"an empty list as the body", `[]`}, {"a list of an object as the body", `[{}]`}, {"an object in a text as the body", `"{\"user_name\":\"a\"}"`},
	}
	broken := []struct{ name, head, tail string }{ // around the text of a valid field
		{"a body cut off", `{`, ``}, {"a missing brace", `{`, `,"a":"b"`}, {"a comma too many", `{`, `,}`}, {"a comment", `{`, ` /* a */}`}, {"a comment behind", `{`, `} // a`},
		{"single quotes", `{'a':'b',`, `}`}, {"a key without quotes", `{a:"b",`, `}`}, {"a missing colon", `{"a" "b",`, `}`}, {"a word", `{"a":undefined,`, `}`},
		{"a hexadecimal number", `{"a":0x1F,`, `}`}, {"an escape of none", `{"a":"\'",`, `}`}, {"a plus", `{"a":+1,`, `}`},
		{"no digit in front", `{"a":.5,`, `}`}, {"a leading zero", `{"a":01,`, `}`}, {"a line break in a text", "{\"a\":\"b\nc\",", `}`}, {"two bodies", `{`, `}{}`}, {"a body and a bracket", `{`, `}]`},
	}
	var all []class
	for _, row := range other {
		all = append(all, class{row.name, in(wholeBody), raw(row.text), func(p position) Verdict { return refusedOrSurvives(p, p.request.NotAnObject) }})
	}
	for _, row := range broken {
		all = append(all, class{row.name, in(wholeBody), func(m *Message, _ position) {
			m.respell("JSON", func(body []byte) []byte {
				return []byte(row.head + string(body[1:len(body)-1]) + row.tail)
			})
		}, func(p position) Verdict { return refusedOrSurvives(p, p.request.Malformed) }})
	}
	return append(all,
		// Python's json and others take it: RFC 8259, section 9, leaves a parser to accept more than JSON.
		class{"no number", in(wholeBody), func(m *Message, _ position) {
			m.insert(`"a":NaN`)
		}, unwanted},
		class{"form fields", in(wholeBody), raw("a=b&c=d"), func(p position) Verdict { return refusedOrSurvives(p, p.request.Malformed) }},
		class{"a blank body", in(wholeBody), raw(" "), unwanted},
		class{"an object without fields", in(wholeBody), raw("{}"), unwanted},
		class{"deep nesting", in(field), nested(strings.Repeat("[", deep), strings.Repeat("]", deep)), unwanted},
		class{"deep nesting of objects", in(field), nested(strings.Repeat(`{"a":`, deep)+"1", strings.Repeat("}", deep)), unwanted},
		class{"a field twice", in(field), func(m *Message, p position) {
			m.insert(`"` + p.name + `":"a"`)
		}, unwanted},
		class{"an unknown field", in(wholeBody), func(m *Message, _ position) { m.Body["unknown_field"] = "a" }, survives},
		class{"a thousand unknown fields", in(wholeBody), func(m *Message, _ position) {
			for i := range 1000 {
				m.Body[fmt.Sprint("unknown_field_", i)] = "a"
			}
		}, survives},
	)
}

func raw(text string) func(*Message, position) {
	return func(m *Message, _ position) { m.Raw = []byte(text) }
}

// insert puts a field before those of a body, of which one may have the same name.
func (m *Message) insert(field string) {
	name, _, _ := strings.Cut(field, ":")
	m.respell(name, func(body []byte) []byte {
		before, after, _ := bytes.Cut(body, []byte("{"))
		return slices.Concat(before, []byte("{"+field+","), after)
	})
}

// nested puts an array or object so deep that it cannot be encoded, by its text.
func nested(open, end string) func(*Message, position) {
	return func(m *Message, p position) {
		m.insert(`"` + p.name + `":` + open + end)
	}
}

// refusedOrSurvives is the refusal of a body that is no JSON object, if a rule asks for it.
func refusedOrSurvives(p position, rule string) Verdict {
	if rule == "" {
		return unwanted(p)
	}
	return Verdict{Rule: rule, Refused: []int{http.StatusBadRequest, http.StatusUnprocessableEntity}}
}

// parameters is the table of ids in paths and of parameters in queries.
func parameters() []class {
	var all []class
	for _, row := range []struct{ name, before, after string }{
		{"a letter behind the id", "", "a"}, {"a fraction behind the id", "", ".7"}, {"a zero byte behind the id", "", "\x00"}, {"words behind the id", "", " or 1"},
		{"a percent sign behind the id", "", "%"}, {"a quote behind the id", "", "'"}, {"a slash behind the id", "", "/"}, {"a minus before the id", "-", ""}, {"broken UTF-8 behind the id", "", "\xff"},
		{"digits beyond all numbers", "", strings.Repeat("9", 40)}, {"a surrogate behind the id", "", "\xed\xa0\x80"}, {"64 characters behind the id", "", strings.Repeat("a", 64)},
	} {
		all = append(all, class{row.name, in(pathParameter), func(m *Message, _ position) { m.IDs[0] = row.before + m.IDs[0] + row.after }, func(p position) Verdict {
			parameter := p.request.Path[0]
			return Verdict{Rule: parameter.Unknown, Refused: parameter.UnknownRefused}
		}}, class{row.name, both(in(field), func(p position) bool { return p.param.Unknown != "" }), func(m *Message, p position) {
			p.put(m, row.before+text(m.Body[p.name])+row.after)
		}, func(p position) Verdict { return Verdict{Rule: p.param.Unknown, Refused: []int{404, 400, 422}} }})
	}
	for _, row := range []struct{ name, query string }{
		{"nothing in the query", "="}, {"a word", "=maybe"}, {"a number", "=-1"}, {"the parameter twice", "=true&=false"}, {"no value", ""}, {"broken UTF-8 in the query", "=%ff"}, {"a zero byte in the query", "=a%00b"},
		{"a surrogate in the query", "=%ed%a0%80"}, {"a broken escape", "=%zz"}, {"brackets behind the name", "[]=a"}, {"8 KiB in the query", "=" + strings.Repeat("a", 8<<10)},
	} {
		all = append(all, class{row.name, in(queryParameter), func(m *Message, p position) {
			m.RawQuery = p.name + strings.ReplaceAll(row.query, "&=", "&"+p.name+"=")
		}, unwanted})
	}
	for _, other := range []string{"enemy", "followed", "follows", "friends", "follower", "fol", "follow,friend", " follow", "friend ", "Follow", "FRIEND", "1", "0", "true", "null", "", "follow\x00", "ｆollow"} {
		all = append(all, class{"the word " + strings.TrimSpace(other) + lengthOf(other), both(in(field), func(p position) bool { return p.param.Invalid != "" }), putting(other),
			func(p position) Verdict { return refusedFor(p, p.param.Invalid) }})
	}
	return all
}

// lengthOf tells words with blanks from those without.
func lengthOf(word string) string {
	if strings.TrimSpace(word) != word {
		return " with a blank"
	}
	return ""
}

// spellings is the table of headers, paths and framings. Those that HTTP calls equal to the plain ones
// must be accepted as they are.
func spellings() []class {
	const equal = "transport.equivalent-spelling"
	everywhere, withBody := in(wholeRequest), in(wholeBody)
	header := func(name, value string) func(*Message, position) {
		return func(m *Message, _ position) { m.Header.Set(name, value) }
	}
	same := func(position) Verdict { return Verdict{Rule: equal, Accepted: true} }
	all := []class{
		{"the scheme in lower case", both(everywhere, withCredentials), schemed("basic"), same},
		{"the scheme in upper case", both(everywhere, withCredentials), schemed("BASIC"), same},
		{"the media type in upper case", withBody, header("Content-Type", "APPLICATION/JSON"), same},
		{"a charset in upper case", withBody, header("Content-Type", "application/json; charset=UTF-8"), func(position) Verdict { return Verdict{Rule: "transport.content-type-charset", Accepted: true} }},
		{"a charset in quotes", withBody, header("Content-Type", `application/json;charset="utf-8"`), func(position) Verdict { return Verdict{Rule: "transport.content-type-charset", Accepted: true} }},
		{"what is accepted in upper case", everywhere, header("Accept", "APPLICATION/JSON"), same},
		{"what is accepted with a weight", everywhere, header("Accept", "application/json;q=0.9, text/html;q=0.1"), same},
		{"what is accepted in a list", everywhere, header("Accept", "application/json, text/plain, */*"), same},
		{"a body in chunks", withBody, func(m *Message, _ position) { m.Chunked = true }, same},
		{"an escaped letter in the path", everywhere, func(m *Message, _ position) { m.path = escapeLastLetter }, same},
		{"no Content-Type", withBody, header("Content-Type", ""), unwanted},
	}
	for _, odd := range []string{"application/json; charset=klingon", "application/json; charset", "application/json;;", "application/json, text/plain", "/", "application/json; charset=utf-16"} {
		all = append(all, class{"a body labelled " + odd, withBody, header("Content-Type", odd), unwanted})
	}
	for _, other := range []string{"text/plain", "text/json", "text/html", "application/x-json", "application/json5", "application/vnd.api+json", "application/merge-patch+json", "application/ld+json", "application/xml",
		"application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		all = append(all, class{"a body labelled " + other, withBody, header("Content-Type", other), func(position) Verdict {
			return Verdict{Rule: "transport.content-type-415", Refused: []int{http.StatusUnsupportedMediaType, 400, 406, 422}}
		}})
	}
	return all
}

func withCredentials(p position) bool { return p.endpoint.Caller() != rules.AnyCaller }

func schemed(scheme string) func(*Message, position) {
	return func(m *Message, _ position) {
		_, credentials, _ := strings.Cut(m.Header.Get("Authorization"), " ")
		m.Header.Set("Authorization", scheme+" "+credentials)
	}
}

// escapeLastLetter escapes the last letter of a path that belongs to the contract's own words.
func escapeLastLetter(path string) string {
	at := strings.LastIndexAny(path, "abcdefghijklmnopqrstuvwxyz")
	if at < 0 {
		return path
	}
	return path[:at] + "%" + strings.ToUpper(hex(path[at])) + path[at+1:]
}

func hex(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

// text is an id as a text.
func text(id any) string {
	if s, is := id.(interface{ String() string }); is {
		return s.String()
	}
	s, _ := id.(string)
	return s
}
