package model

import (
	"context"
	"fmt"
	"slices"

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
	evidence     []any  // what was sent so far, save the looks that showed what they must
	index        int    // of the operation being played
	kin          string // what users of one kin have in their names, "" until there is one
	lost         bool   // what state the target is in is not known any more
}

func (t *playthrough) play(ctx context.Context) error {
	for i := 0; i < len(t.story.Ops); i++ {
		if t.lost || t.story.Looks != LookAtEnd && len(t.outcome.Differences) > 0 {
			return nil // what follows would be judged from a state that the target is not in
		}
		op := t.story.Ops[i]
		t.index = i
		t.enter(op.A)
		if ops := t.story.atOnce(i); len(ops) > 1 {
			if err := t.together(ctx, ops); err != nil {
				return fmt.Errorf("operations %d to %d at once: %w", i+1, i+len(ops), err)
			}
			i += len(ops) - 1
			continue
		}
		views, err := t.perform(ctx, op)
		if err == nil {
			t.due = append(t.due, views...)
			if t.beside(op); t.story.Looks == LookAtEach || t.story.Looks == LookEvery && (i+1)%max(t.story.Every, 1) == 0 {
				err = t.lookAtDue(ctx)
			}
		}
		if err != nil {
			return fmt.Errorf("operation %d, %s: %w", i+1, op.Kind, err)
		}
	}
	if t.lost {
		return nil
	}
	t.index = len(t.story.Ops)
	if err := t.lookAtEnd(ctx); err != nil {
		return fmt.Errorf("the look at the end: %w", err)
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

// send sends a request and keeps its evidence.
func (t *playthrough) send(ctx context.Context, r Request) (Response, error) {
	t.outcome.Requests++
	r.App = t.number
	answer, err := t.player.target.Do(ctx, r)
	if err != nil {
		return answer, fmt.Errorf("endpoint %d: %w", r.Endpoint, err)
	}
	t.evidence = append(t.evidence[max(0, len(t.evidence)-mostEvidence+1):], answer.Evidence)
	return answer, nil
}

// sendAs sends a request in a session of a user. How long a session lives is
// open: one that ended is renewed, once. One that never worked is a difference.
func (t *playthrough) sendAs(ctx context.Context, who int, r Request) (Response, error) {
	if answer, tried, err := t.sendDoubted(ctx, who, r); tried || err != nil {
		return answer, err
	}
	for again := false; ; again = true {
		token, err := t.session(ctx, who)
		if err != nil || token == "" {
			t.lost = t.lost || err == nil // without a session nothing can be seen
			return Response{Status: 401}, err
		}
		r.Session = token
		answer, err := t.send(ctx, r)
		s := t.sessionOf(who, token)
		if err != nil || s == nil {
			return answer, err
		}
		if answer.Status != 401 {
			s.used = true
			t.world.users[who].named(r)
			return answer, nil
		}
		if void, err := t.opensNothing(ctx, who, s, r); err != nil {
			return answer, err
		} else if void {
			again = true
		}
		s.state = Unknown
		if !s.used && again {
			t.differ(Difference{Rule: s.rule, At: s.at, Expected: "a session that works", Actual: fmt.Sprintf("401 at endpoint %d", r.Endpoint)})
			t.lost = true
		}
		if again {
			return answer, nil
		}
	}
}

// sendDoubted sends a request in the latest session of a user, where it is open whether that
// survived an update, and reports whether it did. The answer settles the choice, and saves a login.
func (t *playthrough) sendDoubted(ctx context.Context, who int, r Request) (Response, bool, error) {
	u := t.world.users[who]
	if len(u.sessions) == 0 || len(t.worlds) > 1 || t.world.choices.UpdateKeeps != Unknown {
		return Response{}, false, nil
	}
	latest := &u.sessions[len(u.sessions)-1]
	if latest.state != Unknown || !latest.doubted {
		return Response{}, false, nil
	}
	r.Session = latest.token
	answer, err := t.send(ctx, r)
	switch {
	case err != nil:
		return answer, false, err
	case answer.Status == 401:
		t.world.choices.UpdateKeeps = No
		return answer, false, nil
	case answer.OK():
		t.world.choices.UpdateKeeps = Yes
		latest.state, latest.used = Yes, true
		u.named(r)
	}
	return answer, true, nil
}

// opensNothing reports whether the latest session of a user, that never worked, does not
// work either once what may lag has had its time.
func (t *playthrough) opensNothing(ctx context.Context, who int, s *session, r Request) (bool, error) {
	if all := t.world.users[who].sessions; s.used || all[len(all)-1].token != s.token || len(t.worlds) > 1 || t.player.options.Lags {
		return false, nil
	}
	if err := t.player.options.Pause(ctx, t.player.options.Lag); err != nil {
		return false, err
	}
	answer, err := t.send(ctx, r)
	return answer.Status == 401, err
}

func (t *playthrough) sessionOf(who int, token string) *session {
	u := t.world.users[who]
	for i := range u.sessions {
		if u.sessions[i].token == token {
			return &u.sessions[i]
		}
	}
	return nil
}

// session is the latest session of a user that works, a new one where none is known to.
func (t *playthrough) session(ctx context.Context, who int) (string, error) {
	u := t.world.users[who]
	for i := len(u.sessions) - 1; i >= 0; i-- {
		if u.sessions[i].state == Yes {
			return u.sessions[i].token, nil
		}
	}
	_, err := t.logIn(ctx, who, "user_name")
	if err != nil {
		return "", err
	}
	if n := len(u.sessions); n > 0 && u.sessions[n-1].state == Yes {
		return u.sessions[n-1].token, nil
	}
	return "", nil
}

// differ records a difference, unless it is the consequence of one that was
// recorded: what a view shows wrongly once is not judged again.
func (t *playthrough) differ(d Difference) {
	if t.lost || d.key != "" && t.tainted[d.key] {
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
