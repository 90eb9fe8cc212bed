package html

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
)

// bodyText is a body with its lines kept, indented where it is JSON.
func bodyText(body string) string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(indented(body), "\n"), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = plain.Visible(strings.ReplaceAll(line, "\t", "    "))
	}
	return bounded(strings.Join(lines, "\n"), maxBody)
}

// indented indents JSON; any other text stays as it is.
func indented(body string) string {
	var laidOut bytes.Buffer
	if nesting(body) <= maxNesting && json.Indent(&laidOut, []byte(body), "", "  ") == nil {
		return laidOut.String()
	}
	return body
}

// maxNesting is how deep a JSON body may be nested to be indented: deeper ones would be
// mostly indentation.
const maxNesting = 16

// nesting is the depth of brackets in a text, including those inside strings.
func nesting(s string) int {
	deepest, depth := 0, 0
	for _, r := range s {
		switch r {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// compared is what was expected and what came, side by side.
type compared struct{ Expected, Got []view.Span }

// comparisonOf indents both texts alike and marks their differences.
func comparisonOf(c *view.Check) compared {
	expected, got := view.Differences(bounded(laidOut(c.Expected), maxValue), bounded(laidOut(c.Actual), maxValue))
	return compared{expected, got}
}

// laidOut indents the JSON at the end of a text, if it is long.
func laidOut(s string) string {
	const glance = 40
	at := strings.IndexAny(s, "{[")
	if at < 0 || len(s)-at < glance {
		return s
	}
	tail := ""
	if end := strings.LastIndexAny(s, "}]") + 1; end > at {
		s, tail = s[:end], s[end:]
	}
	if over := indented(s[at:]); over != s[at:] {
		return strings.TrimSpace(s[:at]) + "\n" + over + tail
	}
	return s + tail
}

// bounded cuts a text to the given number of bytes as escaped HTML.
func bounded(s string, most int) string {
	size := 0
	for i, r := range s {
		if size += escapedSize(r); size > most {
			return s[:plain.BeforeName(s, i)] + "…"
		}
	}
	return s
}

func escapedSize(r rune) int {
	switch r {
	case '"', '\'', '&', '+':
		return len("&#34;")
	case '<', '>':
		return len("&lt;")
	}
	return max(utf8.RuneLen(r), 1)
}

// maxGlance is how much of a message the title of a rule shows, in bytes.
const maxGlance = 100
