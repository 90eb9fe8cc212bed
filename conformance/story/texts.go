package story

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"golang.org/x/text/unicode/norm"
)

// garbled reports whether a text, or a map of texts, looks like what an encoding mistake makes of
// an allowed one with more than ASCII in it.
func garbled(want allowed, got any) bool {
	return slices.ContainsFunc(want, func(v any) bool {
		from, to := asText(v), asText(got)
		kept := asciiOf(from)
		if kept == from || to == "" {
			return false
		}
		return norm.NFC.String(from) == norm.NFC.String(to) || to == kept || (asciiOf(to) != to || strings.Contains(to, "?")) && isSubsequence(kept, to)
	})
}

// asText returns a text, or the JSON of a map, whose keys are in the order of their composed
// forms.
func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	entries, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(entries), func(a, b string) int { return cmp.Compare(norm.NFC.String(a), norm.NFC.String(b)) }) {
		text, _ := jsonvalue.Encode(map[string]any{key: entries[key]}) // what came as JSON, or was sent as such
		b.Write(text)
	}
	return b.String()
}

func ascii(s string) bool { return asciiOf(s) == s }

func asciiOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s)
}

// isSubsequence reports whether a text contains the letters of another one in their order.
func isSubsequence(letters, text string) bool {
	for _, r := range letters {
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+utf8.RuneLen(r):]
	}
	return true
}

// limit is one of the contract's limits on metadata.
type limit uint8

const (
	noLimit limit = iota
	limitOfKeys
	limitOfKeyLength
	limitOfValueLength
	limitOfCharacters // that a limit counts characters, not bytes
)

// limitOf returns the limit that metadata just reaches.
func limitOf(metadata any) limit {
	const keys, keyLength, valueLength = 10, 40, 500
	entries, _ := metadata.(map[string]any)
	reached := noLimit
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		text, _ := entries[key].(string)
		long, longKey := utf8.RuneCountInString(text) == valueLength, utf8.RuneCountInString(key) == keyLength
		switch {
		case long && !ascii(text), longKey && !ascii(key):
			return limitOfCharacters
		case len(entries) == keys:
			return limitOfKeys
		case longKey:
			reached = limitOfKeyLength
		case long && reached == noLimit:
			reached = limitOfValueLength
		}
	}
	return reached
}
