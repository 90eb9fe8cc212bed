package screen

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
)

// waivers writes the state of each waiver, those that do not hold first.
func (p *Page) waivers(v *view.View) {
	if len(v.Waivers) == 0 {
		return
	}
	p.Heading("Waivers: %s", v.WaiverSums)
	for _, w := range v.Waivers {
		symbol, color := styleOf(w.Status)
		p.Line("")
		p.Line(p.Paint(color, symbol+" "+strings.ToUpper(w.State)) + "  " + p.Paint(text.Bold, strings.TrimSpace(w.Rule+"  "+w.Endpoint)))
		p.Paragraph(w.Message, 3)
		p.Field("reason", w.Reason, 3)
		p.Field("link", w.Link, 1)
	}
}

// drift writes which choices differ from the previous report.
func (p *Page) drift(v *view.View) {
	if len(v.Drift) == 0 {
		return
	}
	p.Heading("Choices that changed since the report before: %d", len(v.Drift))
	for _, d := range v.Drift {
		p.item(p.Paint(text.FgYellow, "~"), strings.TrimSpace(d.Rule+"  "+d.Endpoint)+": "+d.Old+" → "+d.New, 3)
	}
}

// choices writes the table of the target's choices.
func (p *Page) choices(v *view.View) {
	if len(v.Choices) == 0 {
		return
	}
	p.Heading("Choices: what the target does where the contract is silent")
	longest := 0
	for _, c := range v.Choices {
		longest = max(longest, plain.Columns(c.Rule))
	}
	var rows []table.Row
	for _, c := range v.Choices {
		told := c.Answer
		if c.Several && c.Where != "" {
			told += " (" + c.Where + ")"
		}
		rows = append(rows, table.Row{c.Rule, strings.Join(plain.Clip(told, max(p.Width-longest-4, 20), 3), "\n")})
	}
	p.table(rows)
}
