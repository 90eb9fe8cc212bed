package report

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/socialfeed/conform/conformance"
)

// endpoints is the table by endpoint: of those where anything was judged, in one
// line where they all stayed unjudged in the same way.
func (p *page) endpoints(r *conformance.Report) {
	if len(r.Endpoints) == 0 {
		return
	}
	p.heading("Endpoints")
	if s := r.Endpoints[0].Status; unjudged(s) && allAre(r.Endpoints, s) {
		p.line(fmt.Sprintf("  %s  at all %d of them", p.outcome(s), len(r.Endpoints)))
		return
	}
	longest := 0
	for _, e := range r.Endpoints {
		longest = max(longest, columns(clean(e.Path)))
	}
	const beside = 29 // columns of the page that the others take
	var rows []table.Row
	for _, e := range r.Endpoints {
		if e.Status == conformance.Skipped {
			continue
		}
		rows = append(rows, table.Row{fmt.Sprint(e.Number), clean(e.Method), clean(e.Path), p.outcome(e.Status),
			p.count(conformance.Pass, e.Checks[conformance.Pass]), p.otherChecks(e.Checks, p.width-longest-beside)})
	}
	p.table(narrow, table.Row{"#", "method", "path", "outcome", "pass", " other checks"}, rows,
		table.ColumnConfig{Number: 1, Align: text.AlignRight},
		table.ColumnConfig{Number: 5, Align: text.AlignRight, AlignHeader: text.AlignRight})
	if rest := len(r.Endpoints) - len(rows); rest > 0 {
		p.paragraph(fmt.Sprintf("Nothing was judged at the other %d.", rest), 1)
	}
}

// otherChecks counts those that did not pass, the worst first, in lines of at most
// so many columns, apart from the number of those that did.
func (p *page) otherChecks(n map[conformance.Status]int, width int) string {
	var b strings.Builder
	b.WriteString(" ")
	filled := 0
	for _, s := range conformance.Statuses() {
		if n[s] == 0 || s == conformance.Pass {
			continue
		}
		count := fmt.Sprintf("%d %s", n[s], s)
		switch {
		case filled == 0:
		case filled+len(", ")+len(count) > width:
			b.WriteString(",\n ")
			filled = 0
		default:
			b.WriteString(", ")
			filled += len(", ")
		}
		_, color := look(s)
		b.WriteString(p.paint(color, count))
		filled += len(count)
	}
	return b.String()
}

func unjudged(s conformance.Status) bool {
	return s == conformance.Error || s == conformance.Blocked || s == conformance.Skipped
}

func allAre(endpoints []conformance.EndpointReport, s conformance.Status) bool {
	for _, e := range endpoints {
		if e.Status != s {
			return false
		}
	}
	return true
}
