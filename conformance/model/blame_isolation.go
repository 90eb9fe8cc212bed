package model

import (
	"context"
	"slices"
)

// BlameIsolation blames a difference on missing isolation of applications if it needs two of
// them: neither application by itself shows it, nor does one in which the whole story is played,
// not even a long while later, since a story of two takes longer.
func (p *Player) BlameIsolation(ctx context.Context, s Story, d Difference) (Difference, error) {
	if d.Rule == isolation || !s.usesApplications() {
		return d, nil
	}
	for _, one := range s.singleApplicationStories() {
		later := one
		later.Ops = append(slices.Clone(one.Ops), Op{Kind: Wait, Actor: one.Ops[0].Actor, Long: true})
		for _, s := range []Story{one, later} {
			c := &confirmation{player: p, finding: Finding{Difference: d}}
			if shown, err := c.shows(ctx, s, true); err != nil || shown {
				return d, err
			}
		}
	}
	d.Rule, d.At = isolation, isolationEndpoint(d.At)
	return d, nil
}
