package grid

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// value is a named JSON value.
type value struct {
	name  string
	value any
}

// wrongTypes is the table of values of each JSON type, tried wherever another type is documented.
func wrongTypes() []class {
	values := []value{
		{"true", true}, {"false", false},
		{"zero", json.Number("0")}, {"a whole number", json.Number("7")}, {"a fraction", json.Number("1.5")}, {"a big number", json.Number("1e300")},
		{"an empty text", ""}, {"a blank text", " "}, {"a text", "a text"}, {"a digit text", "1"}, {"a text of a number", "13.25"}, {"a text of no number", "NaN"},
		{"a list as a text", `["a"]`}, {"an object as a text", `{"id":"a"}`},
		{"an empty list", []any{}}, {"a list of a text", []any{"a"}}, {"a list of two", []any{"a", "b"}}, {"a list of a number", []any{json.Number("1")}},
		{"a number before a text", []any{json.Number("7"), "a"}}, {"a text before true", []any{"a", true}}, {"a list of a list", []any{[]any{"a"}}},
		{"a list of an object", []any{object("a", "b")}}, {"a list of objects with ids", []any{object("id", "a"), object("id", "b")}},
		{"a list of keys and values", []any{map[string]any{"key": "a", "value": "b"}}},
		{"an empty object", map[string]any{}}, {"an object", object("a", "b")}, {"an operator of a query", object("$ne", "x")}, {"an object by position", map[string]any{"0": "a", "1": "b"}},
		{"an object that holds the value", map[string]any{"id": "a", "name": "a", "type": "follow", "value": "a"}},
		{"an object with a number", object("a", json.Number("1"))}, {"an object with zero", object("a", json.Number("0"))}, {"an object with true", object("a", true)},
		{"an object with false", object("a", false)}, {"an object with a list", object("a", []any{"b"})}, {"an object with an empty list", object("a", []any{})},
		{"an object with an object", object("a", object("b", "c"))}, {"an object with an empty object", object("a", map[string]any{})},
		{"an object with a text and a number", map[string]any{"a": "b", "c": json.Number("1")}},
	}
	var all []class
	for _, v := range values {
		all = append(all, class{
			name:    v.name,
			fits:    both(in(field, entryValue, element), func(p position) bool { return !p.allows(v.value) && !openType(p, v.value) }),
			change:  putting(v.value),
			verdict: func(p position) Verdict { return wrongValue(p, v.value) },
		})
	}
	return all
}

// wrongValue is the refusal of a value of another type. Ids are opaque: a number or a boolean in the place of one may
// be an id that nothing has.
func wrongValue(p position, v any) Verdict {
	verdict := wrongType(p)
	switch v.(type) {
	case json.Number, bool:
		if p.documented() == rules.IDType {
			verdict.Refused = append(slices.Clone(verdict.Refused), http.StatusNotFound)
		}
	}
	return verdict
}

func object(key string, value any) map[string]any { return map[string]any{key: value} }

// openType reports whether it is open what becomes of a value of another type: of one that stands for
// the documented one (an object without fields for another object), or where no rule asks for a refusal.
func openType(p position, v any) bool {
	fields, isObject := v.(map[string]any)
	if p.documented() == rules.ObjectType && isObject && len(fields) > 0 {
		return true
	}
	if isObject && p.part == field && p.param.Limited {
		return false
	}
	return wrongType(p).Rule == ""
}

// missing is the table of ways in which what is required is not there.
func missing() []class {
	required := func(p position) bool { return requiredBy(p) != "" }
	byRule := func(p position) Verdict { return refusedFor(p, requiredBy(p)) }
	null := class{name: "null", fits: in(field, entryKey, entryValue, element), change: func(m *Message, p position) {
		if p.part == entryKey {
			p.put(m, "null")
			return
		}
		p.put(m, nil)
	}, verdict: func(p position) Verdict {
		switch {
		case requiredBy(p) != "":
			return byRule(p)
		case p.part == entryValue && p.param.Limited:
			return wrongType(p)
		}
		return unwanted(p)
	}}
	return []class{
		null,
		{"nothing", required, func(m *Message, p position) { p.remove(m) }, byRule},
		{"nothing beside other fields", both(required, hasFurther), func(m *Message, p position) {
			maps.Copy(m.Body, m.Further)
			p.remove(m)
		}, byRule},
		{"all within another object", both(required, inBodyItself), func(m *Message, p position) {
			all := m.Body
			m.Body = map[string]any{strings.ToLower(string(p.endpoint.Answer().Resource)): all}
		}, byRule},
	}
}

func hasFurther(p position) bool { return p.request.HasFurther() }

func inBodyItself(p position) bool {
	object, _ := rules.Parent(p.name)
	return object == "" && p.endpoint.Answer().Resource != rules.NoResource
}

