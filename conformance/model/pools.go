package model

import (
	"encoding/json"
	"strings"
)

// Value is one awkward value of a field and the class of what it may trip over.
type Value struct {
	Class string
	JSON  any
	// Refusable values may be refused by a valid server, that then has to be told them no more.
	Refusable bool
}

func text(class, s string) Value { return Value{Class: class, JSON: s} }

func refusable(class string, v any) Value { return Value{Class: class, JSON: v, Refusable: true} }

// texts are values of a field that holds free text. All are in Normalization
// Form C: what becomes of other text is open.
func texts() []Value {
	return []Value{
		text("plain", "garden"),
		text("zero", "0"),
		text("digits", "12345678901234567890"),
		text("leading zeros", "0071"),
		text("exponent", "1e3"),
		text("fraction", "1.50"),
		text("null", "null"),
		text("true", "true"),
		text("false", "false"),
		text("blanks at the edges", " at the edge "),
		text("two blanks inside", "two  blanks"),
		text("upper case", "UPPER"),
		text("mixed case", "MiXed"),
		text("non-ASCII case", "ÀÉÎ ßſ İı"),
		text("single quote", "it's"),
		text("double quote", `say "yes"`),
		text("percent", "100%25"),
		text("plus", "a+b"),
		text("ampersand", "a&amp;b<i>"),
		text("backslash", `a\n\u0041\`),
		text("slash", "a/../b"),
		text("braces", "{{a}} ${b} [c]"),
		text("joined emoji", "👩‍👩‍👧‍👦 🏳️‍🌈"),
		text("skin tone", "👍🏽"),
		text("beyond the basic plane", "𝒜𐍈"),
		text("right to left", "שלום عربي"),
		text("composed", "Zoé Å ñ"),
		text("han", "圖書館"),
		text("dashes", "-- a; b"),
		text("comma", "a,b;c"),
		text("leading dash", "-1"),
		text("looks like a time", "2020-01-02T03:04:05Z"),
		text("off", "off"),
		text("a date", "2020-01-02"),
		text("two backslashes", `a\\b`),
		text("flags", "🇩🇪🇫🇷 x"),
		text("hyphen", "Anna-Lena"),
		text("particle", "van der Berg"),
		text("escape", "a%41b"),
		text("Cyrillic", "Привет Мир"),
		text("Greek", "Ελλάδα Σ"),
		text("accents", "Édouard Niño"),
		text("HTML", `<b>"a" & 'b'</b>`),
		refusable("direction marks", "a\u200fb\u200e"),
		refusable("line breaks", "line\r\nbreak"),
		refusable("tab", "tab\there"),
		refusable("no-break space", "a\u00a0b"),
		refusable("zero-width", "a\u200bb"),
		refusable("300 characters", strings.Repeat("lang.", 60)),
		refusable("300 wide characters", strings.Repeat("längé", 60)),
	}
}

func languages() []Value {
	return []Value{text("plain", "en"), text("region", "en-US"), text("script", "zh-Hant"), text("three letters", "fil"),
		refusable("lower case region", "pt-br"), refusable("script and region", "zh-Hant-TW")}
}

func numbers(bound string) []Value {
	n := func(class, literal string) Value { return Value{Class: class, JSON: json.Number(literal)} }
	return []Value{
		n("plain", "13.25"), n("zero", "0"), n("whole", "7"), n("negative", "-33.875"), n("bound", bound), n("lower bound", "-"+bound),
		n("tiny", "1e-9"), n("many digits", "52.520006612345"), n("needs a double", "39.7128374"), n("negative zero", "-0.0"),
		n("exponent", "1.5e1"), n("fraction with zeros", "10.50"), n("below zero", "-0.5"), n("near a bound", "-89.75"),
		n("more than nano", "12.34567890123"), n("beyond the quarter", "-89.999"),
	}
}

func metadata() []Value {
	m := func(class string, pairs ...string) Value {
		o := Fields{}
		for i := 0; i < len(pairs); i += 2 {
			o[pairs[i]] = pairs[i+1]
		}
		return Value{Class: class, JSON: o}
	}
	ten := Fields{}
	for _, key := range strings.Fields("a b c d e f g h i j") {
		ten[key] = key + key
	}
	return []Value{
		m("plain", "mood", "good"), m("digit value", "size", "007"), m("true value", "flag", "true"), m("null value", "none", "null"),
		m("digit key", "7", "seven"), m("two keys in two cases", "Key", "one", "key", "two"), m("key with blanks", "a key", "v"),
		m("key with dot and dollar", "a.b", "1", "$c", "2"), m("non-ASCII key", "größe", "XL"), m("emoji", "👩‍👩‍👧", "👍🏽"),
		m("edges", "pad", " x "), m("off", "switch", "off"), m("a date", "day", "2020-01-02"),
		m("two backslashes", "path", `a\\b`), m("flags", "home", "🇩🇪🇫🇷"), m("false", "flag", "false"), m("short wide key", "é", "v"), m("braces", "tpl", "{{a}}${b}"),
		{Class: "line breaks", JSON: Fields{"text": "a\r\nb"}, Refusable: true}, {Class: "direction marks", JSON: Fields{"text": "a\u200fb\u200e"}, Refusable: true},
		{Class: "ten long values", JSON: tenLong()}, m("quotes", `k"q`, `it's "x"`), m("key named as a field", "id", "0", "verb", "x"),
		m("long key", strings.Repeat("k", 40), "v"), m("long value", "v", strings.Repeat("v", 500)),
		m("long wide key", strings.Repeat("ü", 40), "v"), m("long wide value", "v", strings.Repeat("界", 500)),
		m("long value beyond the basic plane", "v", strings.Repeat("👍", 500)), {Class: "ten keys", JSON: ten},
	}
}

// tenLong is as much metadata as the contract's Limits allow.
func tenLong() Fields {
	const longest = 500
	all := Fields{}
	for i := range 10 {
		all[string(rune('a'+i))] = strings.Repeat(string(rune('k'+i)), longest)
	}
	return all
}

func displayNames() []Value {
	m := func(class string, o Fields) Value { return Value{Class: class, JSON: o} }
	return []Value{
		m("plain", Fields{"en": "A picture"}), m("regions", Fields{"en-US": "Color", "en-GB": "Colour", "en": "Hue"}),
		m("scripts", Fields{"zh-Hant": "圖書館", "zh-Hans": "图书馆"}), m("right to left", Fields{"he": "שלום", "ar": "عربي"}),
		m("digits", Fields{"en": "007"}), m("quotes", Fields{"en": `it's "x"`, "fr": "l’été"}), m("true", Fields{"en": "true"}),
	}
}

func objectTypes() []Value {
	return []Value{text("plain", "picture"), text("mixed case", "PhotoAlbum"), text("digits", "42"), text("null", "null"), text("true", "true"),
		text("namespaced", "app:photo/1")}
}

func urls() []Value {
	return []Value{
		text("plain", "https://a.example/u"), text("query", "https://example.com/?a=1&b=%20c+d"), text("fragment", "https://example.com/#top"),
		text("trailing slash", "https://example.com/a/"), text("mixed case", "https://example.com/Path/ID"), refusable("deep link", "myapp://user/7?x=1"),
		text("port", "https://example.com:8443/a"), text("escapes", "https://example.com/%C3%A9%2Fa"),
		refusable("300 characters", "https://example.com/"+strings.Repeat("abcdefghi/", 29)),
	}
}
