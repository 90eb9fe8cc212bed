package report

import (
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Ledger writes sentences of the contract, each with the rules that judge it or the reason why none does.
func Ledger(w io.Writer, all []rules.Sentence, l Layout) error {
	const most = 20 // lines
	p := newPage(w, l)
	part := ""
	for _, s := range all {
		if s.Part != part {
			part = s.Part
			p.heading("%s", part)
		}
		p.line("")
		p.paragraph(s.Text, most)
		if len(s.Rules) > 0 {
			p.field("rules", strings.Join(s.Rules, ", "), most)
		} else {
			p.field("no rule", s.Why, most)
		}
	}
	return p.end()
}
