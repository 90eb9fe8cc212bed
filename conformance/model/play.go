package model

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// playthrough is one run of a story.
type playthrough struct {
	player       *Player
	story        Story
	applications []*application
	*application // the current one
	payloads     payloads
	outcome      Outcome
	evidence     []any     // of what was sent so far, except the reads that agreed with the state
	index        int       // of the operation being played
	sharedName   string    // the token that several user names share, "" until it is needed
	wrote        time.Time // when it last sent a write
	lost         bool      // the state of the target is unknown
	err          error     // the first request without an answer, which ends the story
}

// play plays the operations and compares the target with the state.
func (t *playthrough) play(ctx context.Context) error {
	for i := 0; i < len(t.story.Ops); i++ {
		if t.lost || t.story.Compare != CompareAtEnd && len(t.outcome.Differences) > 0 {
			return nil // the target is not in the expected state any more
		}
		op := t.story.Ops[i]
		t.index = i
		t.switchTo(op.A)
		if ops := t.story.releasedWith(i); len(ops) > 1 {
			if t.playAtOnce(ctx, ops); t.err != nil {
				return fmt.Errorf("operations %d to %d at once: %w", i+1, i+len(ops), t.err)
			}
			i += len(ops) - 1
			continue
		}
		views := t.perform(ctx, op) // which may change t.pending itself
		t.pending = append(t.pending, views...)
		if t.pendNamesakes(op); t.story.Compare == CompareAfterEach || t.story.Compare == CompareEvery && (i+1)%max(t.story.Every, 1) == 0 {
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
func (t *playthrough) send(ctx context.Context, r Request) Response {
	if t.err != nil {
		return Response{}
	}
	t.outcome.Requests++
	r.App = t.number
	answer, err := t.player.target.Do(ctx, r)
	if err != nil {
		t.err = fmt.Errorf("endpoint %d: %w", r.Endpoint, err)
		return Response{}
	}
	if r.Endpoint.Method() != http.MethodGet {
		t.wrote = time.Now()
	}
	t.evidence = append(t.evidence[max(0, len(t.evidence)-mostEvidence+1):], answer.Evidence)
	return answer
}

// pause waits, unless the story has ended.
func (t *playthrough) pause(ctx context.Context, d time.Duration) {
	if t.err == nil {
		t.err = t.player.options.Pause(ctx, d)
	}
}

// sendAs sends a request in a session of a user. How long sessions live is open: one that has
// ended is renewed, once. One that never worked is a difference.
func (t *playthrough) sendAs(ctx context.Context, who int, r Request) Response {
	if answer, tried := t.sendDoubted(ctx, who, r); tried {
		return answer
	}
	for again := false; ; again = true {
		token := t.session(ctx, who)
		if t.err != nil {
			return Response{}
		}
		if token == "" {
			t.lost = true // without a session nothing can be compared
			return Response{Status: 401}
		}
		r.Session = token
		answer := t.send(ctx, r)
		s := t.sessionOf(who, token)
		if s == nil {
			return answer
		}
		if answer.Status != 401 {
			s.used = true
			t.state.users[who].recordPlatformID(r)
			return answer
		}
		again = t.neverWorks(ctx, who, s, r) || again
		if t.err != nil {
			return Response{}
		}
		s.state = Unknown
		if !s.used && again {
			t.recordDifference(Difference{Rule: s.rule, At: s.at, Expected: "a session that works", Actual: fmt.Sprintf("401 at endpoint %d", r.Endpoint)})
			t.lost = true
		}
		if again {
			return answer
		}
	}
}

// sendDoubted sends a request in the latest session of a user if an update may have ended it,
// and reports whether the answer can be used. It resolves the choice, and may save a login.
func (t *playthrough) sendDoubted(ctx context.Context, who int, r Request) (Response, bool) {
	u := t.state.users[who]
	if len(u.sessions) == 0 || len(t.states) > 1 || t.state.choices.UpdateKeeps != Unknown {
		return Response{}, false
	}
	latest := &u.sessions[len(u.sessions)-1]
	if latest.state != Unknown || !latest.doubted {
		return Response{}, false
	}
	r.Session = latest.token
	answer := t.send(ctx, r)
	switch {
	case answer.Status == 401:
		t.state.choices.UpdateKeeps = No
		return answer, false
	case answer.OK():
		t.state.choices.UpdateKeeps = Yes
		latest.state, latest.used = Yes, true
		u.recordPlatformID(r)
	}
	return answer, true
}

// neverWorks reports whether the latest session of a user, which was never seen to work, does
// not work at a second try either.
func (t *playthrough) neverWorks(ctx context.Context, who int, s *session, r Request) bool {
	if all := t.state.users[who].sessions; s.used || all[len(all)-1].token != s.token || len(t.states) > 1 || t.player.options.Lag > 0 {
		return false
	}
	t.pause(ctx, t.player.options.Lag)
	return t.send(ctx, r).Status == 401
}

// sessionOf returns a user's session by its token, nil if there is none.
func (t *playthrough) sessionOf(who int, token string) *session {
	sessions := t.state.users[who].sessions
	if i := slices.IndexFunc(sessions, func(s session) bool { return s.token == token }); i >= 0 {
		return &sessions[i]
	}
	return nil
}

// session returns the token of the user's latest session that works, of a new one if none does,
// blank if there is none.
func (t *playthrough) session(ctx context.Context, who int) string {
	u := t.state.users[who]
	for i := len(u.sessions) - 1; i >= 0; i-- {
		if u.sessions[i].state == Yes {
			return u.sessions[i].token
		}
	}
	t.logIn(ctx, who, "user_name")
	if n := len(u.sessions); n > 0 && u.sessions[n-1].state == Yes {
		return u.sessions[n-1].token
	}
	return ""
}

// recordDifference records a difference, unless it follows from one that was recorded: what a
// view shows wrongly is reported once.
func (t *playthrough) recordDifference(d Difference) {
	if t.lost || t.err != nil || d.key != "" && t.reported[d.key] {
		return
	}
	t.reported[d.key] = d.key != ""
	if d.symptom == "event missing" { // missing in several feeds, it has one cause
		if t.reported[d.symptom+d.subject] {
			return
		}
		t.reported[d.symptom+d.subject] = true
	}
	if d.slots == nil && t.index < len(t.story.Ops) {
		d.slots = []int{t.story.Ops[t.index].A, t.story.Ops[t.index].B}
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
func (t *playthrough) logf(format string, args ...any) {
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
func (t *playthrough) expect(r Response, status int, rule string, at rules.Endpoint) bool {
	if r.Status != status {
		t.recordDifference(Difference{Rule: rule, At: at, Expected: fmt.Sprint(status), Actual: r.show()})
	}
	t.lost = t.lost || r.Status >= 500 // it may have taken effect nevertheless
	return r.OK()
}
