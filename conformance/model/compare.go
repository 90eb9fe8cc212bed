package model

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// compareViews compares each view with the state.
func (t *run) compareViews(ctx context.Context, views ...view) {
	t.compareViewsAtOnce(ctx, t.player.options.ReadsAtOnce, views)
}

// compareViewsAtOnce compares each view with the state, and sends so many reads at once.
func (t *run) compareViewsAtOnce(ctx context.Context, atOnce int, views []view) {
	views = slices.DeleteFunc(slices.Clone(views), func(v view) bool {
		return v.at != rules.Login && v.session < 0 && !t.state.users[v.viewer].lives()
	})
	for i, v := range views {
		views[i].term = t.searchTerm(v)
	}
	t.eachReadAhead(ctx, atOnce, views, func(v view) { t.compareView(ctx, v) })
}

// compareView reads a view until it agrees with the state or the settle time is over, and
// records the differences that remain.
func (t *run) compareView(ctx context.Context, v view) {
	const firstPause, lastPause = 15 * time.Millisecond, 200 * time.Millisecond
	t.waitForLag(ctx)
	done := slices.Clone(t.evidence)
	wait := firstPause
	for waited := time.Duration(0); ; waited += wait {
		t.evidence = slices.Clone(done)
		answer := t.read(ctx, v)
		if t.err != nil {
			return
		}
		found := t.newDifferences(v, answer)
		if len(found) == 0 || waited >= t.settleTime(v, found) {
			if found = t.blameMissingConnections(ctx, v, found); t.err != nil {
				return
			}
			for _, d := range found {
				t.player.timedOut[d.Rule] = true
				d.slots = t.slotsOf(v, d)
				t.recordDifference(d)
			}
			for _, st := range t.states {
				st.recordShown(v, answer)
			}
			t.evidence = done
			return
		}
		wait = min(max(2*waited, firstPause), lastPause)
		t.pause(ctx, wait)
	}
}

// waitForLag waits, if the target is known to lag, until the latest write may be visible: reading
// earlier costs requests and proves nothing.
func (t *run) waitForLag(ctx context.Context) {
	const most = 500 * time.Millisecond
	if left := min(t.player.options.Lag, most) - time.Since(t.wrote); left > 0 {
		t.pause(ctx, left)
	}
}

// slotsOf returns the slots of the users that a difference is about.
func (t *run) slotsOf(v view, d Difference) []int {
	users := []int{v.viewer, v.owner}
	if which, known := t.state.eventByID(d.key.id); known {
		users = append(users, t.state.events[which].owner)
	}
	if who, known := t.state.userByID(d.key.id); known {
		users = append(users, who)
	}
	var slots []int
	for _, who := range users {
		if slot, known := t.slotOf[who]; known {
			slots = append(slots, slot)
		}
	}
	return slots
}

// searchTerm returns what a view searches a user by: where it may be varied, in turns the user's
// own word in a field, the same in upper case, and the whole field.
func (t *run) searchTerm(v view) string {
	if v.at != rules.SearchUsers || v.field == "former" || v.exact {
		return v.term
	}
	u := t.state.users[v.owner]
	term := u.terms[v.field]
	switch t.index % 3 {
	case 1:
		return strings.ToUpper(term)
	case 2:
		if !u.surelyHolds(v.field, term) {
			return term
		}
		if whole, ok := u.fields[v.field][0].(string); ok && !long(whole) && strings.TrimSpace(whole) == whole {
			return whole
		}
	}
	return term
}

// settleTime returns how long differences may last: feeds, lists and searches may lag, and so may
// records on a target that was seen to; sessions may not. Once a rule has timed out, it is only waited for a few times the observed lag.
func (t *run) settleTime(v view, found []Difference) time.Duration {
	if v.session >= 0 || v.at == rules.Login || v.at == rules.GetMe && t.player.options.Lag == 0 {
		return 0
	}
	for _, d := range found {
		if d.Rule == isolation || d.timeless { // lag is no explanation
			return 0
		}
		if !t.player.timedOut[d.Rule] && (t.player.awaited == "" || t.player.awaited == d.Rule || t.player.options.Lag > 0) {
			return t.player.options.Settle
		}
	}
	const often = 3
	return often * t.player.options.Lag
}

// newDifferences returns the differences that no lawful state explains and that were not
// reported yet. States that the answer rules out are dropped.
func (t *run) newDifferences(v view, r Response) []Difference {
	if others := slices.DeleteFunc(t.foreignDifferences(v, r), func(d Difference) bool { return t.reported[d.key] }); len(others) > 0 {
		return others
	}
	var fewest []Difference
	var agree []*State
	for i, st := range t.states {
		var found []Difference
		for _, d := range st.judge(v, r) {
			if !t.reported[d.key] {
				found = append(found, d)
			}
		}
		if len(found) == 0 {
			agree = append(agree, st)
		}
		if i == 0 || len(found) < len(fewest) {
			fewest = found
		}
	}
	if len(agree) > 0 {
		t.states, t.state = agree, agree[0]
		return nil
	}
	return fewest
}

// read sends the request of a view.
func (t *run) read(ctx context.Context, v view) Response {
	r := t.requestOf(v)
	if v.at == rules.Login || v.session >= 0 {
		return t.send(ctx, r)
	}
	return t.sendAs(ctx, v.viewer, r)
}

// requestOf returns the request of a view, without a session where any that works will do.
func (t *run) requestOf(v view) Request {
	owner := t.state.users[v.owner]
	r := Request{Endpoint: v.at}
	switch {
	case v.at == rules.Login:
		r.Body = Fields{"user_name": owner.name, "password": owner.password}
		if v.field == "email" {
			r.Body = Fields{"email": owner.email, "password": owner.password}
		}
	case v.session >= 0:
		r.Session = owner.sessions[v.session].token
	case v.at == rules.SearchUsers:
		r.Query = map[string]string{"q": v.term}
	case v.at == rules.GetUser || v.at.ListsConnections():
		r.ID = idText(owner.id)
	}
	return r
}
