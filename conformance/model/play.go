package model

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// playthrough is one story being played.
type playthrough struct {
	player       *Player
	story        Story
	applications []*application
	*application // where it goes on
	payloads     payloads
	outcome      Outcome
	evidence     []any     // what was sent so far, save the looks that showed what they must
	index        int       // of the operation being played
	kin          string    // what users of one kin have in their names, "" until there is one
	wrote        time.Time // when it last sent what may change something
	lost         bool      // what state the target is in is not known any more
	err          error     // the first request without an answer, which ends the story
}

func (t *playthrough) play(ctx context.Context) error {
	for i := 0; i < len(t.story.Ops); i++ {
		if t.lost || t.story.Looks != LookAtEnd && len(t.outcome.Differences) > 0 {
			return nil // what follows would be judged from a state that the target is not in
		}
		op := t.story.Ops[i]
		t.index = i
		t.enter(op.A)
		if ops := t.story.releasedWith(i); len(ops) > 1 {
			if t.together(ctx, ops); t.err != nil {
				return fmt.Errorf("operations %d to %d at once: %w", i+1, i+len(ops), t.err)
			}
			i += len(ops) - 1
			continue
		}
		views := t.perform(ctx, op) // which may change t.due itself
		t.due = append(t.due, views...)
		if t.beside(op); t.story.Looks == LookAtEach || t.story.Looks == LookEvery && (i+1)%max(t.story.Every, 1) == 0 {
			t.lookAtDue(ctx)
		}
		if t.err != nil {
			return fmt.Errorf("operation %d, %s: %w", i+1, op.Kind, t.err)
		}
	}
	if t.lost {
		return nil
	}
	t.index = len(t.story.Ops)
	if t.lookAtEnd(ctx); t.err != nil {
		return fmt.Errorf("the look at the end: %w", t.err)
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

// mostEvidence is how many exchanges a difference is told with, the latest ones.
const mostEvidence = 64

// send sends a request and keeps its evidence. Where there is no answer, that stays in
// t.err: nothing more is sent, told or judged, and every further answer is empty.
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

// sendAs sends a request in a session of a user. How long a session lives is
// open: one that ended is renewed, once. One that never worked is a difference.
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
			t.lost = true // without a session nothing can be seen
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
			t.world.users[who].named(r)
			return answer
		}
		again = t.opensNothing(ctx, who, s, r) || again
		if t.err != nil {
			return Response{}
		}
		s.state = Unknown
		if !s.used && again {
			t.differ(Difference{Rule: s.rule, At: s.at, Expected: "a session that works", Actual: fmt.Sprintf("401 at endpoint %d", r.Endpoint)})
			t.lost = true
		}
		if again {
			return answer
		}
	}
}

// sendDoubted sends a request in the latest session of a user, where it is open whether that
// survived an update, and reports whether it did. The answer settles the choice, and saves a login.
func (t *playthrough) sendDoubted(ctx context.Context, who int, r Request) (Response, bool) {
	u := t.world.users[who]
	if len(u.sessions) == 0 || len(t.worlds) > 1 || t.world.choices.UpdateKeeps != Unknown {
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
		t.world.choices.UpdateKeeps = No
		return answer, false
	case answer.OK():
		t.world.choices.UpdateKeeps = Yes
		latest.state, latest.used = Yes, true
		u.named(r)
	}
	return answer, true
}

// opensNothing reports whether the latest session of a user, that never worked, does not
// work either once what may lag has had its time.
func (t *playthrough) opensNothing(ctx context.Context, who int, s *session, r Request) bool {
	if all := t.world.users[who].sessions; s.used || all[len(all)-1].token != s.token || len(t.worlds) > 1 || t.player.options.Lag > 0 {
		return false
	}
	t.pause(ctx, t.player.options.Lag)
	return t.send(ctx, r).Status == 401
}

func (t *playthrough) sessionOf(who int, token string) *session {
	sessions := t.world.users[who].sessions
	if i := slices.IndexFunc(sessions, func(s session) bool { return s.token == token }); i >= 0 {
		return &sessions[i]
	}
	return nil
}

// session is the latest session of a user that works, a new one where none is known to.
func (t *playthrough) session(ctx context.Context, who int) string {
	u := t.world.users[who]
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

// differ records a difference, unless it is the consequence of one that was
// recorded: what a view shows wrongly once is not judged again.
func (t *playthrough) differ(d Difference) {
	if t.lost || t.err != nil || d.key != "" && t.tainted[d.key] {
		return
	}
	t.tainted[d.key] = d.key != ""
	if d.symptom == "event missing" { // from several feeds it has one cause
		if t.tainted[d.symptom+d.subject] {
			return
		}
		t.tainted[d.symptom+d.subject] = true
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

func (t *playthrough) tell(format string, args ...any) {
	if t.err != nil {
		return
	}
	sentence := fmt.Sprintf(format, args...)
	if t.number > 0 {
		sentence = "in the " + t.ordinal() + " application " + sentence
	}
	t.outcome.Told = append(t.outcome.Told, sentence)
}

// expect judges the status of an operation and reports whether it succeeded.
func (t *playthrough) expect(r Response, status int, rule string, at rules.Endpoint) bool {
	if r.Status != status {
		t.differ(Difference{Rule: rule, At: at, Expected: fmt.Sprint(status), Actual: r.show()})
	}
	t.lost = t.lost || r.Status >= 500 // it may have been done all the same
	return r.OK()
}
