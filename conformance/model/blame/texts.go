package blame

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

// Unicode returns the rule about text that comes back if a text with more than ASCII came
// back garbled, else the other rule.
func Unicode(want value.Set, got any, at rules.Endpoint, otherwise string) (string, rules.Endpoint) {
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
	from, to := value.Text(want), value.Text(got)
	kept := value.ASCII(from)
	if kept == from || to == "" {
		return false
	}
	return norm.NFC.String(from) == norm.NFC.String(to) || to == kept || (value.ASCII(to) != to || strings.Contains(to, "?")) && isSubsequence(kept, to)
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
