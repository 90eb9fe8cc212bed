package traffic

import (
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// overwritten are the answers to updates where others may act who are not seen, by the field. An answer without what
// was sent may show what another client wrote in the same moment: that is chance. A target does it to more than one
// user or event, and more often than not.
type overwritten map[shownField]*answered

// answered is how updates of a field were answered.
type answered struct {
	kept, lost       int
	of               map[resource]bool // what lost it, bounded
	blame.Difference                   // the first
}

func (o overwritten) at(at rules.Endpoint, name string) *answered {
	key := shownField{at: at, field: name}
	if o[key] == nil {
		o[key] = &answered{of: map[resource]bool{}}
	}
	return o[key]
}

// add adds an answer that does not show what was sent.
func (o overwritten) add(at rules.Endpoint, name string, of resource, d blame.Difference) {
	a := o.at(at, name)
	if a.lost++; a.lost == 1 {
		a.Difference = d
	}
	if len(a.of) < fewestOverwritten {
		a.of[of] = true
	}
}

// fewestOverwritten is how many users or events lose what was sent before the target is blamed.
const fewestOverwritten = 2

// differences returns what is no chance.
func (o overwritten) differences() (all []blame.Difference) {
	inOrder := func(a, b shownField) int { return strings.Compare(a.at.String()+a.field, b.at.String()+b.field) }
	for _, key := range slices.SortedFunc(maps.Keys(o), inOrder) {
		if a := o[key]; len(a.of) >= fewestOverwritten && a.lost > a.kept {
			all = append(all, a.Difference)
		}
	}
	return all
}

// answersAsSent counts an answer to an update that shows what was sent in a field.
func (f *scenarioTraffic) answersAsSent(x Observation, name string) {
	if sent, _ := x.Sent.(map[string]any); f.knowsAnswerAlone(x) && sent[name] != nil {
		f.checker.overwritten.at(x.Endpoint, name).kept++
	}
}

// readOtherwise reports whether a server may read a request otherwise than it is written: some take the names of
// fields in any case.
func (s *Checker) readOtherwise(x Observation) bool {
	sent, _ := x.Sent.(value.Fields)
	types := s.types[x.Endpoint]
	for name := range sent {
		if _, documented := types[name]; documented {
			continue
		}
		if _, folded := types[strings.ToLower(name)]; folded {
			return true
		}
	}
	return false
}
