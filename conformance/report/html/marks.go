package html

import (
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

var (
	// fieldName matches the names of fields in what was expected.
	fieldName = regexp.MustCompile(`[a-z][a-z0-9_]*`)
	// fieldLine matches a line of indented JSON with a field.
	fieldLine = regexp.MustCompile(`^\s*"([a-z0-9_]+)":`)
)

// maxMarks is how many lines of a body are marked.
const maxMarks = 20

// fieldsNamed are the words in what a check expected, and in what came where that is no body:
// some of them are fields.
func fieldsNamed(c *view.Check) []string {
	text := c.Expected
	if !strings.Contains(c.Actual, "{") {
		text += " " + c.Actual
	}
	return fieldName.FindAllString(text, -1)
}

// markedLines is an indented body whose lines with one of the fields differ.
func markedLines(body string, fields []string) []view.Span {
	var all []view.Span
	plain, marks := "", 0
	for line := range strings.Lines(body) {
		found := fieldLine.FindStringSubmatch(line)
		if found == nil || marks == maxMarks || !slices.Contains(fields, found[1]) {
			plain += line
			continue
		}
		text := strings.TrimSpace(line)
		before, after, _ := strings.Cut(line, text)
		all = append(all, view.Span{Text: plain + before}, view.Span{Text: text, Differs: true})
		plain = after
		marks++
	}
	return append(all, view.Span{Text: plain})
}

// mark marks the fields that a check names.
func (x *exchange) mark(c *view.Check) {
	fields := fieldsNamed(c)
	x.Asked, x.Answered = markedLines(x.RequestBody, fields), markedLines(x.ResponseBody, fields)
}

// noteView is a note on a run. A long one has its list folded.
type noteView struct {
	Text, List string
	Info       bool // nothing is wrong
}

const maxNote = 160 // bytes, before a note is folded

// Remarks are the notes as the page shows them.
func (p pageData) Remarks() []noteView {
	var all []noteView
	for _, note := range p.Notes {
		n := noteView{Text: note, Info: result.Informs(note)}
		if len(note) > maxNote {
			n.Text, n.List = result.ListIn(note)
		}
		all = append(all, n)
	}
	return all
}

// Absent is how many rules fail because of what is not implemented, 0 where nothing else fails.
func (p pageData) Absent() int {
	for _, s := range p.Sections {
		if s.ID == view.NotImplemented && len(p.Broken()) > 0 {
			return len(s.Rules)
		}
	}
	return 0
}

// briefly is what went wrong with a check, both sides bounded so that both are seen.
func briefly(c *view.Check) string {
	const most = 80
	if c.Expected == "" {
		return bounded(c.Message, 2*most)
	}
	return "expected " + bounded(c.Expected, most) + "; got " + bounded(c.Actual, most)
}
