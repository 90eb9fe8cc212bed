package play

import (
	"context"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// Finding is a difference after it was confirmed or not: whether it is stable, and the shortest
// story that shows it.
type Finding struct {
	blame.Difference
	Stable bool          // it showed in each repetition
	Story  story.Story   // the shortest that shows it
	Inputs []rules.Input // of the grid that show it, if no story does
	Log    []string      // one sentence for each operation
	Seen   int           // in how many repetitions it showed
	// Late is how late a record was that differed at first, 0 where none was: the target lags, and nothing is shown.
	Late time.Duration
	// Unfinished reports that there was no time to shorten the story any further.
	Unfinished bool
	// Seemed is the rule that the whole story seemed to break, where the shortest one breaks
	// another; "" otherwise.
	Seemed string
}

// Confirm plays a story again, `times` times, to see whether it shows a difference each time;
// it shrinks the story, by at most `plays` plays, and finds out whether two applications are
// needed.
func (p *Player) Confirm(ctx context.Context, s story.Story, d blame.Difference, times, plays int) (Finding, error) {
	f, err := p.confirm(ctx, s, d, times, plays)
	if err == nil && f.Stable {
		f.Difference, err = p.BlameIsolation(ctx, f.Story, f.Difference)
	}
	if f.Rule != d.Rule {
		f.Seemed = d.Rule
	}
	return f, err
}

// ConfirmIn is Confirm of a difference that was not found by the story.
func (p *Player) ConfirmIn(ctx context.Context, s story.Story, d blame.Difference, times, plays int) (Finding, error) {
	d.Step, d.Slots = len(s.Ops), nil
	for slot := range s.Slots {
		d.Slots = append(d.Slots, slot)
	}
	return p.Confirm(ctx, s, d, times, plays)
}

// confirm is Confirm without the question whether two applications are needed. The evidence is
// that of the shortest story.
func (p *Player) confirm(ctx context.Context, s story.Story, d blame.Difference, times, plays int) (Finding, error) {
	c := &confirmation{player: p, finding: Finding{Difference: d, Story: s}, times: times}
	s, shown, err := c.smallestCut(ctx, s)
	if err != nil || c.finding.Late > 0 {
		return c.finding, err
	}
	if !shown { // as it did the first time
		return c.finding, c.repeat(ctx, s)
	}
	began := time.Now()
	fails := func(candidate story.Story) bool {
		if err == nil && (p.timeUp(began) || c.tooLate()) {
			c.finding.Unfinished = true
		}
		if err != nil || c.finding.Unfinished || !c.affordable(candidate) {
			return false
		}
		shown, failed := c.shows(ctx, candidate, false)
		err = failed
		return shown
	}
	short := story.Shrink(s, plays, fails)
	if c.finding.Rule == "feed.follow.earlier-events" {
		short = story.ConnectFirst(short, fails)
	}
	if err != nil {
		return c.finding, err
	}
	// Shrinking did not wait for lag: the short story counts if it shows the difference
	// after waiting, too, else the whole one is repeated.
	if err := c.repeat(ctx, short); err != nil || c.finding.Stable || c.finding.Late > 0 || len(short.Ops) == len(s.Ops) {
		return c.finding, err
	}
	return c.finding, c.repeat(ctx, s)
}

// confirmation is a difference that is being confirmed.
type confirmation struct {
	player  *Player
	finding Finding
	times   int           // plays of the shortest story
	took    time.Duration // the latest play that showed it
}

// smallestCut plays cuts of a story, smallest first, and then the whole, up to the first that
// shows the difference; it reports whether one does. Most differences show with only the users
// whom they are about, and without the rests, each of which takes seconds. What is sent concurrently
// is first sent in turn: a difference that shows then is no matter of chance.
func (c *confirmation) smallestCut(ctx context.Context, s story.Story) (story.Story, bool, error) {
	among := s.UpTo(c.finding.Step).Among(c.finding.Slots)
	cuts := []story.Story{among.WithoutRests(), among, s}
	if s.Concurrent() {
		cuts = append([]story.Story{among.WithoutRests().InTurn(), s.InTurn()}, cuts...)
	}
	for i, cut := range cuts {
		if i > 0 && len(cut.Ops) == len(cuts[i-1].Ops) && cut.Concurrent() == cuts[i-1].Concurrent() {
			continue // as it was
		}
		if shown, err := c.shows(ctx, cut, true); err != nil || shown || c.finding.Late > 0 {
			return cut, shown, err
		}
	}
	return s, false, nil
}

// shows plays a story and reports whether it shows the difference. If patient, rules that timed
// out before are given the whole settle time again.
func (c *confirmation) shows(ctx context.Context, s story.Story, patient bool) (bool, error) {
	if patient {
		c.player.timedOut = map[string]bool{}
	}
	c.player.awaited = c.finding.Rule // waiting for other differences, too, would take too long
	defer func() { c.player.awaited = "" }()
	if makeRoom := c.player.options.MakeRoom; makeRoom != nil {
		makeRoom(ctx, s.Cost())
	}
	began := time.Now()
	o, err := c.player.Play(ctx, s)
	each, shown := o.match(c.finding.Difference)
	if each.Rule != c.finding.Rule && s.MayViolate(c.finding.Rule) {
		shown = false // an operation that can violate the rule is still there: another rule's difference decides nothing
	}
	if err != nil || !shown {
		c.finding.Late = o.Late
		return false, err
	}
	c.finding.Difference, c.finding.Story, c.finding.Log = each, s, o.Log
	c.took = time.Since(began)
	return true, nil
}

// repeat plays a story as often as it takes to call the difference stable.
func (c *confirmation) repeat(ctx context.Context, s story.Story) error {
	c.finding.Seen = 0
	for range c.times {
		shown, err := c.shows(ctx, s, true)
		if err != nil || c.finding.Late > 0 {
			return err
		}
		if shown {
			c.finding.Seen++
		}
	}
	c.finding.Stable = c.finding.Seen == c.times
	return nil
}

// tooLate reports whether a run with a deadline has only enough time left to repeat the
// shortest story so far.
func (c *confirmation) tooLate() bool {
	o := c.player.options
	return o.Room == nil && !o.Until.IsZero() && time.Now().Add(time.Duration(c.times+1)*c.took).After(o.Until)
}

// affordable reports whether a candidate can be played without waiting for the rate limit, with
// room left to repeat the shortest story so far, unless that has to wait anyway.
func (c *confirmation) affordable(candidate story.Story) bool {
	if c.player.options.Room == nil {
		return true
	}
	room := c.player.options.Room()
	left := room
	for range c.times {
		left = left.Minus(c.finding.Story.Cost())
	}
	if (story.Cost{}).Within(left) {
		room = left
	}
	return candidate.Cost().Within(room)
}

// timeUp reports whether the time for shrinking a story is over, which began at the given time.
func (p *Player) timeUp(began time.Time) bool {
	o := p.options
	return !o.Until.IsZero() && time.Now().After(o.Until) || o.ShrinkFor > 0 && time.Since(began) > o.ShrinkFor
}

// match returns the difference that corresponds to another one: of the same rule at the same
// endpoint, else with the same symptom, which may be blamed on another rule in a shorter story.
func (o *Outcome) match(d blame.Difference) (blame.Difference, bool) {
	for _, each := range o.Differences {
		if each.Same(d) {
			return each, true
		}
	}
	for _, each := range o.Differences {
		if d.Symptom != "" && each.Symptom == d.Symptom {
			return each, true
		}
	}
	return blame.Difference{}, false
}

// CorpusEntry returns the finding as a corpus entry, nil if nothing was played.
func (f Finding) CorpusEntry() *story.CorpusEntry {
	k := &story.CorpusEntry{Rule: f.Rule, Endpoint: f.At, Inputs: f.Inputs}
	if len(f.Story.Ops) > 0 {
		k.Story = &f.Story
	}
	if k.Story == nil && k.Inputs == nil {
		return nil
	}
	return k
}
