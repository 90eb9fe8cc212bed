package report

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/socialfeed/conform/conformance"
)

// endpoints is the table by endpoint: of those where anything was judged, in one
// line where they all stayed unjudged in the same way. It fits 80 columns.
func (p *page) endpoints(r *conformance.Report) {
	if len(r.Endpoints) == 0 {
		return
	}
	p.heading("Endpoints")
	if s := r.Endpoints[0].Status; unjudged(s) && allAre(r.Endpoints, s) {
		p.line(fmt.Sprintf("  %s  at all %d of them", p.outcome(s), len(r.Endpoints)))
		return
	}
	statuses := []conformance.Status{conformance.Pass, conformance.Warn, conformance.Fail, conformance.Blocked, conformance.Error}
	header := table.Row{"#", "method", "path", "outcome"}
	columns := []table.ColumnConfig{{Number: 1, Align: text.AlignRight}}
	for _, s := range statuses {
		header = append(header, string(s))
		columns = append(columns, table.ColumnConfig{Number: len(header), Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	var rows []table.Row
	for _, e := range r.Endpoints {
		if e.Status == conformance.Skipped {
			continue
		}
		row := table.Row{fmt.Sprint(e.Number), clean(e.Method), clean(e.Path), p.outcome(e.Status)}
		for _, s := range statuses {
			row = append(row, p.count(s, e.Checks[s]))
		}
		rows = append(rows, row)
	}
	p.table(narrow, header, rows, columns...)
	if rest := len(r.Endpoints) - len(rows); rest > 0 {
		p.paragraph(fmt.Sprintf("Nothing was judged at the other %d.", rest), 1)
	}
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
