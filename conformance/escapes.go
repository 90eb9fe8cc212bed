package conformance

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape reads one escape at the beginning of a text: what it stands for and how
// long it is, 0 where there is none.
type escape func(text string) (plain string, length int)

// jsonEscape reads an escape of JSON's strings.
func jsonEscape(text string) (string, int) {
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

// urlEscape reads a percent-encoded byte.
func urlEscape(text string) (string, int) {
	if len(text) < 3 || text[0] != '%' {
		return "", 0
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	if err != nil {
		return "", 0
	}
	return string([]byte{byte(n)}), 3
}

// undo rewrites a text without its escapes; at tells for each byte of the result,
// and for its end, where it stood.
func undo(s string, one escape) (plain string, at []int) {
	var b strings.Builder
	for i := 0; i < len(s); {
		piece, length := one(s[i:])
		if length == 0 {
			piece, length = s[i:i+1], 1
		}
		for range len(piece) {
			at = append(at, i)
		}
		b.WriteString(piece)
		i += length
	}
	return b.String(), append(at, len(s))
}

// spelled replaces the secrets that a text spells with escapes.
func (k *known) spelled(s string, one escape) string {
	plain, at := undo(s, one)
	if len(plain) == len(s) {
		return s
	}
	for _, secret := range k.longestFirst {
		from := 0
		for i := strings.Index(plain, secret); i >= 0; i = strings.Index(plain[from:], secret) {
			i += from
			placeholder := k.placeholders[secret]
			s = s[:at[i]] + placeholder + s[at[i+len(secret)]:]
			plain, at = undo(s, one)
			from = i + len(placeholder)
		}
	}
	return s
}

// halves replaces the beginnings of secrets that a cut has left.
func (k *known) halves(s string) string {
	const cut = "…"
	pieces := strings.Split(s, cut)
	for i, piece := range pieces[:len(pieces)-1] {
		for _, secret := range k.longestFirst {
			if n := overlap(piece, secret); n >= minEcho {
				pieces[i] = piece[:len(piece)-n] + k.placeholders[secret]
				break
			}
		}
	}
	return strings.Join(pieces, cut)
}

// overlap is how many bytes of a secret's beginning a text ends with.
func overlap(text, secret string) int {
	for n := min(len(text), len(secret)); n > 0; n-- {
		if strings.HasSuffix(text, secret[:n]) {
			return n
		}
	}
	return 0
}
