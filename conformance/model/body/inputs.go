package body

import (
	"cmp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/rules"
)

// Inputs returns the values that stories send in bodies, by endpoint, field and rule: those that
// have to come back, and the cases of the grid.
func Inputs() []rules.Input {
	all := soundInputs()
	for _, c := range grid.Cases() {
		all = append(all, c.Input)
	}
	slices.SortFunc(all, func(a, b rules.Input) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Class, b.Class))
	})
	return all
}

// soundInputs returns the values without a defect, as payloads draw them.
func soundInputs() []rules.Input {
	const draws = 2000 // in which each value of each pool comes up
	var all []rules.Input
	seen := map[rules.Input]bool{}
	at := func(endpoints ...rules.Endpoint) *Generator {
		return &Generator{Used: func(field, classes string) {
			for class := range strings.SplitSeq(classes, "; ") { // of a mixture
				for _, e := range endpoints {
					if input := (rules.Input{Endpoint: e, Field: field, Class: class}); !seen[input] {
						seen[input] = true
						all = append(all, input)
					}
				}
			}
		}}
	}
	profile, names := at(rules.CreateUser, rules.UpdateMe), at(rules.CreateUser, rules.UpdateMe, rules.Login)
	password, event := at(rules.UpdateMe, rules.Login), at(rules.CreateEvent, rules.UpdateEvent)
	for v := range draws {
		profile.User(v, "token")
		names.Names(v, "token")
		password.Password(v, "token")
		event.Event(v)
	}
	return all
}
