package conformance

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// playNeeded plays, where scenarios were selected by their names, those that judge what blocks the
// selected ones: a rule that nobody has judged is not to blame. It returns what it played.
func (r *run) playNeeded(ctx context.Context, picked []*scenario) (more []*scenario) {
	if len(r.selected.Scenarios()) == 0 {
		return nil
	}
	const longest = 4 // chain of rules that need one another
	for range longest {
		needed := r.judging(r.unjudgedBlockers(), slices.Concat(picked, more))
		if len(needed) == 0 || r.ended(ctx) != nil {
			return more
		}
		for _, sc := range needed {
			r.selected.AddPlaces(sc.coverage)
		}
		r.perform(ctx, needed)
		more = append(more, needed...)
	}
	return more
}

// unjudgedBlockers returns the places of rules that block checks, and that no check of the run has judged.
func (r *run) unjudgedBlockers() []rules.Place {
	judged := map[string]bool{}
	var blockers []rules.Place
	r.plays.each(func(c *Check) { judged[c.rule] = true })
	r.plays.each(func(c *Check) {
		if place := (rules.Place{Rule: c.blockedBy, At: c.blockedAt}); c.status == result.Blocked && !judged[c.blockedBy] && !slices.Contains(blockers, place) {
			blockers = append(blockers, place)
		}
	})
	return blockers
}

// judging returns, for each of the places, a scenario that judges its rule, there if there is one, and
// is not among those played.
func (r *run) judging(places []rules.Place, played []*scenario) (needed []*scenario) {
	for _, place := range places {
		var found *scenario
		for _, sc := range r.suite.scenarios {
			switch {
			case slices.Contains(played, sc):
			case sc.coverage.has(place.Rule, place.At):
				found = sc
			case found == nil && slices.ContainsFunc(sc.coverage, func(p rules.Place) bool { return p.Rule == place.Rule }):
				found = sc
			}
		}
		if found != nil && !slices.Contains(needed, found) {
			needed = append(needed, found)
		}
	}
	return needed
}
