package body

import (
	"encoding/json"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
)

// Value is an awkward value of a field, and the class of mistakes that it may reveal.
type Value struct {
	Class string
	JSON  any
	// Refusable values may be refused by a valid server, and are then not used again.
	Refusable bool
}

func text(class, s string) Value { return Value{Class: class, JSON: s} }

func refusable(class string, v any) Value { return Value{Class: class, JSON: v, Refusable: true} }

// Texts returns values of a free text field. Values that are mishandled wherever they stand in
// a text share one; values that are mishandled as a whole text stand alone. All are in
// Normalization Form C, since what becomes of other text is open.
func Texts() []Value {
	return append(wholeTexts(), mixtures()...)
}

// mixtures returns texts of what is mishandled wherever it stands, as much as a short text can hold:
// for writes of which there are few. Their classes are separated by semicolons. The first two are
// of ASCII alone.
func mixtures() []Value {
	return []Value{
		text("quotes, percent and plus; escapes; markup, path and query; braces and comma; snake case", `"b\n'%41+&lt;{{a},_c`),
		refusable("line breaks and tab; colon, hyphen, particle and two blanks", "a:b\r\nc\td-e  f"),
		text("accents; non-ASCII case; emoji; scripts; compatibility characters, typographic quotes", "Éßİ ж圖 ½ﬁ“’–… 🎉👍🏽"),
		refusable("line and paragraph separators; no-break and wide blanks; what is not seen", "a\u2028b\u2029c\u00a0d\u3000e\u200ff\u200bg"),
	}
}

// scarce returns the v-th of the texts for writes of which there are few: the mixtures of ASCII alone, and a long one.
func scarce(v int) Value {
	return []Value{mixtures()[0], mixtures()[1], longText()}[v%3]
}

// longText is longer than most columns of databases.
func longText() Value { return refusable("300 wide characters", strings.Repeat("längé", 60)) }

