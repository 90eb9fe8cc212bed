package story

import (
	"context"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Options configures a Player.
type Options struct {
	Choices []Choices     // by application; those missing are unknown
	Settle  time.Duration // how long feeds, lists and searches may lag
	Lag     time.Duration // how long they were seen to lag
	Hold    time.Duration // how long a wait lasts: deletions must persist
	// ReadsAtOnce is how many reads in a row are sent concurrently, 0 or 1 for one after the other.
	ReadsAtOnce int
	// Until is when shrinking stops, zero for never.
	Until time.Time
	// ShrinkFor is for how long a story is shrunk once it has shown its difference again, 0 for
	// as long as Until allows.
	ShrinkFor time.Duration
	// Budget returns what can be sent without a wait, which limits shrinking; nil for no limit.
	Budget func() Cost
	// Reuse returns an unchanged user that exists already, false if there is none left; nil for none.
	Reuse func() (Existing, bool)
	// Pause waits, unless the context ends.
	Pause func(context.Context, time.Duration) error
}

// choices returns those of each application.
func (o Options) choices(apps int) []Choices {
	all := slices.Clone(o.Choices)
	for len(all) < apps {
		all = append(all, Choices{})
	}
	return all
}

// Existing is a user that was created before a story.
type Existing struct {
	App          int
	Sent, Answer Fields
	Session      string
	Created      time.Time
}

// Player plays stories on a target. It must not be used by several goroutines.
type Player struct {
	target   Target
	options  Options
	table    map[string]*Action
	refused  map[refusedValue]bool
	timedOut map[string]bool // rules that were waited for in vain
	awaited  string          // the one rule to wait for on a target that never lagged, "" for each
	Coverage Coverage
	// imagine answers requests in the place of the target, in a dry run.
	imagine func(Expect, Request) Response
}

// refusedValue is a value that the target refuses, which it may.
type refusedValue struct {
	at          rules.Endpoint
	field, text string
}

// NewPlayer returns a player of stories on a target.
func NewPlayer(t Target, o Options) *Player {
	return &Player{target: t, options: o, table: table(), refused: map[refusedValue]bool{}, timedOut: map[string]bool{}, Coverage: Coverage{}}
}

// Difference is where a target is not in a state that the contract allows, and the rule to blame.
type Difference struct {
	rules.Place
	Expected, Actual string
	Step             int   // the index of the step that showed it
	Evidence         []any // the target's records of what was sent, the deciding one last
	// AfterRight reports that the same request was answered as expected before, with nothing
	// written in between.
	AfterRight bool
	kind       DiffKind
	seenAt     rules.Endpoint
	roles      []int // whom it is about
}

// same reports whether two differences are of the same rule at the same endpoint.
func (d Difference) same(o Difference) bool { return d.Place == o.Place }

// alike reports whether two differences show in the same way, whatever rule is blamed.
func (d Difference) alike(o Difference) bool { return d.kind == o.kind && d.seenAt == o.seenAt }

// Outcome is the result of playing a story.
type Outcome struct {
	Differences []Difference // each rule at each endpoint once, in order of appearance
	Log         []string     // one sentence for each step that was played
	Requests    int
	existing    map[int]Existing // by role
}

// Replayable returns the story in the form in which it can be replayed: with users like those
// that existed already.
func (o *Outcome) Replayable(s Story) Story {
	if len(o.existing) == 0 {
		return s
	}
	s.Users = slices.Clone(s.Users)
	for role, user := range o.existing {
		s.Users[role-1].Body = likeExisting(user.Sent)
	}
	return s
}

// Has reports whether there is a difference of the same rule at the same endpoint.
func (o *Outcome) Has(d Difference) bool { return slices.ContainsFunc(o.Differences, d.same) }

// match returns the difference that corresponds to another one: of the same rule at the same
// endpoint, else one that shows alike, which a shorter story may blame on another rule.
func (o *Outcome) match(d Difference) (Difference, bool) {
	for _, corresponds := range []func(Difference) bool{d.same, d.alike} {
		if i := slices.IndexFunc(o.Differences, corresponds); i >= 0 {
			return o.Differences[i], true
		}
	}
	return Difference{}, false
}
