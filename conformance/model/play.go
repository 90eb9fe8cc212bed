package model

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// run is one run of a story.
type run struct {
	player       *Player
	story        Story
	applications []*application
	*application // the current one
	payloads     bodyGenerator
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
		if t.lost || t.story.Compare != CompareAtEnd && len(t.outcome.Differences) > 0 {
			return nil // the target is not in the expected state any more
		}
		op := t.story.Ops[i]
		t.index = i
		t.switchTo(op.Actor)
		if ops := t.story.concurrentWith(i); len(ops) > 1 {
			if t.playConcurrently(ctx, ops); t.err != nil {
				return fmt.Errorf("operations %d to %d at once: %w", i+1, i+len(ops), t.err)
			}
			i += len(ops) - 1
			continue
		}
		views := t.perform(ctx, op) // which may change t.pending itself
		t.pending = append(t.pending, views...)
		if t.pendSameNames(op); t.story.Compare == CompareAfterEach || t.story.Compare == CompareEvery && (i+1)%max(t.story.Every, 1) == 0 {
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

func distinct(views []view) []view {
	seen := map[view]bool{}
	var kept []view
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
func (t *run) send(ctx context.Context, r Request) Response {
	if t.err != nil {
		return Response{}
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
		return Response{}
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
func (t *run) recordDifference(d Difference) {
	if t.lost || t.err != nil || d.key != (showing{}) && t.reported[d.key] {
		return
	}
	t.reported[d.key] = d.key != (showing{})
	if cause := (showing{id: d.key.id, how: d.symptom}); d.oneCause {
		if t.reported[cause] {
			return
		}
		t.reported[cause] = true
	}
	if d.slots == nil && t.index < len(t.story.Ops) {
		d.slots = t.story.Ops[t.index].users()
	}
	if t.number > 0 {
		d.Expected = "in the " + t.ordinal() + " application " + d.Expected
	}
	d.Step, d.app, d.Evidence = t.index, t.number, slices.Clone(t.evidence)
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
func (t *run) expect(r Response, status int, rule string, at rules.Endpoint) bool {
	if r.Status >= http.StatusInternalServerError {
		rule = "errors.no-5xx"
	}
	if r.Status != status {
		t.recordDifference(Difference{Rule: rule, At: at, Expected: fmt.Sprint(status), Actual: r.show()})
	}
	t.lost = t.lost || r.Status >= 500 // it may have taken effect nevertheless
	return r.OK()
}

// switchTo makes the application of the user in a slot the current one.
func (t *run) switchTo(slot int) { t.application = t.applications[t.story.applicationOf(slot)] }
