package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Finding is a difference that was looked into.
type Finding struct {
	Difference
	Stable bool     // it showed each time the story was played again
	Story  Story    // the shortest in which it shows
	Cases  []Case   // the inputs that show it, where no story does
	Told   []string // what is done in it, one sentence for each operation
	Plays  int      // how often it took to find out
	Seen   int      // in how many of the plays that were to confirm it it showed
}

// Confirm plays a story again, as often as given, to see whether a difference is
// stable, and shortens a story in which it is, by at most so many plays. The
// evidence is that of the shortest story.
func (p *Player) Confirm(ctx context.Context, s Story, d Difference, times, plays int) (Finding, error) {
	f := Finding{Difference: d, Story: s}
	show := func(s Story, patient bool) (bool, error) {
		if patient {
			p.impatient = map[string]bool{} // a difference counts after the whole settle time alone
		}
		o, err := p.Play(ctx, s)
		f.Plays++
		each, shown := o.like(d)
		if each.Rule != f.Rule && s.has(culprits(f.Rule)) {
			shown = false // what the rule stands for is still done: a shorter look at it decides nothing
		}
		if err == nil && shown {
			f.Difference, f.Story, f.Told = each, s, o.Told
		}
		return err == nil && shown, err
	}
	if among := s.among(d.slots); len(among.Ops) < len(s.Ops) { // saves most of the requests where it does
		shown, err := show(among, true)
		if err != nil {
			return f, err
		}
		if shown {
			s = among
		}
	}
	for range times {
		shown, err := show(s, true)
		if err != nil {
			return f, err
		}
		if shown {
			f.Seen++
		}
	}
	if f.Stable = f.Seen == times; !f.Stable {
		return f, nil
	}
	whole := f
	var failed error
	short := Shrink(s, plays, func(candidate Story) bool {
		if failed != nil || p.timeUp() {
			return false
		}
		shown, err := show(candidate, false)
		failed = err
		return shown
	})
	if failed != nil {
		return whole, failed
	}
	// While it was shortened nothing was waited for: the shortest counts if it stands that.
	if shown, err := show(short, true); err != nil || !shown {
		whole.Plays = f.Plays
		return whole, err
	}
	return f, nil
}

// among is what the users in some slots do in a story, alone and with each other.
func (s Story) among(slots []int) Story {
	kept := s
	kept.Ops = nil
	for _, o := range s.Ops {
		if slices.Contains(slots, o.A) && (!o.Kind.ofTwo() || slices.Contains(slots, o.B)) {
			kept.Ops = append(kept.Ops, o)
		} else if n := len(kept.Ops); n > 0 {
			kept.Ops[n-1].AtOnce = false // with whom it was together
		}
	}
	return kept
}

// culprits are the operations that a rule stands for, where it can be blamed for what others may have done.
func culprits(rule string) []Kind {
	for prefix, kinds := range map[string][]Kind{
		"feed.purge.": {Leave}, "connections.lists.after-user-delete": {Leave}, "sessions.deleted-user": {Leave}, "users.me.delete": {Leave},
		"feed.unfollow": {End, Part}, "connections.delete.": {End, Part, Meddle}, "feed.event-delete": {Remove},
		"feed.update-visible": {Change, ChangeBack}, "events.update.": {Change, ChangeBack, Meddle}, "events.delete.others": {Meddle},
		"auth.no-effect": {Haunt}, "sessions.logout.": {LogOut}, "users.me.update.": {Edit, Rename, Repassword},
	} {
		if strings.HasPrefix(rule, prefix) {
			return kinds
		}
	}
	return nil
}

// has reports whether a story has an operation of one of the kinds.
func (s Story) has(kinds []Kind) bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool { return slices.Contains(kinds, o.Kind) })
}

// timeUp reports whether there is no time left to shorten stories.
func (p *Player) timeUp() bool {
	return !p.options.Until.IsZero() && time.Now().After(p.options.Until)
}

// like is the difference that shows what another one shows: of the same rule, or
// of another that the same symptom was blamed on. The shortest story decides.
func (o *Outcome) like(d Difference) (Difference, bool) {
	for _, each := range o.Differences {
		if each.same(d) {
			return each, true
		}
	}
	for _, each := range o.Differences {
		if d.symptom != "" && each.symptom == d.symptom {
			return each, true
		}
	}
	return Difference{}, false
}

// ConfirmCases plays the input again that showed a difference, or all of them where
// it showed in the end, as often as given.
func (p *Player) ConfirmCases(ctx context.Context, cases []Case, d Difference, times int) (Finding, error) {
	if d.Step < len(cases) {
		cases = cases[d.Step : d.Step+1]
	}
	f := Finding{Difference: d, Cases: cases}
	for range times {
		p.impatient = map[string]bool{}
		o, err := p.PlayGrid(ctx, cases)
		f.Plays++
		if err != nil {
			return f, err
		}
		if each, shown := o.like(d); shown {
			f.Difference, f.Seen = each, f.Seen+1
		}
	}
	f.Stable = f.Seen == times
	for _, c := range cases {
		f.Told = append(f.Told, fmt.Sprintf("endpoint %d is sent %s as %s", c.Endpoint, c.Class, c.Field))
	}
	return f, nil
}
