// Package report writes the outcome of a run, and the rule catalogue, for people and for
// pipelines: one writer per format, all from the same model.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
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
	labelWidth   = 10 // of a field's label, in columns
)

// page is a text that is being written. Its buffered writer keeps the first error, which
// end returns.
type page struct {
	out   *bufio.Writer
	color bool
	width int
}

func newPage(w io.Writer, l Layout) *page {
	if l.Width == 0 {
		l.Width = defaultWidth
	}
	return &page{out: bufio.NewWriter(w), color: l.Color, width: max(l.Width, minWidth)}
}

// end flushes, and returns the first error of all writes.
func (p *page) end() error { return p.out.Flush() }

func (p *page) line(s string) { p.out.WriteString(strings.TrimRight(s, " ") + "\n") }

// heading writes the heading of a section.
func (p *page) heading(format string, args ...any) {
	p.line("")
	for _, line := range wrap(fmt.Sprintf(format, args...), p.width) {
		p.line(p.paint(text.Bold, line))
	}
}

// paragraph writes an indented text in at most the given number of lines.
func (p *page) paragraph(s string, most int) {
	for _, line := range clip(oneLine(s), p.width-2, most) {
		p.line("  " + line)
	}
}

// field writes a labelled text in at most the given number of lines, nothing for "".
func (p *page) field(label, value string, most int) {
	p.lines(label, clip(oneLine(value), p.width-labelWidth-4, most))
}

// lines writes a labelled text that is broken into lines already.
func (p *page) lines(label string, lines []string) {
	for _, line := range lines {
		p.line("  " + p.paint(text.Faint, fmt.Sprintf("%-*s", labelWidth, label)) + "  " + line)
		label = ""
	}
}

// table writes columns without borders.
func (p *page) table(rows []table.Row) {
	t := table.NewWriter()
	t.SetStyle(table.Style{Box: table.BoxStyle{PaddingLeft: "  "}, Options: table.OptionsNoBordersAndSeparators})
	t.AppendRows(rows)
	for line := range strings.SplitSeq(t.Render(), "\n") {
		p.line(line)
	}
}

func (p *page) paint(color text.Color, s string) string {
	if !p.color || strings.TrimSpace(s) == "" {
		return s
	}
	return text.Escape(s, color.EscapeSeq())
}

// outcome is a status as a symbol and its word.
func (p *page) outcome(s result.Status) string {
	symbol, color := styleOf(s)
	return p.paint(color, symbol+" "+string(s))
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
	return symbolOf(s), color
}
