package screen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// The bounds of what text shows of failures.
const (
	maxTold       = 5  // rules of a section that are shown with their evidence
	evidenceLines = 12 // lines of the evidence for a rule
	maxOccasions  = 6  // exchanges of an unstable check
)

// labelled is a label with the lines beside it.
type labelled struct {
	label string
	lines []string
	spare spare
}

// spare is how well a block can be spared: the last of these is left out first where there is
// no room, the first never.
type spare int

const (
	needed spare = iota
	storyName
	alsoBroken
	otherWays
	alike
	scenarioName
	elsewhere
	trace
	responseHead
	responseBody
)

// rule writes what went wrong with a rule, in few enough lines that a screen shows several
// rules.
func (p *Page) rule(rule *view.Rule) {
	p.title(rule)
	told := rule.Violations[0]
	blocks := p.findings(rule)
	x := told.Result.Decisive()
	switch {
	case rule.Status == result.Unstable:
		for _, x := range told.Result.Exchanges[max(0, len(told.Result.Exchanges)-maxOccasions):] {
			blocks = append(blocks, labelled{"exchange", p.fit(occasion(x), 2), needed})
		}
	case x != nil:
		blocks = append(blocks, labelled{"try", p.try(x), needed}, labelled{"reproduce", plain.Command(told.Reproduce, p.Width-LabelWidth-4), needed},
			labelled{"trace", p.fit(plain.Short(x.TraceID), 1), trace})
		if rule.Status != result.Warn {
			blocks = append(blocks, p.response(told.Check, x)...)
		}
	}
	blocks = append(blocks, labelled{"again", plain.Command(rule.Rerun, p.Width-LabelWidth-4), needed})
	for _, b := range trimmed(blocks, evidenceLines) {
		p.Lines(b.label, b.lines)
	}
}

// try is the request of an exchange as a command.
func (p *Page) try(x *result.Exchange) []string {
	lines, note := plain.ShownCommand(x.Curl, p.Width-LabelWidth-4, plain.MaxOnScreen)
	if note != "" || len(lines) > evidenceLines/2 {
		return []string{"too long to print; the other formats have it"}
	}
	return lines
}

// findings are what was expected and what came, and how often.
func (p *Page) findings(rule *view.Rule) []labelled {
	var blocks []labelled
	told := rule.Violations[0]
	if told.Expected != "" {
		expected, got := view.Differences(told.Expected, told.Actual)
		blocks = append(blocks, labelled{"expected", p.compared(expected, text.FgGreen), needed}, labelled{"got", p.compared(got, text.FgRed), needed})
	} else {
		blocks = append(blocks, labelled{"message", p.fit(told.Message, 3), needed})
	}
	for _, other := range rule.Violations[1:min(len(rule.Violations), view.MaxViolations)] {
		blocks = append(blocks, labelled{"also", p.fit(strings.TrimSpace(other.Endpoint+"  "+other.Said()), 1), alsoBroken})
	}
	if rest := len(rule.Violations) - view.MaxViolations; rest > 0 {
		blocks = append(blocks, labelled{"others", p.fit("it is broken in "+result.Plural(rest, "more way")+": see the JSON report", 1), otherWays})
	}
	scenario := labelled{"scenario", p.fit(told.Scenario, 1), scenarioName}
	if told.Result.Drawn { // its name says nothing
		scenario = labelled{"scenario", p.fit(told.Scenario, 4), storyName}
	}
	return append(blocks, labelled{"alike", p.fit(told.Often, 2), alike}, labelled{"elsewhere", p.fit(rule.Elsewhere, 1), elsewhere}, scenario)
}

// response is what came back, with the headers that rules are about.
func (p *Page) response(c *view.Check, x *result.Exchange) []labelled {
	if x.Response == nil {
		return []labelled{{"response", p.fit("none: "+plain.Short(x.Error), 2), needed}}
	}
	head := []string{plain.StatusLine(x.Response.Status)}
	for _, field := range plain.Telling(x.Response.Headers) {
		head = append(head, plain.Short(field))
	}
	blocks := []labelled{{"response", p.fit(strings.Join(head, "; "), 1), responseHead}}
	if body := plain.Short(x.Response.Body); !strings.Contains(c.Actual, body) {
		blocks = append(blocks, labelled{"", p.fit(body, 2), responseBody})
	}
	return blocks
}

