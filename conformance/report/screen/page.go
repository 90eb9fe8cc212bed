// Package screen writes what people read on a screen or in a file of text: reports, what comes next, and
// differences. Page is the sheet that they are written on.
package screen

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// Layout is how text is laid out.
type Layout struct {
	Color bool // paint with ANSI escape sequences; every colour also has a word
	Width int  // in columns; 0: 100, and never less than 60
	// Brief has a report fit a screen, as a run shows it: the first failures in a few lines each, and
	// how to see everything.
	Brief bool
	// Choices asks for a list of all of the target's choices; without it, there is only what is
	// different from the report before.
	Choices bool
}

const (
	defaultWidth = 100
	minWidth     = 60
	LabelWidth   = 10 // of a field's label, in columns
)

// Page is a text that is being written. Its buffered writer keeps the first error, which
// end returns.
type Page struct {
	out   *bufio.Writer
	color bool
	Width int
}

// NewPage begins a page.
func NewPage(w io.Writer, l Layout) *Page {
	if l.Width == 0 {
		l.Width = defaultWidth
	}
	return &Page{out: bufio.NewWriter(w), color: l.Color, Width: max(l.Width, minWidth)}
}

// End flushes, and returns the first error of all writes.
func (p *Page) End() error { return p.out.Flush() }

// Line writes a line without blanks at its end.
func (p *Page) Line(s string) { p.out.WriteString(strings.TrimRight(s, " ") + "\n") }

// Heading writes the heading of a section.
func (p *Page) Heading(format string, args ...any) {
	p.Line("")
	for _, line := range plain.Wrap(fmt.Sprintf(format, args...), p.Width) {
		p.Line(p.Paint(text.Bold, line))
	}
}

// Paragraph writes an indented text in at most the given number of lines.
func (p *Page) Paragraph(s string, most int) {
	for _, line := range plain.Clip(plain.Line(s), p.Width-2, most) {
		p.Line("  " + line)
	}
}

// Field writes a labelled text in at most the given number of lines, nothing for "".
func (p *Page) Field(label, value string, most int) {
	p.Lines(label, plain.Clip(plain.Line(value), p.Width-LabelWidth-4, most))
}

// Lines writes a labelled text that is broken into lines already.
func (p *Page) Lines(label string, lines []string) {
	for _, line := range lines {
		p.Line("  " + p.Paint(text.Faint, fmt.Sprintf("%-*s", LabelWidth, label)) + "  " + line)
		label = ""
	}
}

// table writes columns without borders.
func (p *Page) table(rows []table.Row) {
	t := table.NewWriter()
	t.SetStyle(table.Style{Box: table.BoxStyle{PaddingLeft: "  "}, Options: table.OptionsNoBordersAndSeparators})
	t.AppendRows(rows)
	for line := range strings.SplitSeq(t.Render(), "\n") {
		p.Line(line)
	}
}

// Paint paints a text where the page has colours.
func (p *Page) Paint(color text.Color, s string) string {
	if !p.color || strings.TrimSpace(s) == "" {
		return s
	}
	return text.Escape(s, color.EscapeSeq())
}

// outcome is a status as a symbol and its word.
func (p *Page) outcome(s result.Status) string {
	symbol, color := styleOf(s)
	return p.Paint(color, symbol+" "+string(s))
}

// styleOf is the symbol and the colour of a status.
func styleOf(s result.Status) (symbol string, color text.Color) {
	color = text.FgCyan
	switch s {
	case result.Pass:
		color = text.FgGreen
	case result.Fail:
		color = text.FgRed
	case result.Warn:
		color = text.FgYellow
	case result.Error, result.Unstable:
		color = text.FgMagenta
	}
	return view.Symbol(s), color
}
