package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Selection is what a person asks to be judged. Empty fields select everything;
// filled ones narrow together.
type Selection struct {
	Rules     []string `json:"rules,omitempty"`     // globs over rule ids
	Parts     []string `json:"parts,omitempty"`     // parts of the contract
	Endpoints []string `json:"endpoints,omitempty"` // endpoint numbers, 7 or #7
	Levels    []string `json:"levels,omitempty"`    // must, should, choice
	Skip      []string `json:"skip,omitempty"`      // globs over rule ids to leave out
	Scenarios []string `json:"scenarios,omitempty"` // the only ones to play, by their names
}

// Why a rule is skipped by a person's wish.
const (
	notSelected = "not selected"
	leftOut     = "left out by --skip"
)

// selected is a selection resolved against a catalogue.
type selected struct {
	reasons   map[string]string // rule id → why it is skipped; absent: selected
	endpoints []Endpoint        // empty: all
	scenarios []string          // the only ones to play; empty: all that judge something selected
	claims    map[claim]bool    // what those scenarios claim
	catalogue *Catalogue
}

// resolve checks every pattern and settles which rules are judged. A pattern
// that matches nothing is an error that names it.
func (s Selection) resolve(c *Catalogue, secondApp, rateLimits bool) (*selected, error) {
	sel := &selected{reasons: map[string]string{}, catalogue: c}
	if err := s.check(c); err != nil {
		return nil, err
	}
	for _, text := range s.Endpoints {
		e, ok := parseEndpoint(text)
		if !ok {
			return nil, fmt.Errorf("--endpoint %s: there are endpoints 1 to %d", text, int(Versions))
		}
		sel.endpoints = append(sel.endpoints, e)
	}
	for _, rule := range c.rules {
		switch {
		case !s.wants(rule, sel.endpoints):
			sel.reasons[rule.ID] = notSelected
		case matchesAny(s.Skip, rule.ID):
			sel.reasons[rule.ID] = leftOut
		case rule.Needs == needsSecondApp && !secondApp:
			sel.reasons[rule.ID] = "needs --second-app-token"
		case rule.Needs == needsRateLimits && !rateLimits:
			sel.reasons[rule.ID] = "needs --rate-limits"
		}
	}
	if len(sel.reasons) == len(c.rules) {
		return nil, fmt.Errorf("the selection leaves no rule to judge: %s", sel.commonReason())
	}
	return sel, nil
}

func (s Selection) check(c *Catalogue) error {
	var ids, parts []string
	for _, rule := range c.rules {
		ids = append(ids, rule.ID)
		if !slices.Contains(parts, rule.Part()) {
			parts = append(parts, rule.Part())
		}
	}
	levels := []string{string(Must), string(Should), string(Choice)}
	for _, level := range s.Levels {
		if !slices.Contains(levels, level) {
			return fmt.Errorf("--level %s matches nothing%s", level, didYouMean(level, levels))
		}
	}
	for _, flag := range []struct {
		name     string
		patterns []string
		known    []string
	}{
		{"--rule", s.Rules, ids},
		{"--skip", s.Skip, ids},
		{"--part", s.Parts, parts},
	} {
		for _, pattern := range flag.patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%s %s: not a valid pattern: %w", flag.name, pattern, err)
			}
			if !slices.ContainsFunc(flag.known, func(k string) bool { return matches(pattern, k) }) {
				return fmt.Errorf("%s %s matches nothing%s", flag.name, pattern, instead(pattern, flag.known))
			}
		}
	}
	return nil
}

func (s Selection) wants(rule Rule, endpoints []Endpoint) bool {
	if len(s.Rules) > 0 && !matchesAny(s.Rules, rule.ID) {
		return false
	}
	if len(s.Parts) > 0 && !matchesAny(s.Parts, rule.Part()) {
		return false
	}
	if len(s.Levels) > 0 && !slices.Contains(s.Levels, string(rule.Level)) {
		return false
	}
	return len(endpoints) == 0 || rule.Passive || slices.ContainsFunc(endpoints, rule.touches)
}

// includes tells whether the rule is to be judged at the endpoint.
func (s *selected) includes(id string, at Endpoint) bool {
	if _, skipped := s.reasons[id]; skipped {
		return false
	}
	rule, _ := s.catalogue.Rule(id)
	if len(s.scenarios) > 0 && !rule.Passive {
		return s.claims[claim{id, at}]
	}
	if len(s.endpoints) == 0 || slices.Contains(s.endpoints, at) {
		return true
	}
	// A story that only passes through a wanted endpoint is still its business.
	return !rule.Passive && slices.ContainsFunc(s.endpoints, func(e Endpoint) bool { return slices.Contains(rule.With, e) })
}

// narrow keeps to scenarios that are named, and to what they claim.
func (s *selected) narrow(names []string, suite *Suite) error {
	s.scenarios, s.claims = names, map[claim]bool{}
	for _, name := range names {
		i := slices.IndexFunc(suite.scenarios, func(sc *scenario) bool { return sc.text == name })
		if i < 0 {
			return fmt.Errorf("there is no scenario %q", name)
		}
		for _, cl := range suite.scenarios[i].claims {
			s.claims[cl] = true
		}
	}
	return nil
}

// onlyPassive tells that no scenario of its own judges what was selected: then
// every scenario runs, to give the passive rules something to see.
func (s *selected) onlyPassive() bool {
	for _, rule := range s.catalogue.rules {
		if _, skipped := s.reasons[rule.ID]; !skipped && !rule.Passive {
			return false
		}
	}
	return true
}

func (s *selected) commonReason() string {
	for _, reason := range s.reasons {
		if reason != notSelected {
			return reason
		}
	}
	return "no rule satisfies all the filters together"
}

// instead is what a pattern that matches nothing may have been meant to be: where
// it begins the names of several, it lacks what stands for the rest.
func instead(pattern string, known []string) string {
	if slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, pattern+".") }) {
		return fmt.Sprintf("; did you mean '%s.*'?", pattern)
	}
	return didYouMean(pattern, known)
}

func matches(pattern, text string) bool {
	ok, err := path.Match(pattern, text)
	return err == nil && ok
}

func matchesAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, text) })
}
