package report

import (
	"io"

	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// writeJSONReport writes the report in the format result.Schema: indented, in
// UTF-8, with a newline at the end.
func writeJSONReport(w io.Writer, v *view.View) error {
	r := *v.Report
	if len(r.Exchanges) == 0 {
		return indented.Write(w, r)
	}
	type head result.Report // has the list below in place of its own
	return indented.WriteList(w, struct {
		head
		Exchanges []result.Exchange `json:"exchanges"`
	}{head: head(r), Exchanges: []result.Exchange{}}, "\n  \"exchanges\": ", r.Exchanges, func(x *result.Exchange) any { return x })
}
