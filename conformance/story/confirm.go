package story

import (
	"context"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Finding is a difference after it was confirmed or not: whether it is stable, and the shortest story
// that shows it.
type Finding struct {
	Difference
	Stable bool     // it showed in each repetition
	Story  Story    // the shortest that shows it
	Log    []string // one sentence for each step
	Seen   int      // in how many repetitions it showed
	// Unfinished reports that there was no time to shorten the story any further.
	Unfinished bool
	// Seemed is the rule that the whole story seemed to break, if the shortest one breaks another;
	// "" otherwise.
	Seemed string
}

// Confirm plays a story again, so many times, to see whether it shows a difference each time. It
// shrinks the story, by at most `plays` plays, and finds out whether two applications are needed.
func (p *Player) Confirm(ctx context.Context, s Story, d Difference, times, plays int) (Finding, error) {
	c := &confirmation{player: p, finding: Finding{Difference: d, Story: s}, times: times}
	err := c.confirm(ctx, s, plays)
	if err == nil && c.finding.Stable {
		err = c.blameIsolation(ctx)
	}
	if c.finding.Rule != d.Rule {
		c.finding.Seemed = d.Rule
	}
	return c.finding, err
}

// confirmation is a difference that is being confirmed.
type confirmation struct {
	player  *Player
	finding Finding
	times   int           // plays of the shortest story
	took    time.Duration // the latest play that showed it
}

func (c *confirmation) confirm(ctx context.Context, s Story, plays int) error {
	cut, shown, err := c.smallestCut(ctx, s)
	if err != nil {
		return err
	}
	if !shown { // as it did the first time
		return c.repeat(ctx, s)
	}
	began := time.Now()
	short := shrink(cut, plays, func(candidate Story) bool {
		if err == nil && (c.player.timeUp(began) || c.tooLate()) {
			c.finding.Unfinished = true
		}
		if err != nil || c.finding.Unfinished || !c.affordable(candidate) {
			return false
		}
		shown, failed := c.shows(ctx, candidate, false)
		err = failed
		return shown
	})
	if err != nil {
		return err
	}
	// Shrinking did not wait for lag: the short story counts if it shows the difference after
	// waiting, too; otherwise the cut is repeated.
	if err := c.repeat(ctx, short); err != nil || c.finding.Stable || len(short.Steps) == len(cut.Steps) {
		return err
	}
	return c.repeat(ctx, cut)
}

// smallestCut plays cuts of a story, smallest first, and then the whole, up to the first that shows the
// difference; it reports whether one does. Most differences show with only the users whom they are
// about, without the reads before, and without the waits, each of which takes seconds.
func (c *confirmation) smallestCut(ctx context.Context, s Story) (Story, bool, error) {
	before := s.upTo(c.finding.Step)
	among := before.among(c.finding.roles)
	left := -1
	for _, cut := range []Story{among.withoutReads().withoutWaits(), among.withoutWaits(), before.withoutReads().withoutWaits(), among, before, s} {
		if len(cut.Steps) == left {
			continue // as it was
		}
		left = len(cut.Steps)
		if shown, err := c.shows(ctx, cut, true); err != nil || shown {
			return cut, shown, err
		}
	}
	return s, false, nil
}

// shows plays a story and reports whether it shows the difference. If patient, rules that were waited
// for in vain are given the whole settle time again.
func (c *confirmation) shows(ctx context.Context, s Story, patient bool) (bool, error) {
	if patient {
		c.player.timedOut = map[string]bool{}
	}
	c.player.awaited = c.finding.Rule // waiting for other differences, too, would take too long
	defer func() { c.player.awaited = "" }()
	began := time.Now()
	o, err := c.player.Play(ctx, s)
	each, shown := o.match(c.finding.Difference)
	if shown && each.Rule != c.finding.Rule && s.writesAt(c.finding.At) {
		shown = false // what can break the rule is still there: another rule's difference decides nothing
	}
	if err != nil || !shown {
		return false, err
	}
	c.finding.Difference, c.finding.Story, c.finding.Log = each, s, o.Log
	c.took = time.Since(began)
	return true, nil
}

// writesAt reports whether the story has an action that writes at an endpoint.
func (s Story) writesAt(at rules.Endpoint) bool {
	known := table()
	return slices.ContainsFunc(s.Steps, func(step Step) bool { a := known[step.Do]; return a.At == at && !a.reads() })
}

// repeat plays a story as often as it takes to call the difference stable.
func (c *confirmation) repeat(ctx context.Context, s Story) error {
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

// blameIsolation blames the difference on missing isolation of applications if it needs two of them:
// neither application by itself shows it, nor does one in which the whole story is played.
func (c *confirmation) blameIsolation(ctx context.Context) error {
	if c.finding.Rule == isolation {
		return nil
	}
	found := c.finding
	for _, one := range found.Story.inOneApplication() {
		if shown, err := c.shows(ctx, one, true); err != nil || shown {
			c.finding = found
			return err
		}
	}
	if found.Story.Apps() > 1 && len(found.Story.inOneApplication()) > 0 && found.Story.needsApplications() {
		found.Place = rules.Place{Rule: isolation, At: isolationEndpoint(found.At)}
	}
	c.finding = found
	return nil
}

// needsApplications reports whether steps of the story are in several applications.
func (s Story) needsApplications() bool {
	apps := map[int]bool{}
	for _, step := range s.Steps {
		if step.In > 0 {
			apps[step.In-1] = true
		}
		for _, role := range step.roles() {
			apps[s.Users[role-1].App] = true
		}
	}
	return len(apps) > 1
}

// tooLate reports whether a run with a deadline has only enough time left to repeat the shortest
// story so far.
func (c *confirmation) tooLate() bool {
	o := c.player.options
	return o.Budget == nil && !o.Until.IsZero() && time.Now().Add(time.Duration(c.times+1)*c.took).After(o.Until)
}

// affordable reports whether a candidate can be played without waiting for the rate limit, with
// requests left to repeat the shortest story so far, unless that has to wait anyway.
func (c *confirmation) affordable(candidate Story) bool {
	if c.player.options.Budget == nil {
		return true
	}
	choices := c.player.options.Choices
	budget := c.player.options.Budget()
	left, again := budget, c.finding.Story.Cost(choices)
	for range c.times {
		left = left.Minus(again)
	}
	if (Cost{}).Within(left) {
		budget = left
	}
	return candidate.Cost(choices).Within(budget)
}

// timeUp reports whether the time for shrinking a story is over, which began at the given time.
func (p *Player) timeUp(began time.Time) bool {
	o := p.options
	return !o.Until.IsZero() && time.Now().After(o.Until) || o.ShrinkFor > 0 && time.Since(began) > o.ShrinkFor
}
