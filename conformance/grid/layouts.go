package grid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Layout is another text of a JSON object, which differs in nothing that JSON gives a meaning to.
type Layout struct {
	Name    string
	Respell func(body []byte) []byte
	fields  int // of a body that it changes
}

// Layouts is the table of layouts: each must be taken as the plain text is. They can be applied to a body
// one after another.
func Layouts() []Layout {
	return []Layout{
		{"fields from the last to the first", backwards, 2},
		{"a body in lines", indented("\n", "  "), 1},
		{"a body in lines of carriage return and line feed", indented("\r\n", "\t"), 1},
		{"blanks around each sign", func(body []byte) []byte {
			return outsideTexts(body, func(signs []byte) []byte { return sign.ReplaceAll(signs, []byte(" $0\t")) })
		}, 1},
		{"blanks around the body", func(body []byte) []byte { return slices.Concat([]byte(" \t\r\n"), body, []byte("\r\n \t")) }, 1},
		{"names of fields with an escape", func(body []byte) []byte {
			return fieldName.ReplaceAllFunc(body, func(name []byte) []byte {
				if bytes.HasPrefix(name, []byte(`"password"`)) { // by which secrets are told
					return name
				}
				return append(fmt.Appendf(nil, `"\u%04x`, name[1]), name[2:]...)
			})
		}, 1},
	}
}

// layouts are the classes of the layouts.
func layouts() []class {
	var all []class
	for _, layout := range Layouts() {
		all = append(all, class{layout.Name, both(in(wholeBody), fields(layout.fields)), func(m *Message, _ position) { m.respell(layout.Name, layout.Respell) },
			func(p position) Verdict { return Verdict{Rule: p.endpoint.BlockingRule(), Accepted: true} }})
	}
	return append(all, class{"a byte order mark", in(wholeBody), func(m *Message, _ position) {
		m.respell("what stands before it", func(body []byte) []byte { return append([]byte("\xef\xbb\xbf"), body...) })
	}, unwanted})
}

// fields fits bodies of so many fields at least.
func fields(least int) func(position) bool {
	return func(p position) bool { return len(p.request.ValidBody(func(rules.Source) any { return "" })) >= least }
}

var (
	jsonText  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	sign      = regexp.MustCompile(`[{}\[\],:]`)
	fieldName = regexp.MustCompile(`"[a-z][^"\\]*"\s*:`)
)

// indented lays a body out in lines.
func indented(end, indent string) func([]byte) []byte {
	return func(body []byte) []byte {
		var lines bytes.Buffer
		if err := json.Indent(&lines, body, "", indent); err != nil {
			return body // that is no JSON as it is
		}
		return bytes.ReplaceAll(lines.Bytes(), []byte("\n"), []byte(end))
	}
}

// outsideTexts changes what stands between the texts of a body.
func outsideTexts(body []byte, change func([]byte) []byte) []byte {
	var changed []byte
	at := 0
	for _, text := range jsonText.FindAllIndex(body, -1) {
		changed = append(append(changed, change(body[at:text[0]])...), body[text[0]:text[1]]...)
		at = text[1]
	}
	return append(changed, change(body[at:])...)
}

// backwards puts the fields of a body into the opposite order.
func backwards(body []byte) []byte {
	var fields []string
	decoder := json.NewDecoder(bytes.NewReader(body))
	if _, err := decoder.Token(); err != nil {
		return body // that is no JSON as it is
	}
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return body
		}
		fields = append(fields, fmt.Sprintf("%q:%s", name, value))
	}
	slices.Reverse(fields)
	return []byte("{" + strings.Join(fields, ",") + "}")
}

// furtherHeaders is the table of header fields that clients, browsers and proxies add by themselves, and of
// which the contract says nothing: a server may heed them, and must not break.
func furtherHeaders() []class {
	var all []class
	for _, row := range []struct{ name, value string }{
		{"Cookie", "session=abc; other=" + strings.Repeat("a", 1000)}, {"Range", "bytes=0-9"}, {"If-None-Match", "*"}, {"If-Modified-Since", "yesterday"},
		{"Accept-Encoding", "br, zstd, identity;q=0"}, {"Accept-Language", "*;q=0.1, xx"}, {"X-Forwarded-For", "unknown, [::1]:80, ' or 1"}, {"X-Client-Name", "caf\xe9"},
		{"X-HTTP-Method-Override", "PATCH"},
	} {
		all = append(all, class{"a header " + row.name + ": " + shortened(row.value), in(wholeRequest), func(m *Message, _ position) {
			m.Header = m.Header.Clone()
			m.Header[http.CanonicalHeaderKey(row.name)] = []string{row.value}
		}, survives})
	}
	return all
}

// shortened is a value as the name of a class has it.
func shortened(value string) string {
	const most = 40
	if len(value) > most {
		return fmt.Sprintf("%s… (%d bytes)", value[:most], len(value))
	}
	return strings.ToValidUTF8(value, "�")
}
