package report

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
)

// The bounds of what a page shows, in bytes of the page.
const (
	maxHTMLEvidence = 3 << 19 // all exchanges and scripts together
	maxHTMLHead     = 4 << 10 // the headers of a request or a response
	maxHTMLBody     = 16 << 10
	maxHTMLValue    = 1500 // what was expected, or what came
	htmlMarkup      = 1700 // the most that the page adds to the text of one exchange
)

// htmlColumns is how wide a command is laid out.
const htmlColumns = 110

// maxHTMLViolations is how many different violations of a rule the page shows.
const maxHTMLViolations = 5

// htmlChecked is what the page shows of one check.
type htmlChecked struct {
	First     bool // the first violation of its rule
	Exchanges []htmlExchange
	Script    string // the reproduction, "" where there is none or no room for it
	Missing   int    // how many exchanges there was no room for
}

// htmlEvidence divides the room of a page among the checks that show violations.
type htmlEvidence struct {
	room int
	of   map[*checkView]*htmlChecked
}

// newHTMLEvidence gives room to the deciding exchanges first, then to those before them,
// then to the scripts.
func newHTMLEvidence(r *result.Report, v *view) *htmlEvidence {
	e := &htmlEvidence{maxHTMLEvidence, map[*checkView]*htmlChecked{}}
	var told []*checkView
	ruleOf := map[*checkView]result.Rule{}
	for i, rule := range v.Rules {
		for at, violation := range rule.Violations[:min(len(rule.Violations), maxHTMLViolations)] {
			if len(violation.check.Exchanges) > 0 && rule.Status != result.Blocked {
				told = append(told, violation.checkView)
				e.of[violation.checkView] = &htmlChecked{First: at == 0}
				ruleOf[violation.checkView] = r.Rules[i]
			}
		}
	}
	for _, decisive := range []bool{true, false} {
		for _, c := range told {
			e.exchanges(c, decisive)
		}
	}
	for _, c := range told {
		var b bytes.Buffer
		if c.check.Reproduction != nil && Reproduce(&b, Shell, r, ruleOf[c], *c.check) == nil && b.Len()*2 < e.room {
			e.of[c].Script = htmlBody(b.String())
			e.room -= b.Len() * 2
		}
	}
	return e
}

// story is what led to a check, folded unless the check is its rule's first; nil where there
// is none or no room for it.
func (e *htmlEvidence) story(c *checkView) *story {
	s := storyOf(c)
	if s == nil || e.of[c] == nil {
		return nil
	}
	size := 0
	for _, step := range s.Steps {
		size += 2*(len(step.Request)+len(step.Body)) + htmlMarkup/2
	}
	if size > e.room {
		return nil
	}
	e.room -= size
	s.Long = s.Long || !e.of[c].First
	return s
}

// exchanges are either the deciding exchange of a check or the others.
func (e *htmlEvidence) exchanges(c *checkView, decisive bool) {
	shown := e.of[c]
	for i := range c.check.Exchanges {
		if (i == c.check.DecisiveIndex()) != decisive {
			continue
		}
		if e.room > htmlMarkup { // otherwise there is no room even for an empty one
			about := &checkView{}
			if decisive {
				about = c
			}
			x := newHTMLExchange(&c.check.Exchanges[i], about)
			x.at = i
			if of := len(c.check.Exchanges); of > 1 {
				x.Label = fmt.Sprintf("%d of %d: %s", i+1, of, x.Label)
			}
			x.Decisive = decisive && c.Status != result.Unstable // whose exchanges are of several repeats
			x.Open = x.Decisive && shown.First
			if size := x.size(); size <= e.room {
				e.room -= size
				next, _ := slices.BinarySearchFunc(shown.Exchanges, i, func(x htmlExchange, i int) int { return x.at - i })
				shown.Exchanges = slices.Insert(shown.Exchanges, next, x)
				continue
			}
		}
		shown.Missing++
	}
}
