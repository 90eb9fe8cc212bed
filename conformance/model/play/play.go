package play

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// run is one run of a story.
type run struct {
	player       *Player
	story        story.Story
	applications []*application
	*application // the current one
	payloads     body.Generator
	outcome      Outcome
	evidence     []any  // of what was sent so far, except the reads that agreed with the state
	index        int    // of the operation being played
	sharedName   string // the token that several user names share, "" until it is needed
	// sharedLastName is the last name that several users have, "" until it is needed.
	sharedLastName string
	wrote          time.Time                        // when it last sent a write
	ahead          map[readRequest]answered         // reads that were sent before it was their turn
	took           map[rules.Endpoint]time.Duration // the shortest time for a request that was sent alone
	quickest       time.Duration                    // of these, 0 for unknown
	lost           bool                             // the state of the target is unknown
	err            error                            // the first request without an answer, which ends the story
}

// play plays the operations and compares the target with the state.
func (t *run) play(ctx context.Context) error {
	t.createInOrder(ctx)
	for i := 0; i < len(t.story.Ops); i++ {
		if t.lost || t.story.Compare != story.CompareAtEnd && len(t.outcome.Differences) > 0 {
			return nil // the target is not in the expected state any more
		}
		op := t.story.Ops[i]
		t.index = i
		t.switchTo(op.Actor)
		if ops := t.story.ConcurrentWith(i); len(ops) > 1 {
			if t.playConcurrently(ctx, ops); t.err != nil {
				return fmt.Errorf("operations %d to %d at once: %w", i+1, i+len(ops), t.err)
			}
			i += len(ops) - 1
			continue
		}
		views := t.perform(ctx, op) // which may change t.pending itself
		t.pending = append(t.pending, views...)
		if t.pendSameNames(op); t.story.Compare == story.CompareAfterEach || t.story.Compare == story.CompareEvery && (i+1)%max(t.story.Every, 1) == 0 {
			t.comparePending(ctx)
		}
		if t.err != nil {
			return fmt.Errorf("operation %d, %s: %w", i+1, op.Kind, t.err)
		}
	}
	if t.lost {
		return nil
	}
	t.index = len(t.story.Ops)
	if t.compareAtEnd(ctx); t.err != nil {
		return fmt.Errorf("comparing at the end: %w", t.err)
	}
	return nil
}

func distinct(views []world.View) []world.View {
	seen := map[world.View]bool{}
	var kept []world.View
	for _, v := range views {
		if !seen[v] {
			kept = append(kept, v)
		}
		seen[v] = true
	}
	return kept
}

// mostEvidence is how many exchanges a difference keeps: the latest ones.
const mostEvidence = 64

// send sends a request and keeps its evidence. Once a request gets no answer, t.err is set:
// nothing more is sent, logged or judged, and every further answer is empty.
func (t *run) send(ctx context.Context, r exchange.Request) exchange.Response {
	if t.err != nil {
		return exchange.Response{}
	}
	r.App = t.number
	a, there := t.takeAhead(r)
	if !there {
		t.outcome.Requests++
		began := time.Now()
		a.Response, a.err = t.player.target.Do(ctx, r)
		t.timed(r.Endpoint, time.Since(began))
	}
	if a.err != nil {
		t.err = fmt.Errorf("endpoint %d: %w", r.Endpoint, a.err)
		return exchange.Response{}
	}
	if r.Endpoint.Method() != http.MethodGet {
		t.wrote = time.Now()
	}
	t.evidence = append(t.evidence[max(0, len(t.evidence)-mostEvidence+1):], a.Evidence)
	return a.Response
}

// pause waits, unless the story has ended.
func (t *run) pause(ctx context.Context, d time.Duration) {
	if t.err == nil {
		t.err = t.player.options.Pause(ctx, d)
	}
}

// recordDifference records a difference, unless it follows from one that was recorded: what a
// view shows wrongly is reported once.
func (t *run) recordDifference(d blame.Difference) {
	if t.lost || t.err != nil || d.Key != (blame.Key{}) && t.reported[d.Key] {
		return
	}
	t.reported[d.Key] = d.Key != (blame.Key{})
	if cause := (blame.Key{ID: d.Key.ID, How: d.Symptom}); d.OneCause {
		if t.reported[cause] {
			return
		}
		t.reported[cause] = true
	}
	if d.Slots == nil && t.index < len(t.story.Ops) {
		d.Slots = t.story.Ops[t.index].Users()
	}
	if t.number > 0 {
		d.Expected = "in the " + t.ordinal() + " application " + d.Expected
	}
	d.Step, d.App, d.Evidence = t.index, t.number, slices.Clone(t.evidence)
	if !t.outcome.Has(d) {
		t.outcome.Differences = append(t.outcome.Differences, d)
	}
}

// logf adds a sentence about an operation to the log.
func (t *run) logf(format string, args ...any) {
	if t.err != nil {
		return
	}
	sentence := fmt.Sprintf(format, args...)
	if t.number > 0 {
		sentence = "in the " + t.ordinal() + " application " + sentence
	}
	t.outcome.Log = append(t.outcome.Log, sentence)
}

// expect judges the status of an operation and reports whether it succeeded.
func (t *run) expect(r exchange.Response, status int, rule string, at rules.Endpoint) bool {
	if r.Status >= http.StatusInternalServerError {
		rule = "errors.no-5xx"
	}
	if r.Status != status {
		t.recordDifference(blame.Difference{Rule: rule, At: at, Expected: fmt.Sprint(status), Actual: r.Show()})
	}
	t.lost = t.lost || r.Status >= 500 // it may have taken effect nevertheless
	return r.OK()
}

// switchTo makes the application of the user in a slot the current one.
func (t *run) switchTo(slot int) { t.application = t.applications[t.story.ApplicationOf(slot)] }

// application is a story's part in one application of the target. Applications are isolated:
// each has a state of its own.
type application struct {
	number   int // Request.App
	state    *world.State
	states   []*world.State // the lawful states: several after concurrent operations
	slots    map[int]int    // the user in each slot
	slotOf   map[int]int    // the slot of each user, also of those replaced in it
	reported map[blame.Key]bool
	pending  []world.View // affected by operations, and not compared yet
}

func newApplication(number int, c leeway.Choices) *application {
	st := world.New(c)
	return &application{number: number, state: st, states: []*world.State{st}, slots: map[int]int{}, slotOf: map[int]int{}, reported: map[blame.Key]bool{}}
}
