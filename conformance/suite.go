package conformance

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/onsi/ginkgo/v2/types"
	"github.com/socialfeed/conform/conformance/rules"
)

// Suite is the set of scenarios that a run picks from. Several packages can add theirs to it.
type Suite struct {
	catalogue *rules.Catalogue
	scenarios []*scenario
	control   func(*T, rules.Endpoint) // sends a valid request; nil: no controls are sent
	errors    []error
}

// scenario is one scenario with the rules that it covers.
type scenario struct {
	text     string
	coverage Coverage
	body     func(*T)
	position int                    // in the suite
	early    bool                   // played first, since its rechecks take time
	kept     bool                   // a drawn story of an earlier run
	alone    bool                   // played last, never beside other scenarios
	levels   map[string]rules.Level // of its rules
	location types.CodeLocation
}

// Coverage is what a scenario undertakes to judge.
type Coverage []rules.Place

// anywhere stands for every endpoint at which the catalogue lists the rule.
const anywhere rules.Endpoint = -1

// Covers names rules at every endpoint where the catalogue lists them.
func Covers(rules ...string) Coverage { return CoversAt(anywhere, rules...) }

// CoversAt names rules at one endpoint.
func CoversAt(at rules.Endpoint, rs ...string) Coverage {
	covered := make(Coverage, len(rs))
	for i, rule := range rs {
		covered[i] = rules.Place{Rule: rule, At: at}
	}
	return covered
}

// And adds further rules.
func (c Coverage) And(further Coverage) Coverage { return slices.Concat(c, further) }

func (c Coverage) has(rule string, at rules.Endpoint) bool {
	return slices.Contains(c, rules.Place{Rule: rule, At: at})
}

// endpointOf is where a rule is covered: at the one endpoint, or the first of several.
func (c Coverage) endpointOf(rule string) rules.Endpoint {
	for _, place := range c {
		if place.Rule == rule {
			return place.At
		}
	}
	return rules.NoEndpoint
}

// Scenario adds a scenario and the rules that it judges.
func (s *Suite) Scenario(text string, coverage Coverage, body func(*T)) {
	s.add(&scenario{text: text, coverage: coverage, body: body})
}

// ScenarioWithRecheck adds a scenario that judges by EventuallyStays: it is played
// first, so that the wait for its rechecks does not make the run longer.
func (s *Suite) ScenarioWithRecheck(text string, coverage Coverage, body func(*T)) {
	s.add(&scenario{text: text, coverage: coverage, body: body, early: true})
}

// ScenarioAlone adds a scenario that runs last and never beside another one.
func (s *Suite) ScenarioAlone(text string, coverage Coverage, body func(*T)) {
	s.add(&scenario{text: text, coverage: coverage, body: body, alone: true})
}

func (s *Suite) add(sc *scenario) {
	const callerOfScenario = 2
	_, file, line, _ := runtime.Caller(callerOfScenario)
	sc.location = types.CodeLocation{FileName: file, LineNumber: line}
	var resolved Coverage
	sc.levels = map[string]rules.Level{}
	for _, place := range sc.coverage {
		rule, known := s.catalogue.Rule(place.Rule)
		sc.levels[place.Rule] = rule.Level
		switch {
		case !known:
			s.errors = append(s.errors, fmt.Errorf("what scenario %q covers: %w", sc.text, s.catalogue.Unknown(place.Rule)))
		case rule.Passive:
			s.errors = append(s.errors, fmt.Errorf("scenario %q covers %s, which is passive", sc.text, place.Rule))
		case place.At == anywhere:
			for _, at := range rule.Places() {
				resolved = append(resolved, rules.Place{Rule: place.Rule, At: at})
			}
		case !slices.Contains(rule.Places(), place.At):
			s.errors = append(s.errors, fmt.Errorf("scenario %q covers %s at %s, where the catalogue does not list it", sc.text, place.Rule, place.At))
		default:
			resolved = append(resolved, place)
		}
	}
	if slices.ContainsFunc(s.scenarios, func(other *scenario) bool { return other.text == sc.text }) {
		s.errors = append(s.errors, fmt.Errorf("two scenarios are called %q", sc.text))
	}
	sc.coverage, sc.position = resolved, len(s.scenarios)
	s.scenarios = append(s.scenarios, sc)
}

// pick takes the scenarios of a run: those that judge something selected, in
// this shard's share. The share goes by position, so that it is the same for
// every seed; a scenario that must be alone is in every share.
func (s *Suite) pick(sel *rules.Selected, shard Shard) []*scenario {
	var picked []*scenario
	index := 0
	for _, sc := range s.scenarios {
		wanted := slices.ContainsFunc(sc.coverage, func(place rules.Place) bool { return sel.Includes(place.Rule, place.At) })
		if sel.PlaysAll() && !sc.alone {
			wanted = wanted || s.needsNothing(sc)
		}
		if len(sel.Scenarios()) > 0 {
			wanted = slices.Contains(sel.Scenarios(), sc.text)
		}
		if !wanted {
			continue
		}
		if sc.alone || shard.holds(index) {
			picked = append(picked, sc)
		}
		if !sc.alone {
			index++
		}
	}
	return picked
}

// covered are the rules that a scenario covers, by its name.
func (s *Suite) covered(name string) ([]rules.Place, bool) {
	for _, sc := range s.scenarios {
		if sc.text == name {
			return sc.coverage, true
		}
	}
	return nil, false
}

// needsNothing reports whether the scenario can run without any option.
func (s *Suite) needsNothing(sc *scenario) bool {
	return !slices.ContainsFunc(sc.coverage, func(place rules.Place) bool {
		rule, _ := s.catalogue.Rule(place.Rule)
		return rule.Needs != ""
	})
}

// Shard is a part of the scenarios: the Index-th (from 1) of Of. The zero Shard is all of them.
type Shard struct{ Index, Of int }

func (s Shard) holds(position int) bool { return s.Of <= 1 || position%s.Of == s.Index-1 }

func (s Shard) valid() bool { return s == Shard{} || s.Index >= 1 && s.Index <= s.Of }

// Scenarios are the names of the scenarios that the given functions add.
func Scenarios(register ...func(*Suite)) ([]string, error) {
	suite, err := newSuite(rules.Load(), register)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, sc := range suite.scenarios {
		names = append(names, sc.text)
	}
	return names, nil
}
