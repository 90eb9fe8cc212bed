package model

import (
	"context"
	"slices"
	"time"
)

// Options configures a Player.
type Options struct {
	Choices Choices
	// SecondChoices are those of the target's second application, for stories of two.
	SecondChoices Choices
	Settle        time.Duration // how long feeds, lists and search may lag
	Lag           time.Duration // how long they were seen to lag
	Hold          time.Duration // how long a Wait lasts: deletions must persist
	// ReadsAtOnce is how many reads that compare the target with the state are sent
	// concurrently, 0 or 1 for one after the other.
	ReadsAtOnce int
	// Until is when shrinking stops, zero for never.
	Until time.Time
	// ShrinkFor is for how long a story is shrunk once it has shown its difference again, 0 for
	// as long as Until allows.
	ShrinkFor time.Duration
	// Room returns what can be sent without a wait, which limits shrinking; nil for no limit.
	Room func() Cost
	// Reuse returns an unchanged user of a scenario, false if there is none left; nil for none.
	Reuse func() (ReusableUser, bool)
	// Pause waits, unless the context ends.
	Pause func(context.Context, time.Duration) error
}

// choicesOf returns the choices of an application.
func (o Options) choicesOf(application int) Choices {
	if application > 0 {
		return o.SecondChoices
	}
	return o.Choices
}

// Player plays stories on a target. It must not be used by several goroutines.
type Player struct {
	target   Target
	options  Options
	refused  map[string]bool // values that the target refuses, by field and class
	timedOut map[string]bool // rules that timed out
	awaited  string          // the one rule to wait for on a target that never lagged, "" for each
	Coverage Coverage
}

// NewPlayer returns a player of stories on a target.
func NewPlayer(t Target, o Options) *Player {
	return &Player{target: t, options: o, refused: map[string]bool{}, timedOut: map[string]bool{}, Coverage: Coverage{}}
}

// Outcome is the result of playing a story.
type Outcome struct {
	Differences []Difference // each rule at each endpoint once, in order of appearance
	Log         []string     // one sentence for each operation that was played
	Requests    int
	Like        *Story               // of new users, which may show what existing ones have shown; nil for none
	reused      map[int]ReusableUser // by slot
}

// Replayable returns the story in the form in which it can be replayed: with users like those
// that were reused, in the order of their creation.
func (o *Outcome) Replayable(s Story) Story {
	if o.reused != nil {
		s.Users, s.CreationOrder = sentBy(o.reused), inOrderOfCreation(o.reused)
	}
	return s
}

// Has reports whether there is a difference of the same rule at the same endpoint.
func (o *Outcome) Has(d Difference) bool {
	return slices.ContainsFunc(o.Differences, d.same)
}

// Play plays a story with users of its own. An error means that a request got no answer; the
// outcome, which is never nil, has what was found before.
func (p *Player) Play(ctx context.Context, s Story) (*Outcome, error) {
	t := p.newRun(s)
	err := t.play(ctx)
	return &t.outcome, err
}

// run returns a run of a story that has not begun.
func (p *Player) newRun(s Story) *run {
	t := &run{player: p, story: s, payloads: bodyGenerator{plain: s.Plain, refused: p.refused, used: p.Coverage.countValue}}
	for number := range max(s.Apps, 1) {
		t.applications = append(t.applications, newApplication(number, p.options.choicesOf(number)))
	}
	t.application = t.applications[0]
	return t
}
