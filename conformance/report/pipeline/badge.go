package pipeline

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
)

// badgeLabel is the left half of a badge.
const badgeLabel = "contract"

// The measures of a badge, in pixels.
const (
	badgeHeight   = 20
	badgePadding  = 6 // left and right of a text
	badgeBaseline = 14
)

// WriteBadge writes the verdict as a small SVG picture, with how many of the selected rules
// that gate the target keeps. It loads nothing, does not depend on a font, and has its text
// for screen readers.
func WriteBadge(w io.Writer, v *view.View) error {
	_, err := io.WriteString(w, badge(v.Verdict.Count(), v.Verdict.Color))
	return err
}

func badge(value, color string) string {
	left, right := textWidth(badgeLabel), textWidth(value)
	split := left + 2*badgePadding
	width := split + right + 2*badgePadding
	sentence := escapeXML(badgeLabel + ": " + value)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%s">`,
		width, badgeHeight, sentence)
	line(`  <title>%s</title>`, sentence)
	line(`  <rect width="%d" height="%d" rx="3" fill="%s"/>`, width, badgeHeight, color)
	line(`  <path d="M3 0H%dV%dH3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#555"/>`, split, badgeHeight)
	line(`  <g fill="#fff" font-family="Verdana,'DejaVu Sans',Geneva,sans-serif" font-size="11" aria-hidden="true">`)
	// textLength makes fonts of another width fit.
	line(`    <text x="%d" y="%d" textLength="%d">%s</text>`, badgePadding, badgeBaseline, left, escapeXML(badgeLabel))
	line(`    <text x="%d" y="%d" textLength="%d">%s</text>`, split+badgePadding, badgeBaseline, right, escapeXML(value))
	line(`  </g>`)
	line(`</svg>`)
	return b.String()
}

// textWidth estimates the width of a text in Verdana at 11 pixels.
func textWidth(s string) int {
	width := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("fijlrtI.,:;!|'/()[] ", r):
			width += 4.6
		case strings.ContainsRune("mwMW%@", r):
			width += 10.4
		default:
			width += 6.9 * float64(text.RuneWidth(r))
		}
	}
	return int(math.Ceil(width))
}

// escapeXML escapes a text for XML; characters that do not print are spelled out.
func escapeXML(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(plain.Line(s))) // a strings.Builder returns no error
	return b.String()
}

// shieldsBadge is a badge as shields.io reads it from an address.
type shieldsBadge struct {
	SchemaVersion int    `json:"schemaVersion"`
	Label         string `json:"label"`
	Message       string `json:"message"`
	Color         string `json:"color"`
}

// WriteShieldsBadge writes the verdict for shields.io, which draws the badge.
func WriteShieldsBadge(w io.Writer, v view.Verdict) error {
	return indented.Write(w, shieldsBadge{1, badgeLabel, v.Count(), v.Color})
}
