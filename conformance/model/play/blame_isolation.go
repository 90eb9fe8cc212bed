package play

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/story"
)

// BlameIsolation blames a difference on missing isolation of applications if it needs two of
// them: neither application by itself shows it, nor does one in which the whole story is played,
// not even a long while later, since a story of two takes longer.
func (p *Player) BlameIsolation(ctx context.Context, s story.Story, d blame.Difference) (blame.Difference, error) {
	if d.Rule == blame.Isolation || !s.UsesApplications() {
		return d, nil
	}
	for _, one := range s.SingleApplicationStories() {
		later := one
		later.Ops = append(slices.Clone(one.Ops), story.Op{Kind: story.Wait, Actor: one.Ops[0].Actor, Long: true})
		for _, s := range []story.Story{one, later} {
			c := &confirmation{player: p, finding: Finding{Difference: d}}
			if shown, err := c.shows(ctx, s, true); err != nil || shown {
				return d, err
			}
		}
	}
	d.Rule, d.At = blame.Isolation, blame.IsolationAt(d.At)
	return d, nil
}
