package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape reads one escape at the beginning of a text: what it stands for and how
// long it is, 0 if there is none.
type Escape func(text string) (plain string, length int)

// JSONEscape reads an escape of JSON's strings.
func JSONEscape(text string) (string, int) {
	if len(text) < 2 || text[0] != '\\' {
		return "", 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, text[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1], 2
	}
	first, ok := codeUnit(text)
	if !ok {
		return "", 0
	}
	if second, ok := codeUnit(text[6:]); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return string(r), 12
		}
	}
	return string(first), 6
}

func codeUnit(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}

// PercentEscape reads a percent-encoded byte.
func PercentEscape(text string) (string, int) {
	if len(text) < 3 || text[0] != '%' {
		return "", 0
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	if err != nil {
		return "", 0
	}
	return string([]byte{byte(n)}), 3
}

// formEscape reads a byte as forms and queries encode it.
func formEscape(text string) (string, int) {
	if text[0] == '+' {
		return " ", 1
	}
	return PercentEscape(text)
}

// kindOfEscape is a way of escaping, with what each escape begins with.
type kindOfEscape struct {
	mark   byte
	decode Escape
}

// escapes are the ways of escaping that are decoded.
var escapes = [...]kindOfEscape{{'\\', JSONEscape}, {'%', PercentEscape}, {'+', formEscape}, {'&', htmlEscape}}

// anyEscape reads an escape of any kind, but for a form's blank, which is a plus elsewhere.
func anyEscape(text string) (string, int) {
	switch text[0] {
	case '\\':
		return JSONEscape(text)
	case '%':
		return PercentEscape(text)
	case '&':
		return htmlEscape(text)
	}
	return "", 0
}

// mayEscape reports whether a text has a mark that an escape of any kind begins with.
func mayEscape(text string) bool {
	return strings.IndexByte(text, '\\') >= 0 || strings.IndexByte(text, '%') >= 0 || strings.IndexByte(text, '&') >= 0
}

// Unescape decodes the escapes in a text; at has the places of the result in the original.
func Unescape(s string, one Escape) (plain string, at positions) {
	var b strings.Builder
	b.Grow(len(s))
	at = make(positions, 0, len(s)+1)
	for i := 0; i < len(s); {
		piece, length := one(s[i:])
		if length == 0 {
			b.WriteByte(s[i])
			at = append(at, int32(i))
			i++
			continue
		}
		for range len(piece) {
			at = append(at, int32(i))
		}
		b.WriteString(piece)
		i += length
	}
	return b.String(), append(at, int32(len(s)))
}

// htmlEscape reads a character reference of HTML, as far as they are common.
func htmlEscape(text string) (string, int) {
	if text[0] != '&' {
		return "", 0
	}
	end := strings.IndexByte(text[:min(len(text), 9)], ';')
	if end < 0 {
		return "", 0
	}
	plain := html.UnescapeString(text[:end+1])
	if plain == text[:end+1] {
		return "", 0
	}
	return plain, end + 1
}
