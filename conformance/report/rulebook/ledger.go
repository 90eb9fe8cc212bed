package rulebook

import (
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/rules"
)

// Ledger writes sentences of the contract, each with the rules that judge it or the reason why none does.
func Ledger(w io.Writer, all []rules.Sentence, l screen.Layout) error {
	const most = 20 // lines
	p := screen.NewPage(w, l)
	part := ""
	for _, s := range all {
		if s.Part != part {
			part = s.Part
			p.Heading("%s", part)
		}
		p.Line("")
		p.Paragraph(s.Text, most)
		if len(s.Rules) > 0 {
			p.Field("rules", strings.Join(s.Rules, ", "), most)
		} else {
			p.Field("no rule", s.Why, most)
		}
	}
	return p.End()
}
