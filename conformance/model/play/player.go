package play

import (
	"context"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
)

// Options configures a Player.
type Options struct {
	Choices leeway.Choices
	// SecondChoices are those of the target's second application, for stories of two.
	SecondChoices leeway.Choices
	Settle        time.Duration // how long feeds, lists and search may lag
	Lag           time.Duration // how long they were seen to lag
	// AwaitRecords has a record that differs be waited for on a target that was not seen to lag, too. What
	// confirms a difference always does.
	AwaitRecords bool
	Hold         time.Duration // how long a Wait lasts: deletions must persist
	// ReadsAtOnce is how many reads that compare the target with the state are sent
	// concurrently, 0 or 1 for one after the other.
	ReadsAtOnce int
	// Until is when shrinking stops, zero for never.
	Until time.Time
	// ShrinkFor is for how long a story is shrunk once it has shown its difference again, 0 for
	// as long as Until allows.
	ShrinkFor time.Duration
	// Room returns what can be sent without a wait, which limits shrinking; nil for no limit.
	Room func() story.Cost
	// MakeRoom is called before a story is played to confirm a difference, with what it takes; nil for no limit.
	MakeRoom func(context.Context, story.Cost)
	// Reuse returns an unchanged user of a scenario, false if there is none left; nil for none.
	Reuse func() (reuse.User, bool)
	// Pause waits, unless the context ends.
	Pause func(context.Context, time.Duration) error
}

// choicesOf returns the choices of an application.
func (o Options) choicesOf(application int) leeway.Choices {
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
	Differences []blame.Difference // each rule at each endpoint once, in order of appearance
	Log         []string           // one sentence for each operation that was played
	Requests    int
	Late        time.Duration      // how long after the latest write a record agreed with the state, on a target that was not seen to lag
	Like        *story.Story       // of new users, which may show what existing ones have shown; nil for none
	reused      map[int]reuse.User // by slot
}

// Replayable returns the story in the form in which it can be replayed: with users like those
// that were reused, in the order of their creation.
func (o *Outcome) Replayable(s story.Story) story.Story {
	if o.reused != nil {
		s.Users, s.CreationOrder = reuse.SentBy(o.reused), reuse.ByCreation(o.reused)
	}
	return s
}

// Has reports whether there is a difference of the same rule at the same endpoint.
func (o *Outcome) Has(d blame.Difference) bool {
	return slices.ContainsFunc(o.Differences, d.Same)
}

// Play plays a story with users of its own. An error means that a request got no answer; the
// outcome, which is never nil, has what was found before.
func (p *Player) Play(ctx context.Context, s story.Story) (*Outcome, error) {
	t := p.newRun(s)
	err := t.play(ctx)
	return &t.outcome, err
}

// run returns a run of a story that has not begun.
func (p *Player) newRun(s story.Story) *run {
	t := &run{player: p, story: s, payloads: body.Generator{Plain: s.Plain, Refused: p.refused, Used: p.Coverage.countValue}}
	for number := range max(s.Apps, 1) {
		t.applications = append(t.applications, newApplication(number, p.options.choicesOf(number)))
	}
	t.application = t.applications[0]
	return t
}

// Coverage counts what stories have exercised: operations by the state that they met, and
// classes of values by field.
type Coverage map[string]int

func (c Coverage) countValue(field, class string) { c["value "+field+"/"+class]++ }

func (c Coverage) countOp(kind story.Kind, circumstance string) {
	c["operation "+kind.String()+"/"+circumstance]++
}

// Merge adds the counts of another Coverage.
func (c Coverage) Merge(o Coverage) {
	for key, n := range o {
		c[key] += n
	}
}