// wholeTexts returns the other texts, the plain one first.
func wholeTexts() []Value {
	return []Value{
		text("plain", "garden"),
		text("zero", "0"),
		text("digits", "12345678901234567890"),
		text("leading zeros", "0071"),
		text("exponent", "1e3"),
		text("fraction", "1.50"),
		text("null", "null"),
		text("a word of the service", "follow"),
		text("true", "true"),
		text("false", "false"),
		text("off", "off"),
		text("leading dash", "-1"),
		text("leading plus", "+1"),
		text("looks like a time", "2020-01-02T03:04:05Z"),
		text("a date", "2020-01-02"),
		text("blanks at the edges", " will be the edge "),
		text("upper case", "UPPER"),
		text("mixed case", "MiXed"),
		text("non-ASCII case", "ÀÉÎ ßſ İı"),
		text("accents", "Édouard Niño Zoé Å"),
		text("scripts", "圖書館 Мир Αθήνα שלום 𝒜"),
		text("compatibility characters, typographic quotes", "ﬁ²½Ａ “a”–b’s…"),
		text("emoji", "👩‍👩‍👧‍👦 🏳️‍🌈👍🏽🇩🇪🇫🇷"),
		text("quotes, percent and plus", `it's 100%25 a+b "x"`),
		text("escapes", `a%41b%20c a\\b\n\u0041 %s\`),
		text("markup, path and query", `<b>&amp;</b> a/../b;c?d`),
		text("braces and comma", `{{a}} ${b} {0} [c], d--e`),
		text("snake case", "snake_case"),
		text("an address", "a@b.example"),
		text("mention, tag and formula", "=a @b #c $d ~e"),
		text("percent and comma", "a%41+b,c"),
		text("colon, hyphen, particle and two blanks", "x:Anna-Lena  van B"),
		refusable("line breaks and tab", "line\r\nbreak\there"),
		refusable("line and paragraph separators", "a\u2028b\u2029c"),
		refusable("no-break and wide blanks", "no\u00a0break\u3000wide"),
		refusable("what is not seen", "\ufeffa\u200fb\u200e c\u00a0d\u200be"),
		longText(),
	}
}

func languages() []Value {
	return []Value{text("plain", "en"), text("had another code once", "he"), text("a word of databases", "id"), text("a word of YAML", "no"), refusable("region", "en-US"), refusable("script", "zh-Hant"), refusable("three letters", "fil"),
		refusable("lower case region", "pt-br"), refusable("underscore", "en_US"), refusable("script and region", "zh-Hant-TW")}
}

func numbers(bound string) []Value {
	n := func(class, literal string) Value { return Value{Class: class, JSON: json.Number(literal)} }
	return []Value{
		n("plain", "13.25"), n("zero", "0"), n("whole", "7"), n("negative", "-33.875"), n("bound", bound), n("lower bound", "-"+bound),
		n("tiny", "1e-9"), n("many digits", "12.34567890123"), n("needs a double", "39.7128374"), n("negative zero", "-0.0"),
		n("exponent", "1.5e1"), n("fraction with zeros", "10.50"), n("below zero", "-0.5"), n("near a bound", "-89.999"),
	}
}

func metadata() []Value {
	const longKey, longest = 40, 500
	m := func(class string, pairs ...string) Value {
		o := value.Fields{}
		for i := 0; i < len(pairs); i += 2 {
			o[pairs[i]] = pairs[i+1]
		}
		return Value{Class: class, JSON: o}
	}
	unseen := m("line breaks and what is not seen", "text", "a\r\nb\u200fc\u200e", "line", "a\u2028b", " edge ", "key", "line ", "another")
	unseen.Refusable = true
	known := m("keys that languages know", "__proto__", "one", "constructor", "two", "toString", "three", "length", "4", "hasOwnProperty", "five")
	known.Refusable = true // cautious parsers do
	return []Value{
		m("plain", "mood", "good"),
		m("like other types", "size", "007", "flag", "true", "none", "null", "switch", "off", "day", "2020-01-02", "no", "false", "7", "1e3", "count", "42", "price", "1.50", "at", "2020-01-02T03:04:05+02:00"),
		m("like structures", "object", `{"a":1}`, "list", "[1, 2]", "snake_key", "a_b", "camelKey", "1", "kebab-key", "-", "tab", "a\tb", "quoted", `"x"`),
		m("like other types; like structures; odd texts", "size", "008", "flag", "false", "none", "nil", "at", "2024-05-01T06:07:08Z", "price", "0.10", "object", `{"b":[1]}`, "list", "[]", "pad", "x  y ", "tpl", "${a}{{b}}", "home", "🇫🇷👍🏽"),
		known,
		m("odd texts", "pad", " x ", "path", `a\\b;c`, "home", "🇩🇪🇫🇷", "👩‍👩‍👧", "👍🏽", "tpl", "{{a}}${b}", `k"q`, `it's "x"`),
		m("odd keys", "Key", "one", "key", "two", "a key", "v", "a.b", "1", "$c", "2", "größe", "XL", "grösse", "L", "é", "v", "id", "0", "verb", "x"),
		m("keys that storage knows", "type", "photo", "class", "c", "_id", "7", "__v", "0", "user_id", "1", "created_at", "never", "key", "k", "value", "v", "name", "n", "_type", "t"),
		m("keys that filters know", "Password", "none", "token", "t", "secret_level", "2", "api_key", "k", "authorization", "no", "email", "e", "ssn", "0", "session", "s"),
		m("keys of a list", "0", "zero", "1", "one", "2", "two"),
		m("long keys", strings.Repeat("k", longKey), "v", strings.Repeat("ü", longKey), "w"),
		m("long values", "v", strings.Repeat("v", longest), "w", strings.Repeat("界", longest)),
		m("long value beyond the basic plane", "v", strings.Repeat("👍", longest)),
		{Class: "ten long values", JSON: tenLong()},
		unseen,
	}
}

// tenLong returns as much metadata as the contract's Limits allow.
func tenLong() value.Fields {
	const longest = 500
	all := value.Fields{}
	for i := range 10 {
		all[string(rune('a'+i))] = strings.Repeat(string(rune('k'+i)), longest)
	}
	return all
}

func displayNames() []Value {
	m := func(class string, o value.Fields) Value { return Value{Class: class, JSON: o} }
	return []Value{
		m("plain", value.Fields{"en": "A picture"}), m("regions and scripts", value.Fields{"en-US": "Color", "en-GB": "Colour", "en": "Colour", "zh-Hant": "圖書館", "zh-Hans": "图书馆"}),
		m("alike and marked up", value.Fields{"en": "Tom & Jerry <3", "de": "Tom & Jerry <3", "nl": "&amp;"}),
		m("ten languages", value.Fields{"en": "one", "de": "eins", "fr": "un", "es": "uno", "it": "uno", "pt": "um", "nl": "een", "sv": "ett", "da": "en", "fi": "yksi"}),
		m("fifteen languages", value.Fields{"en": "one", "de": "eins", "fr": "un", "es": "uno", "it": "uno", "pt": "um", "nl": "een", "sv": "ett", "da": "en", "fi": "yksi", "no": "en", "pl": "jeden", "cs": "jedna", "tr": "bir", "hu": "egy"}),
		{Class: "long names in five languages", JSON: value.Fields{"en": strings.Repeat("a name ", 35) + ".", "de": strings.Repeat("länger ", 35) + ".", "fr": strings.Repeat("un nom ", 35) + ".", "es": strings.Repeat("nombre ", 35) + ".", "ru": strings.Repeat("имя ", 60) + "."}, Refusable: true},
		m("odd texts", value.Fields{"he": "שלום", "ar": "عربي", "pt": "007", "fr": `l’été it's "x"`, "de": "true", "ja": "𠮷野家 🎉"}),
	}
}

func objectTypes() []Value {
	return []Value{text("plain", "picture"), text("mixed case", "PhotoAlbum"), text("digits", "42"), text("null", "null"), text("true", "true"),
		text("namespaced", "app:photo/1"), text("a kind of the service", "user")}
}

func urls() []Value {
	return []Value{
		text("plain", "https://a.example/u"), text("all parts", "https://Example.com:8443/Path/%C3%A9%2Fa?b=%20c+d&copy=1&reg=2&lt=3#Top"),
		text("trailing slash", "https://example.com/a/"), refusable("deep link", "myapp://User/7?x=Y"), refusable("no scheme", "example.com/a?b=c"),
		refusable("the port of its scheme", "https://a.example:443"), refusable("another way to write it", "HTTP://A.Example:80/./a/../b//c?#"),
		refusable("letters beyond ASCII", "https://example.com/größe?ö=圖"),
		refusable("300 characters", "https://example.com/"+strings.Repeat("abcdefghi/", 29)),
	}
}
