package play

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/await"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// compareViews compares each view with the state.
func (t *run) compareViews(ctx context.Context, views ...world.View) {
	t.compareViewsAtOnce(ctx, t.player.options.ReadsAtOnce, views)
}

// compareViewsAtOnce compares each view with the state, and sends so many reads at once.
func (t *run) compareViewsAtOnce(ctx context.Context, atOnce int, views []world.View) {
	views = slices.DeleteFunc(slices.Clone(views), func(v world.View) bool {
		return v.At != rules.Login && v.Session < 0 && !t.state.Users[v.Viewer].Lives()
	})
	for i, v := range views {
		views[i].Term = t.searchTerm(v)
	}
	t.eachReadAhead(ctx, atOnce, views, func(v world.View) { t.compareView(ctx, v) })
}

// compareView reads a view until it agrees with the state or the settle time is over, and
// records the differences that remain.
func (t *run) compareView(ctx context.Context, v world.View) {
	t.waitForLag(ctx)
	done := slices.Clone(t.evidence)
	for waited, wait := time.Duration(0), time.Duration(0); ; waited += wait {
		t.evidence = slices.Clone(done)
		answer := t.read(ctx, v)
		if t.err != nil {
			return
		}
		found := t.newDifferences(v, answer)
		if len(found) == 0 && waited > 0 && t.isPromptRecord(v) {
			t.outcome.Late = max(t.outcome.Late, time.Since(t.wrote))
		}
		if len(found) == 0 || waited >= t.settleTime(v, found) {
			if found = t.blameMissingConnections(ctx, v, found); t.err != nil {
				return
			}
			for _, d := range found {
				t.player.timedOut[d.Rule] = true
				d.Slots = t.slotsOf(v, d)
				t.recordDifference(d)
			}
			for _, st := range t.states {
				st.RecordShown(v, answer)
			}
			t.evidence = done
			return
		}
		wait = await.Next(waited)
		t.pause(ctx, wait)
	}
}

// waitForLag waits, if the target is known to lag, until the latest write may be visible: reading
// earlier costs requests and proves nothing.
func (t *run) waitForLag(ctx context.Context) {
	if left := await.Lag(t.player.options.Lag, t.wrote); left > 0 {
		t.pause(ctx, left)
	}
}

// slotsOf returns the slots of the users that a difference is about.
func (t *run) slotsOf(v world.View, d blame.Difference) []int {
	users := []int{v.Viewer, v.Owner}
	if which, known := t.state.EventByID(d.Key.ID); known {
		users = append(users, t.state.Events[which].Owner)
	}
	if who, known := t.state.UserByID(d.Key.ID); known {
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
func (t *run) searchTerm(v world.View) string {
	if v.At != rules.SearchUsers || v.Field == "former" || v.Exact {
		return v.Term
	}
	u := t.state.Users[v.Owner]
	term := u.Terms[v.Field]
	switch t.index % 3 {
	case 1:
		return strings.ToUpper(term)
	case 2:
		if !u.SurelyHolds(v.Field, term) {
			return term
		}
		if whole, ok := u.Fields[v.Field][0].(string); ok && !body.Long(whole) && strings.TrimSpace(whole) == whole {
			return whole
		}
	}
	return term
}

// settleTime returns how long differences may last: feeds, lists and searches may lag, and so may
// records on a target that was seen to; sessions may not. Once a rule has timed out, it is only waited for a few times the observed lag.
func (t *run) settleTime(v world.View, found []blame.Difference) time.Duration {
	if v.Session >= 0 || v.At == rules.Login || t.isPromptRecord(v) && !t.player.options.AwaitRecords && t.player.awaited == "" {
		return 0
	}
	for _, d := range found {
		if d.Rule == blame.Isolation || d.Timeless { // lag is no explanation
			return 0
		}
		if !t.player.timedOut[d.Rule] && (t.player.awaited == "" || t.player.awaited == d.Rule || t.player.options.Lag > 0) {
			return t.player.options.Settle
		}
	}
	const often = 3
	return often * t.player.options.Lag
}

// isPromptRecord reports whether a view is of a record on a target that was not seen to lag.
func (t *run) isPromptRecord(v world.View) bool {
	return v.At == rules.GetMe && t.player.options.Lag == 0
}

// newDifferences returns the differences that no lawful state explains and that were not
// reported yet. States that the answer rules out are dropped.
func (t *run) newDifferences(v world.View, r exchange.Response) []blame.Difference {
	if others := slices.DeleteFunc(t.foreignDifferences(v, r), func(d blame.Difference) bool { return t.reported[d.Key] }); len(others) > 0 {
		return others
	}
	var fewest []blame.Difference
	var agree []*world.State
	for i, st := range t.states {
		var found []blame.Difference
		for _, d := range st.Judge(v, r) {
			if !t.reported[d.Key] {
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
func (t *run) read(ctx context.Context, v world.View) exchange.Response {
	r := t.requestOf(v)
	if v.At == rules.Login || v.Session >= 0 {
		return t.send(ctx, r)
	}
	return t.sendAs(ctx, v.Viewer, r)
}

// requestOf returns the request of a view, without a session where any that works will do.
func (t *run) requestOf(v world.View) exchange.Request {
	owner := t.state.Users[v.Owner]
	r := exchange.Request{Endpoint: v.At}
	switch {
	case v.At == rules.Login:
		r.Body = value.Fields{"user_name": owner.Name, "password": owner.Password}
		if v.Field == "email" {
			r.Body = value.Fields{"email": owner.Email, "password": owner.Password}
		}
	case v.Session >= 0:
		r.Session = owner.Sessions[v.Session].Token
	case v.At == rules.SearchUsers:
		r.Query = map[string]string{"q": v.Term}
	case v.At == rules.GetUser || v.At.ListsConnections():
		r.ID = value.ID(owner.ID)
	}
	return r
}
