package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

// unicodeRule returns the rule about text that comes back if a text with more than ASCII came
// back garbled, else the other rule.
func unicodeRule(want lawful, got any, at rules.Endpoint, otherwise string) (string, rules.Endpoint) {
	switch at {
	case rules.CreateUser, rules.GetMe, rules.UpdateMe, rules.CreateEvent:
		if slices.ContainsFunc(want, func(v any) bool { return looksGarbled(v, got) }) {
			return "transport.unicode-roundtrip", at
		}
	}
	return otherwise, at
}

// looksGarbled reports whether a text, or a map of texts, looks like what an encoding mistake
// makes of another one with more than ASCII in it.
func looksGarbled(want, got any) bool {
	from, to := asText(want), asText(got)
	kept := asciiOf(from)
	if kept == from || to == "" {
		return false
	}
	return norm.NFC.String(from) == norm.NFC.String(to) || to == kept || (asciiOf(to) != to || strings.Contains(to, "?")) && isSubsequence(kept, to)
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

// limitRule returns the rule about the contract's Limits to blame when metadata is refused that
// just reaches one of them, else the other rule.
func limitRule(metadata any, otherwise string) string {
	const keys, keyLength, valueLength = 10, 40, 500
	entries, _ := metadata.(map[string]any)
	rule := otherwise
	for key, v := range entries {
		text, _ := v.(string)
		long, longKey := utf8.RuneCountInString(text) == valueLength, utf8.RuneCountInString(key) == keyLength
		switch {
		case long && !ascii(text), longKey && !ascii(key):
			return "limits.metadata.characters"
		case len(entries) == keys:
			return "limits.metadata.keys"
		case longKey:
			rule = "limits.metadata.key-length"
		case long:
			rule = "limits.metadata.value-length"
		}
	}
	return rule
}
