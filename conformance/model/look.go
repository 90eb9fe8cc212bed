package model

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// look takes each view until it shows the world as it must be, or the settle time is over.
func (t *playthrough) look(ctx context.Context, views ...view) {
	for _, v := range views {
		if v.at != rules.Login && v.session < 0 && !t.world.users[v.viewer].lives() {
			continue
		}
		t.settle(ctx, v)
	}
}

func (t *playthrough) settle(ctx context.Context, v view) {
	const firstPause, lastPause = 15 * time.Millisecond, 200 * time.Millisecond
	if v.at == rules.SearchUsers && v.field != "former" && !v.exact {
		v.term = t.term(v)
	}
	t.awaitLag(ctx)
	done := slices.Clone(t.evidence)
	wait := firstPause
	for waited := time.Duration(0); ; waited += wait {
		t.evidence = slices.Clone(done)
		answer := t.read(ctx, v)
		if t.err != nil {
			return
		}
		found := t.news(v, answer)
		if len(found) == 0 || waited >= t.patience(v, found) {
			if found = t.seenByOthers(ctx, v, found); t.err != nil {
				return
			}
			for _, d := range found {
				t.player.impatient[d.Rule] = true
				d.slots = t.about(v, d)
				t.differ(d)
			}
			for _, w := range t.worlds {
				w.saw(v, answer)
			}
			t.evidence = done
			return
		}
		wait = min(max(2*waited, firstPause), lastPause)
		t.pause(ctx, wait)
	}
}

// awaitLag waits, on a target that was seen to lag, until what was written last may be there:
// to ask sooner takes requests, and shows nothing.
func (t *playthrough) awaitLag(ctx context.Context) {
	const most = 500 * time.Millisecond
	if left := min(t.player.options.Lag, most) - time.Since(t.wrote); left > 0 {
		t.pause(ctx, left)
	}
}

// about are the slots of the users whom a difference is about that a view has shown.
func (t *playthrough) about(v view, d Difference) []int {
	users := []int{v.viewer, v.owner}
	id := d.key[strings.LastIndex(d.key, "/")+1:]
	if which, known := t.world.eventByID(id); known {
		users = append(users, t.world.events[which].owner)
	}
	if who, known := t.world.userByID(id); known {
		users = append(users, who)
	}
	var slots []int
	for _, who := range users {
		if slot, known := t.came[who]; known {
			slots = append(slots, slot)
		}
	}
	return slots
}

// term is what a user is searched by: in turns its own word in a field, the same in upper
// case, and all of the field.
func (t *playthrough) term(v view) string {
	u := t.world.users[v.owner]
	term := u.terms[v.field]
	switch t.index % 3 {
	case 1:
		return strings.ToUpper(term)
	case 2:
		if !u.surely(v.field, term) {
			return term
		}
		if whole, ok := u.fields[v.field][0].(string); ok && !long(whole) && strings.TrimSpace(whole) == whole {
			return whole
		}
	}
	return term
}

// patience is how long differences may last: feeds, lists and search may lag,
// other reads may not. Once a rule has timed out, it is waited for a few times as long as the
// target was seen to lag.
func (t *playthrough) patience(v view, found []Difference) time.Duration {
	if v.at == rules.GetMe || v.at == rules.Login {
		return 0
	}
	for _, d := range found {
		if d.Rule == isolation { // which no lag explains
			return 0
		}
		if !t.player.impatient[d.Rule] && (t.player.only == "" || t.player.only == d.Rule || t.player.options.Lag > 0) {
			return t.player.options.Settle
		}
	}
	const often = 3
	return often * t.player.options.Lag
}

// news are the differences that no lawful state explains, save what was recorded
// already. The states that an answer rules out are given up.
func (t *playthrough) news(v view, r Response) []Difference {
	if others := slices.DeleteFunc(t.foreign(v, r), func(d Difference) bool { return t.tainted[d.key] }); len(others) > 0 {
		return others
	}
	var fewest []Difference
	var agree []*World
	for i, w := range t.worlds {
		var found []Difference
		for _, d := range w.judge(v, r) {
			if !t.tainted[d.key] {
				found = append(found, d)
			}
		}
		if len(found) == 0 {
			agree = append(agree, w)
		}
		if i == 0 || len(found) < len(fewest) {
			fewest = found
		}
	}
	if len(agree) > 0 {
		t.worlds, t.world = agree, agree[0]
		return nil
	}
	return fewest
}

// read sends the request of a view.
func (t *playthrough) read(ctx context.Context, v view) Response {
	owner := t.world.users[v.owner]
	r := Request{Endpoint: v.at}
	switch {
	case v.at == rules.Login:
		r.Body = Fields{"user_name": owner.name, "password": owner.password}
		return t.send(ctx, r)
	case v.session >= 0:
		r.Session = owner.sessions[v.session].token
		return t.send(ctx, r)
	case v.at == rules.SearchUsers:
		r.Query = map[string]string{"q": v.term}
	case v.at == rules.GetUser || v.at >= rules.FollowsOf && v.at <= rules.FriendsOf:
		r.ID = idText(owner.id)
	}
	return t.sendAs(ctx, v.viewer, r)
}

// What an audit looks at, by its V.
const (
	everything    = iota // all views of all users, in turns
	feedsAlone           // the feed of each user
	feedsAndLists        // and one list of each
	ofTwo                // what is A's and B's
	overAndOver          // the same again and again; C odd: records, too
	names                // what A was and is called
	thoroughly           // all of that of everybody
	ofKin                // who is of one kin
	parts                // A by parts of its names
	ownRecord            // what A is shown of itself
	ownFeed              // A's feed
)