// trimmed leaves out what can be spared until the rest fits into the given number of lines.
func trimmed(blocks []labelled, most int) []labelled {
	blocks = slices.DeleteFunc(blocks, func(b labelled) bool { return len(b.lines) == 0 })
	for {
		lines, worst := 0, 0
		for i, b := range blocks {
			lines += len(b.lines)
			if b.spare > blocks[worst].spare {
				worst = i
			}
		}
		if lines <= most || blocks[worst].spare == needed {
			return blocks
		}
		blocks = slices.Delete(blocks, worst, worst+1)
	}
}

// fit breaks a text into lines beside a label.
func (p *Page) fit(s string, most int) []string { return plain.Clip(s, p.Width-LabelWidth-4, most) }

// The marks around what differs, of characters that no cleaned text has.
const (
	markFrom = '\ue000'
	markTo   = '\ue001'
)

// compared is a text of at most two lines with the differences painted, or marked in a line
// below.
func (p *Page) compared(spans []view.Span, color text.Color) []string {
	var b strings.Builder
	for _, s := range spans {
		if s.Differs {
			s.Text = string(markFrom) + s.Text + string(markTo)
		}
		b.WriteString(s.Text)
	}
	var lines []string
	marked := false
	for _, line := range p.fit(b.String(), 2) {
		var shown, below, run strings.Builder
		flush := func() {
			if marked {
				shown.WriteString(p.Paint(color, run.String()))
			} else {
				shown.WriteString(run.String())
			}
			run.Reset()
		}
		for _, r := range line {
			if r == markFrom || r == markTo {
				flush()
				marked = r == markFrom
				continue
			}
			run.WriteRune(r)
			mark := " "
			if marked && r != ' ' {
				mark = "^"
			}
			below.WriteString(strings.Repeat(mark, text.RuneWidth(r)))
		}
		flush()
		lines = append(lines, shown.String())
		if carets := strings.TrimRight(below.String(), " "); carets != "" && !p.color {
			lines = append(lines, carets)
		}
	}
	return lines
}

// title writes the first line about a rule, or two where it is too long for one, and the
// rule's statement.
func (p *Page) title(rule *view.Rule) {
	symbol, color := styleOf(rule.Status)
	word := fmt.Sprintf("%s %s", symbol, strings.ToUpper(string(rule.Status)))
	id := fmt.Sprintf("%s (%s)", rule.ID, rule.Level)
	place := rule.Violations[0].Endpoint
	line := p.Paint(color, word) + "  " + p.Paint(text.Bold, id)
	if plain.Columns(word)+plain.Columns(id)+plain.Columns(place)+4 <= p.Width {
		p.Line(line + "  " + place)
	} else {
		p.Line(line)
		p.Paragraph(place, 2)
	}
	p.Paragraph(strings.TrimSuffix(rule.Statement+" ("+rule.Source+")", " ()"), 2)
	if len(rule.Contract) > 0 {
		p.Field("contract", "“"+strings.Join(rule.Contract, "” “")+"”", 2)
	}
}

// occasion is an exchange in a line.
func occasion(x result.Exchange) string {
	head := plain.Short(x.Request.Method + " " + x.Request.URL + ": ")
	if x.Response == nil {
		return head + " no response: " + plain.Short(x.Error)
	}
	return strings.TrimSpace(head + " " + plain.StatusLine(x.Response.Status) + " " + plain.Short(x.Response.Body))
}

// Evidence is what went wrong with a rule, as in the text report, with the whole of
// the exchange that decided.
func Evidence(rule *view.Rule) string {
	var b bytes.Buffer
	p := NewPage(&b, Layout{})
	p.title(rule)
	blocks := p.findings(rule)
	if x := rule.Violations[0].Result.Decisive(); x != nil {
		lines, note := plain.ShownCommand(x.Curl, p.Width-LabelWidth-4, plain.MaxCommand)
		blocks = append(blocks, labelled{"try", append(lines, p.fit(note, 1)...), needed},
			labelled{"reproduce", plain.Command(rule.Violations[0].Reproduce, p.Width-LabelWidth-4), needed}, labelled{"exchange", plain.Transcript(x), needed})
	}
	blocks = append(blocks, labelled{"more", p.fit(rule.Explain, 1), needed}, labelled{"again", plain.Command(rule.Rerun, p.Width-LabelWidth-4), needed})
	for _, block := range blocks {
		p.Lines(block.label, block.lines)
	}
	p.out.Flush() // a buffer returns no error
	return "\n" + b.String()
}
