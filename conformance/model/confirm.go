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
	Seen   int      // in how many of the plays that were to confirm it it showed
}

// Confirm looks into a difference that a story showed: whether it shows each time, in
// how short a story, and whether it takes two applications.
func (p *Player) Confirm(ctx context.Context, s Story, d Difference, times, plays int) (Finding, error) {
	f, err := p.confirm(ctx, s, d, times, plays)
	if err == nil && f.Stable {
		f.Difference, err = p.Blame(ctx, f.Story, f.Difference)
	}
	return f, err
}

// confirm plays a story again to see whether a difference shows each time, by plays
// at most shortens one that does, and then plays the shortest as often as given. The
// evidence is that of the shortest story.
func (p *Player) confirm(ctx context.Context, s Story, d Difference, times, plays int) (Finding, error) {
	c := &confirming{player: p, finding: Finding{Difference: d, Story: s}, times: times}
	s, shown, err := c.fewest(ctx, s)
	if err != nil {
		return c.finding, err
	}
	if !shown { // as it did the first time
		return c.finding, c.repeat(ctx, s)
	}
	short := shrink(s, plays, func(candidate Story) bool {
		if err != nil || p.timeUp() || c.tooLate() || !c.affordable(candidate) {
			return false
		}
		shown, failed := c.shows(ctx, candidate, false)
		err = failed
		return shown
	})
	if err != nil {
		return c.finding, err
	}
	// Shortening did not wait for what may lag: the short story counts if it shows the
	// difference after waiting, too, else the whole one is repeated.
	if err := c.repeat(ctx, short); err != nil || c.finding.Stable || len(short.Ops) == len(s.Ops) {
		return c.finding, err
	}
	return c.finding, c.repeat(ctx, s)
}

// confirming is a difference that is being looked into.
type confirming struct {
	player  *Player
	finding Finding
	times   int           // plays of the shortest story
	took    time.Duration // the latest play that showed it
}

// fewest plays cuts of a story, and then all of it, up to the first that shows the
// difference, and reports whether one does. Most differences show with only the users whom
// they are about, and without the rests, each of which is a wait of seconds.
func (c *confirming) fewest(ctx context.Context, s Story) (Story, bool, error) {
	among := s.upTo(c.finding.Step).among(c.finding.slots)
	left := -1
	for _, cut := range []Story{among.withoutRests(), among, s} {
		if len(cut.Ops) == left {
			continue // as it was
		}
		left = len(cut.Ops)
		if shown, err := c.shows(ctx, cut, true); err != nil || shown {
			return cut, shown, err
		}
	}
	return s, false, nil
}

// withoutRests is a story in which nobody waits.
func (s Story) withoutRests() Story {
	s.Ops = slices.DeleteFunc(slices.Clone(s.Ops), func(o Op) bool { return o.Kind == Rest })
	return s
}

// shows plays a story and reports whether it shows the difference, after the whole
// settle time where it is to be patient.
func (c *confirming) shows(ctx context.Context, s Story, patient bool) (bool, error) {
	if patient {
		c.player.impatient = map[string]bool{}
	}
	c.player.only = c.finding.Rule // waiting for each other difference of the story would take too long
	defer func() { c.player.only = "" }()
	began := time.Now()
	o, err := c.player.Play(ctx, s)
	each, shown := o.like(c.finding.Difference)
	if each.Rule != c.finding.Rule && s.has(culprits(c.finding.Rule)) {
		shown = false // what the rule stands for is still done: a shorter look at it decides nothing
	}
	if err != nil || !shown {
		return false, err
	}
	c.finding.Difference, c.finding.Story, c.finding.Told = each, s, o.Told
	c.took = time.Since(began)
	return true, nil
}

// repeat plays a story as often as it takes to call a difference stable.
func (c *confirming) repeat(ctx context.Context, s Story) error {
	c.finding.Seen = 0
	for range c.times {
		shown, err := c.shows(ctx, s, true)
		if err != nil {
			return err
		}
		if shown {
			c.finding.Seen++
		}
	}
	c.finding.Stable = c.finding.Seen == c.times
	return nil
}

// tooLate reports whether a run that ends at a certain time has just enough of it left to
// repeat the shortest story so far.
func (c *confirming) tooLate() bool {
	o := c.player.options
	return o.Room == nil && !o.Until.IsZero() && time.Now().Add(time.Duration(c.times+1)*c.took).After(o.Until)
}

// affordable reports whether a candidate can be played without a wait: beside what it takes
// to repeat the shortest story so far, unless that has to wait as it is.
func (c *confirming) affordable(candidate Story) bool {
	if c.player.options.Room == nil {
		return true
	}
	room := c.player.options.Room()
	left := room
	for range c.times {
		left = left.Minus(c.finding.Story.Cost())
	}
	if (Cost{}).Within(left) {
		room = left
	}
	return candidate.Cost().Within(room)
}

// upTo is a story up to an operation, with that which comes at once with it.
func (s Story) upTo(step int) Story {
	if step < len(s.Ops) {
		for step < len(s.Ops) && s.Ops[step].AtOnce {
			step++
		}
		s.Ops = s.Ops[:min(step+1, len(s.Ops))]
	}
	return s
}

// among is what the users in some slots do in a story, alone and with each other, and what
// is looked at and waited for.
func (s Story) among(slots []int) Story {
	kept := s
	kept.Ops = nil
	for _, o := range s.Ops {
		if o.Kind == Audit || o.Kind == Rest || slices.Contains(slots, o.A) && (!o.Kind.ofTwo() || slices.Contains(slots, o.B)) {
			kept.Ops = append(kept.Ops, o)
		} else if n := len(kept.Ops); n > 0 {
			kept.Ops[n-1].AtOnce = kept.Ops[n-1].AtOnce && o.AtOnce // with whom else it was together
		}
	}
	return kept
}

// culprits are the operations that a rule stands for, where it can be blamed for what others may have done.
func culprits(rule string) []Kind {
	for prefix, kinds := range map[string][]Kind{
		"feed.purge.": {Leave}, "connections.lists.after-user-delete": {Leave}, "sessions.deleted-user": {Leave}, "users.me.delete": {Leave},
		"feed.unfollow": {End, Part}, "connections.delete.": {End, Part, Trespass}, "feed.event-delete": {Remove},
		"feed.update-visible": {Change, ChangeBack}, "events.update.": {Change, ChangeBack, Trespass}, "events.delete.others": {Trespass},
		"auth.no-effect": {UseEnded}, "sessions.logout.": {LogOut}, "users.me.update.": {Edit, Rename, Repassword},
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
