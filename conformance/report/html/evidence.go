package html

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// The bounds of what a page shows, in bytes of the page.
const (
	maxEvidence = 3 << 19 // all exchanges and scripts together
	maxHead     = 4 << 10 // the headers of a request or a response
	maxBody     = 16 << 10
	maxValue    = 1500 // what was expected, or what came
	markup      = 1700 // the most that the page adds to the text of one exchange
)

// commandColumns is how wide a command is laid out.
const commandColumns = 110

// maxViolations is how many different violations of a rule the page shows.
const maxViolations = 5

// checked is what the page shows of one check.
type checked struct {
	First     bool // the first violation of its rule
	Exchanges []exchange
	Script    string // the reproduction, "" where there is none or no room for it
	Missing   int    // how many exchanges there was no room for
}

// evidence divides the room of a page among the checks that show violations.
type evidence struct {
	room int
	of   map[*view.Check]*checked
}

// newEvidence gives room to the deciding exchanges first, then to those before them,
// then to the scripts.
func newEvidence(r *result.Report, v *view.View) *evidence {
	e := &evidence{maxEvidence, map[*view.Check]*checked{}}
	var told []*view.Check
	ruleOf := map[*view.Check]result.Rule{}
	for i, rule := range v.Rules {
		for at, violation := range rule.Violations[:min(len(rule.Violations), maxViolations)] {
			if len(violation.Result.Exchanges) > 0 && rule.Status != result.Blocked {
				told = append(told, violation.Check)
				e.of[violation.Check] = &checked{First: at == 0}
				ruleOf[violation.Check] = r.Rules[i]
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
		if c.Result.Reproduction != nil && script.Write(&b, script.Shell, r, ruleOf[c], *c.Result) == nil && b.Len()*2 < e.room {
			e.of[c].Script = bodyText(b.String())
			e.room -= b.Len() * 2
		}
	}
	return e
}

// story is what led to a check, folded unless the check is its rule's first; nil where there
// is none or no room for it.
func (e *evidence) story(c *view.Check) *view.Story {
	s := view.StoryOf(c)
	if s == nil || e.of[c] == nil {
		return nil
	}
	size := 0
	for _, step := range s.Steps {
		size += 2*(len(step.Request)+len(step.Body)) + markup/2
	}
	if size > e.room {
		return nil
	}
	e.room -= size
	s.Long = s.Long || !e.of[c].First
	return s
}

// exchanges are either the deciding exchange of a check or the others.
func (e *evidence) exchanges(c *view.Check, decisive bool) {
	shown := e.of[c]
	for i := range c.Result.Exchanges {
		if (i == c.Result.DecisiveIndex()) != decisive {
			continue
		}
		if e.room > markup { // otherwise there is no room even for an empty one
			about := &view.Check{}
			if decisive {
				about = c
			}
			x := newExchange(&c.Result.Exchanges[i], about)
			x.at = i
			if of := len(c.Result.Exchanges); of > 1 {
				x.Label = fmt.Sprintf("%d of %d: %s", i+1, of, x.Label)
			}
			x.Decisive = decisive && c.Status != result.Unstable // whose exchanges are of several repeats
			x.Open = x.Decisive && shown.First
			if size := x.size(); size <= e.room {
				e.room -= size
				next, _ := slices.BinarySearchFunc(shown.Exchanges, i, func(x exchange, i int) int { return x.at - i })
				shown.Exchanges = slices.Insert(shown.Exchanges, next, x)
				continue
			}
		}
		shown.Missing++
	}
}
