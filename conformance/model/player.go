package model

import (
	"context"
	"slices"
	"time"
)

// Options says how a Player plays.
type Options struct {
	Choices Choices
	// Elsewhere are the choices of the target's second application, where stories of two are played.
	Elsewhere Choices
	Settle    time.Duration // how long feeds, lists and search may lag
	Lag       time.Duration // how long they were seen to lag, 0 where they were not
	Hold      time.Duration // how long what is gone is watched, where a story rests
	// Until is when stories are shortened no more, zero for never.
	Until time.Time
	// Room is what can be sent without a wait, of which shortening takes no more; nil for no end of it.
	Room func() Cost
	// Adopt gives a user that others created, false where there is none left; nil for none.
	Adopt func() (Adopted, bool)
	// Pause waits, unless the context ends.
	Pause func(context.Context, time.Duration) error
}

// choicesOf are the choices of an application.
func (o Options) choicesOf(application int) Choices {
	if application > 0 {
		return o.Elsewhere
	}
	return o.Choices
}

// Player plays stories on a target. It is used by one goroutine.
type Player struct {
	target    Target
	options   Options
	refused   map[string]bool // values that the target does not take, by field and class
	impatient map[string]bool // rules that timed out
	only      string          // the one rule that is waited for on a target that never lagged, "" for each
	Coverage  Coverage
}

// NewPlayer returns a player of stories on a target.
func NewPlayer(t Target, o Options) *Player {
	return &Player{target: t, options: o, refused: map[string]bool{}, impatient: map[string]bool{}, Coverage: Coverage{}}
}

// Outcome is what came of a story.
type Outcome struct {
	Differences []Difference // each rule at each endpoint once, in the order in which they showed
	Told        []string     // what was done, one sentence for each operation that was played
	Requests    int
	cast        map[int]Fields // the users whom others had created
}

// Again is the story as it is to be played again.
func (o *Outcome) Again(s Story) Story {
	if o.cast != nil {
		s.Cast = o.cast
	}
	return s
}

// Has reports whether a difference of the same rule at the same endpoint showed.
func (o *Outcome) Has(d Difference) bool {
	return slices.ContainsFunc(o.Differences, d.same)
}

// Play plays a story with users of its own. An error means that a request got no
// answer; what showed before stands in the outcome, which is never nil.
func (p *Player) Play(ctx context.Context, s Story) (*Outcome, error) {
	t := p.playthrough(s)
	err := t.play(ctx)
	return &t.outcome, err
}

func (p *Player) playthrough(s Story) *playthrough {
	t := &playthrough{player: p, story: s, payloads: payloads{plain: s.Plain, refused: p.refused, used: p.Coverage.wore}}
	for number := range max(s.Apps, 1) {
		t.applications = append(t.applications, newApplication(number, p.options.choicesOf(number)))
	}
	t.application = t.applications[0]
	return t
}
