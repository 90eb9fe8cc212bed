package conformance

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/onsi/ginkgo/v2/types"
)

// Suite is the set of scenarios that a run draws from. A package of scenarios
// adds its own to it; several may stand side by side.
type Suite struct {
	catalogue *Catalogue
	scenarios []*scenario
	faults    []error
}

// scenario is one story with the rules it judges.
type scenario struct {
	text     string
	claims   Claims
	story    func(*Trial)
	alone    bool // run last, never beside other scenarios
	location types.CodeLocation
}

// claim is a rule at an endpoint that a scenario undertakes to judge.
type claim struct {
	rule string
	at   Endpoint
}

// Claims are what a scenario undertakes to judge.
type Claims []claim

// anywhere stands for every endpoint at which the catalogue books the rule.
const anywhere Endpoint = -1

// Judges claims rules at every endpoint where the catalogue books them.
func Judges(rules ...string) Claims { return JudgesAt(anywhere, rules...) }

// JudgesAt claims rules at one endpoint.
func JudgesAt(at Endpoint, rules ...string) Claims {
	claims := make(Claims, len(rules))
	for i, rule := range rules {
		claims[i] = claim{rule, at}
	}
	return claims
}

// And adds further claims.
func (c Claims) And(further Claims) Claims { return slices.Concat(c, further) }

func (c Claims) has(rule string, at Endpoint) bool { return slices.Contains(c, claim{rule, at}) }

// endpointOf is where a rule is claimed: at the one endpoint, or the first of several.
func (c Claims) endpointOf(rule string) Endpoint {
	for _, cl := range c {
		if cl.rule == rule {
			return cl.at
		}
	}
	return NoEndpoint
}

// Scenario adds a story and the rules it judges.
func (s *Suite) Scenario(text string, claims Claims, story func(*Trial)) {
	s.add(&scenario{text: text, claims: claims, story: story})
}

// ScenarioAlone adds a story that runs last and never beside another one.
func (s *Suite) ScenarioAlone(text string, claims Claims, story func(*Trial)) {
	s.add(&scenario{text: text, claims: claims, story: story, alone: true})
}

func (s *Suite) add(sc *scenario) {
	const callerOfScenario = 2
	_, file, line, _ := runtime.Caller(callerOfScenario)
	sc.location = types.CodeLocation{FileName: file, LineNumber: line}
	var resolved Claims
	for _, cl := range sc.claims {
		rule, known := s.catalogue.Rule(cl.rule)
		switch {
		case !known:
			s.faults = append(s.faults, fmt.Errorf("scenario %q claims %s, which the catalogue does not have", sc.text, cl.rule))
		case rule.Passive:
			s.faults = append(s.faults, fmt.Errorf("scenario %q claims %s, which is passive", sc.text, cl.rule))
		case cl.at == anywhere:
			for _, at := range rule.at() {
				resolved = append(resolved, claim{cl.rule, at})
			}
		case !slices.Contains(rule.at(), cl.at):
			s.faults = append(s.faults, fmt.Errorf("scenario %q claims %s at %s, where the catalogue does not book it", sc.text, cl.rule, cl.at))
		default:
			resolved = append(resolved, cl)
		}
	}
	if slices.ContainsFunc(s.scenarios, func(other *scenario) bool { return other.text == sc.text }) {
		s.faults = append(s.faults, fmt.Errorf("two scenarios are called %q", sc.text))
	}
	sc.claims = resolved
	s.scenarios = append(s.scenarios, sc)
}

// draw picks the scenarios of a run: those that judge something selected, in
// this shard's share. The share goes by position, so that it is the same for
// every seed.
func (s *Suite) draw(sel *selected, shard Shard, alone bool) []*scenario {
	all := sel.onlyPassive()
	var drawn []*scenario
	index := 0
	for _, sc := range s.scenarios {
		wanted := slices.ContainsFunc(sc.claims, func(cl claim) bool { return sel.includes(cl.rule, cl.at) })
		if all && len(sel.endpoints) == 0 && !sc.alone {
			wanted = wanted || s.needsNothing(sc)
		}
		if len(sel.scenarios) > 0 {
			wanted = slices.Contains(sel.scenarios, sc.text)
		}
		if !wanted || sc.alone != alone {
			continue
		}
		if shard.holds(index) {
			drawn = append(drawn, sc)
		}
		index++
	}
	return drawn
}

// needsNothing tells whether the scenario can run without any option.
func (s *Suite) needsNothing(sc *scenario) bool {
	return !slices.ContainsFunc(sc.claims, func(cl claim) bool {
		rule, _ := s.catalogue.Rule(cl.rule)
		return rule.Needs != ""
	})
}

// Shard is a part of the scenarios: the Index-th (from 1) of Of. The zero Shard is all of them.
type Shard struct{ Index, Of int }

func (s Shard) holds(position int) bool { return s.Of <= 1 || position%s.Of == s.Index-1 }

func (s Shard) valid() bool { return s == Shard{} || s.Index >= 1 && s.Index <= s.Of }

// within is the i-th (from 1) of n parts of the shard.
func (s Shard) within(i, n int) Shard {
	if s.Of == 0 {
		s = Shard{1, 1}
	}
	return Shard{Index: (i-1)*s.Of + s.Index, Of: s.Of * n}
}
