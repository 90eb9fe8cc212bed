package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// waivers writes the state of each waiver, those that do not hold first.
func (p *page) waivers(v *view) {
	if len(v.Waivers) == 0 {
		return
	}
	p.heading("Waivers: %s", v.WaiverSums)
	for _, w := range v.Waivers {
		symbol, color := styleOf(w.Status)
		p.line("")
		p.line(p.paint(color, symbol+" "+strings.ToUpper(w.State)) + "  " + p.paint(text.Bold, strings.TrimSpace(w.Rule+"  "+w.Endpoint)))
		p.paragraph(w.Message, 3)
		p.field("reason", w.Reason, 3)
		p.field("link", w.Link, 1)
	}
}

// drift writes which choices differ from the previous report.
func (p *page) drift(v *view) {
	if len(v.Drift) == 0 {
		return
	}
	p.heading("Choices that changed since the report before: %d", len(v.Drift))
	for _, d := range v.Drift {
		p.item(p.paint(text.FgYellow, "~"), strings.TrimSpace(d.Rule+"  "+d.Endpoint)+": "+d.Old+" → "+d.New, 3)
	}
}

// choices writes the table of the target's choices.
func (p *page) choices(v *view) {
	if len(v.Choices) == 0 {
		return
	}
	p.heading("Choices: what the target does where the contract is silent")
	longest := 0
	for _, c := range v.Choices {
		longest = max(longest, columns(c.Rule))
	}
	var rows []table.Row
	for _, c := range v.Choices {
		told := c.Answer
		if c.Several && c.Where != "" {
			told += " (" + c.Where + ")"
		}
		rows = append(rows, table.Row{c.Rule, strings.Join(clip(told, max(p.width-longest-4, 20), 3), "\n")})
	}
	p.table(rows)
}
