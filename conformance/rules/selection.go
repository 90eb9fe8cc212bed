package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/setting"
	"github.com/socialfeed/conform/internal/nearest"
)

// Selection is the user's choice of rules. Empty fields select everything; filled ones
// narrow together.
type Selection struct {
	Rules     []string `json:"rules,omitempty"`     // globs over rule ids
	Parts     []string `json:"parts,omitempty"`     // parts of the contract
	Endpoints []string `json:"endpoints,omitempty"` // endpoint numbers, 7 or #7
	Levels    []string `json:"levels,omitempty"`    // must, should, choice
	Skip      []string `json:"skip,omitempty"`      // globs over rule ids to leave out
	Scenarios []string `json:"scenarios,omitempty"` // the only ones to play, by their names
	// PlayAll plays every scenario and draws stories, also for few rules: a failure may depend on
	// the scenarios of other rules.
	PlayAll bool `json:"play_all,omitempty"`
	// Claims select the rules for a server that implements a part of the contract.
	Claims Claims `json:"claims,omitzero"`
}

// Narrows reports whether the selection leaves something out.
func (s Selection) Narrows() bool { return s.Filters() || s.Claims.Any() }

// Filters reports whether it leaves out a part of the claims.
func (s Selection) Filters() bool {
	return len(s.Rules)+len(s.Parts)+len(s.Endpoints)+len(s.Levels)+len(s.Skip) > 0
}

// NotSelected is the reason for which a rule is skipped that the selection does not ask for.
const NotSelected = "not selected"

// The beginnings of the other reasons for which a rule is skipped; the setting's name follows, as
// the user wrote it.
const (
	leftOutBy = "left out by "
	needs     = "needs "

	onlyStarted = "only for a target that the run starts, with "
)

// Needs is the reason for skipping a rule if the run lacks a setting.
func Needs(name string) string { return needs + name }

// LeftOut reports whether a reason is that a rule was selected, and then left out by a pattern.
func LeftOut(reason string) bool { return strings.HasPrefix(reason, leftOutBy) }

// Lacking reports whether a reason is a missing setting.
func Lacking(reason string) bool { return strings.HasPrefix(reason, needs) }

// NeededBy is the name of the missing setting in such a reason.
func NeededBy(reason string) string { return strings.TrimPrefix(reason, needs) }

// Selected is a selection resolved against a catalogue.
type Selected struct {
	reasons   map[string]string // rule id → why it is skipped; absent: selected
	endpoints []Endpoint        // empty: all
	scenarios []string          // the only ones to play; empty: all that judge something selected
	playAll   bool              // also those that judge nothing selected
	claimed   Claimed
	places    map[Place]bool // what those scenarios cover
	catalogue *Catalogue
}

// Given are the settings of a run that rules may need. Only a target that the run starts can be restarted.
type Given struct{ SecondApp, RateLimits, Startable, Restarts bool }

// whyNot is the reason for skipping a rule if a setting is missing, "" for none.
func (g Given) whyNot(r Rule, names setting.Names) string {
	switch lacking := g.lacks(r); {
	case lacking == "":
		return ""
	case lacking == setting.Restarts && !g.Startable:
		return onlyStarted + names.Of(lacking)
	default:
		return Needs(names.Of(lacking))
	}
}

// lacks is the setting that a rule needs and the run was not given, "" for none.
func (g Given) lacks(r Rule) setting.Name {
	switch {
	case r.Needs == needsSecondApp && !g.SecondApp:
		return setting.SecondApp
	case r.Needs == needsRateLimits && !g.RateLimits:
		return setting.RateLimits
	case r.Needs == needsRestarts && !g.Restarts:
		return setting.Restarts
	}
	return ""
}

// Resolve checks every pattern and settles which rules are judged. A pattern
// that matches nothing is an error that names it. Errors and reasons call settings by the names.
func (s Selection) Resolve(c *Catalogue, given Given, names setting.Names) (*Selected, error) {
	sel := &Selected{reasons: map[string]string{}, catalogue: c, playAll: s.PlayAll}
	if err := s.check(c, names); err != nil {
		return nil, err
	}
	var err error
	if sel.claimed, err = s.Claims.Resolve(c, names); err != nil {
		return nil, err
	}
	for _, text := range s.Endpoints {
		e, ok := ParseEndpoint(text)
		if !ok {
			return nil, fmt.Errorf("%s %s: there are endpoints 1 to %d", names.Of(setting.Endpoints), text, int(Versions))
		}
		sel.endpoints = append(sel.endpoints, e)
	}
	for _, rule := range c.rules {
		switch {
		case !s.wants(rule, sel.endpoints):
			sel.reasons[rule.ID] = NotSelected
		case sel.claimed.leavesOut(rule):
			sel.reasons[rule.ID] = NotClaimed
		case matchesAny(s.Skip, rule.ID):
			sel.reasons[rule.ID] = leftOutBy + names.Of(setting.Skip)
		default:
			if why := given.whyNot(rule, names); why != "" {
				sel.reasons[rule.ID] = why
			}
		}
	}
	if len(sel.reasons) == len(c.rules) {
		return nil, fmt.Errorf("the selection leaves no rule to judge: %s", sel.commonReason())
	}
	return sel, nil
}