// limits is the table of metadata at the contract's limits and one beyond them.
func limits() []class {
	limited := both(in(field), func(p position) bool { return p.param.Limited })
	row := func(name, rule string, metadata map[string]any, refused bool) class {
		return class{name, limited, putting(metadata), func(p position) Verdict {
			if refused {
				return refusedFor(p, rule)
			}
			return Verdict{Rule: rule, Accepted: true}
		}}
	}
	entries := func(n int) map[string]any {
		all := map[string]any{}
		for i := range n {
			all[fmt.Sprintf("key %d", i)] = "v"
		}
		return all
	}
	var all []class
	for _, letter := range []string{"k", "é", "界", "🎉"} {
		key := func(n int) map[string]any { return object(strings.Repeat(letter, n), "v") }
		text := func(n int) map[string]any { return object("a", strings.Repeat(letter, n)) }
		beside := func(m map[string]any) map[string]any { m["b"] = "v"; return m }
		all = append(all,
			row("a key of the greatest length in "+letter, "limits.metadata.key-length", key(rules.MetadataKeyLength), false),
			row("a key one too long in "+letter, "limits.metadata.key-length", key(rules.MetadataKeyLength+1), true),
			row("a key one too long beside another in "+letter, "limits.metadata.key-length", beside(key(rules.MetadataKeyLength+1)), true),
			row("a value of the greatest length in "+letter, "limits.metadata.value-length", text(rules.MetadataValueLength), false),
			row("a value one too long in "+letter, "limits.metadata.value-length", text(rules.MetadataValueLength+1), true),
			row("a value one too long beside another in "+letter, "limits.metadata.value-length", beside(text(rules.MetadataValueLength+1)), true))
	}
	return append(all,
		row("as many keys as there may be", "limits.metadata.keys", entries(rules.MetadataKeys), false),
		row("one key too many", "limits.metadata.keys", entries(rules.MetadataKeys+1), true),
		row("twice as many keys as there may be", "limits.metadata.keys", entries(2*rules.MetadataKeys), true))
}

// numbers is the table of numbers, where one is documented.
func numbers() []class {
	var all []class
	for _, spelled := range []struct {
		name, text string
		as         Reception
	}{
		{"a number beyond all", "1e400", Unwanted}, {"many digits", strings.Repeat("1", 400), Unwanted}, {"beyond the bounds of a globe", "180.0001", Doubtful}, {"far below zero", "-1e9", Doubtful},
		{"many digits behind the point", "0." + strings.Repeat("1", 400), Taken}, {"the least number", "5e-324", Taken}, {"minus zero", "-0", Taken}, {"an exponent", "1.5E+1", Taken},
	} {
		all = append(all, class{spelled.name, both(in(field), func(p position) bool { return p.documented() == rules.NumberType }), putting(json.RawMessage(spelled.text)), received(spelled.as)})
	}
	return all
}

// texts is the table of texts that may make a server fail, wherever a text may stand.
func texts() []class {
	odd := []struct{ name, text string }{ // without the quotes
		{"a noncharacter", `\uffff\ufdd0`}, {"a byte order mark", `\ufeffa`}, {"a change of direction", `a\u202eb`},
		{"quotes and a condition of SQL", `x' OR '1'='1`}, {"a template", `{{7*7}}${7*7}<%= 7 %>`}, {"markup", `<script>a</script>`}, {"a format", `%s%n%d`}, {"a path upwards", `../../a`},
	}
	together := ""
	var all []class
	for _, row := range odd {
		together += " " + row.text
		all = append(all, textClass(row.name, row.text, Taken))
	}
	return append(all,
		textClass(oddTexts, strings.TrimSpace(together), Taken),
		textClass("64 KiB of text", strings.Repeat("a", 64<<10), Taken),
		textClass("a lone surrogate", `\ud800`, Doubtful), textClass("half of a pair at the end", `a\ud83d`, Doubtful), textClass("the other half of a pair", `\udc4d a`, Doubtful),
		textClass("halves in the wrong order", `\udc4d\ud83d`, Doubtful), textClass("a NUL", `a\u0000b`, Doubtful), textClass("control characters", `\u0001\u001b\u007f\u0085`, Doubtful),
		textClass("broken UTF-8", "a\xff\xfeb", Unwanted), textClass("an overlong form", "a\xc0\x80b", Unwanted))
}

// oddTexts is the class of all texts in one that most servers take.
const oddTexts = "odd texts in one"

// textClass is the class of a text, as it stands in JSON between quotes.
func textClass(name, text string, as Reception) class {
	text = `"` + text + `"`
	fits := func(p position) bool { return p.part == entryKey || p.part == element || p.allows("a") }
	change := func(m *Message, p position) {
		if p.part == entryKey {
			p.putRaw(m, `{`+text+`:"v"}`)
			return
		}
		p.put(m, json.RawMessage(text))
	}
	verdict := func(p position) Verdict {
		if !p.takesAnyText() {
			return unwanted(p)
		}
		return received(as)(p)
	}
	return class{name, both(in(field, entryKey, entryValue, element), fits), change, verdict}
}

// putRaw sets the whole map at the position.
func (p position) putRaw(m *Message, text string) {
	p.part = field
	p.put(m, json.RawMessage(text))
}