func (s Selection) check(c *Catalogue, names setting.Names) error {
	var ids []string
	for _, rule := range c.rules {
		ids = append(ids, rule.ID)
	}
	parts := c.Parts()
	levels := []string{string(Must), string(Should), string(Choice)}
	for _, level := range s.Levels {
		if !slices.Contains(levels, level) {
			return fmt.Errorf("%s %s matches nothing%s", names.Of(setting.Levels), level, nearest.Hint(level, levels))
		}
	}
	for _, filter := range []struct {
		name     setting.Name
		patterns []string
		known    []string
		more     string // where what is known is listed
	}{
		{setting.Rules, s.Rules, ids, "conform rules lists them"},
		{setting.Skip, s.Skip, ids, "conform rules lists them"},
		{setting.Parts, s.Parts, parts, "the parts are " + strings.Join(parts, ", ")},
	} {
		for _, pattern := range filter.patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%s %s: not a valid pattern: %w", names.Of(filter.name), pattern, err)
			}
			if !slices.ContainsFunc(filter.known, func(k string) bool { return matches(pattern, k) }) {
				return fmt.Errorf("%s %s matches nothing%s", names.Of(filter.name), pattern, suggest(pattern, filter.known, filter.more))
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
	return len(endpoints) == 0 || rule.Passive || slices.ContainsFunc(endpoints, rule.Touches)
}

// Includes reports whether the rule is to be judged at the endpoint.
func (s *Selected) Includes(id string, at Endpoint) bool {
	if _, skipped := s.reasons[id]; skipped {
		return false
	}
	rule, _ := s.catalogue.Rule(id)
	if !s.claimed.includes(rule, at) {
		return false
	}
	if len(s.scenarios) > 0 && !rule.Passive {
		return s.places[Place{id, at}]
	}
	if len(s.endpoints) == 0 || slices.Contains(s.endpoints, at) {
		return true
	}
	// A story that only passes through a wanted endpoint is still its business.
	return !rule.Passive && slices.ContainsFunc(s.endpoints, func(e Endpoint) bool { return slices.Contains(rule.With, e) })
}

// Narrow restricts the selection to the named scenarios and their rules. The function
// returns the rules of a scenario, and false for an unknown name.
func (s *Selected) Narrow(names []string, coverage func(name string) ([]Place, bool)) error {
	s.scenarios, s.places = names, map[Place]bool{}
	for _, name := range names {
		covered, known := coverage(name)
		if !known {
			return fmt.Errorf("there is no scenario %q", name)
		}
		for _, place := range covered {
			s.places[place] = true
		}
	}
	return nil
}

// AddPlaces adds the rules of further scenarios to those of the named ones.
func (s *Selected) AddPlaces(covered []Place) {
	for _, place := range covered {
		s.places[place] = true
	}
}

// Scenarios are the names of the only scenarios to play; none: all are played.
func (s *Selected) Scenarios() []string { return s.scenarios }

// Reason is why a rule is skipped, "" if it is selected.
func (s *Selected) Reason(id string) string { return s.reasons[id] }

// Narrowed reports whether only some scenarios or endpoints are selected: what they do not show may
// still work.
func (s *Selected) Narrowed() bool {
	return len(s.endpoints)+len(s.scenarios) > 0 || s.claimed.Any()
}

// Claimed are the claims that the server is judged by.
func (s *Selected) Claimed() Claimed { return s.claimed }

// PlaysAll reports whether every scenario is to be played: it was asked for, or only passive rules
// are selected, which need something to see.
func (s *Selected) PlaysAll() bool {
	return s.playAll || s.onlyPassive() && !s.Narrowed()
}

// Skipping is a selection that leaves out the rules with a reason, and keeps to the
// selected endpoints, if any, and to the claims.
func Skipping(c *Catalogue, reasons map[string]string, endpoints []Endpoint, claimed Claimed) *Selected {
	return &Selected{catalogue: c, reasons: reasons, endpoints: endpoints, claimed: claimed}
}

func (s *Selected) onlyPassive() bool {
	return !slices.ContainsFunc(s.catalogue.rules, func(rule Rule) bool {
		_, skipped := s.reasons[rule.ID]
		return !skipped && !rule.Passive
	})
}

func (s *Selected) commonReason() string {
	for _, reason := range s.reasons {
		if reason != NotSelected {
			return reason
		}
	}
	return "no rule satisfies all the filters together"
}

// suggest proposes a pattern for one that matches nothing: for the beginning of several
// names, the same with a star.
func suggest(pattern string, known []string, more string) string {
	near := nearest.Hint(pattern, known)
	begins := func(beginning string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, beginning) })
	}
	switch {
	case begins(pattern + "."):
		near = fmt.Sprintf("; did you mean '%s.*'?", pattern)
	case strings.Contains(pattern, ".") && begins(pattern):
		near = fmt.Sprintf("; did you mean '%s*'?", pattern)
	}
	return cmp.Or(near, ";") + " " + more
}

func matches(pattern, text string) bool {
	ok, err := path.Match(pattern, text)
	return err == nil && ok
}

func matchesAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, text) })
}
