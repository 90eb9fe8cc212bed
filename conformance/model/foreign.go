package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// foreign is what an answer shows of another application. Where an id stands for
// something here, it is that.
func (t *playthrough) foreign(v view, r Response) []Difference {
	if len(t.applications) == 1 {
		return nil
	}
	things, _ := r.objects()
	if o := r.object(); o != nil && r.OK() {
		things = append(things, o)
	}
	var found []Difference
	for _, o := range things {
		if t.world.has(idText(o["id"])) {
			continue
		}
		for _, other := range t.applications {
			if other != t.application && other.world.made(o) {
				found = append(found, Difference{Rule: isolation, At: isolatedAt(v.at), key: v.entry(idText(o["id"])),
					Expected: fmt.Sprintf("nothing of another application at endpoint %d", v.at), Actual: showValue(withoutToken(o))})
			}
		}
	}
	return found
}

// has reports whether an id is that of a user or an event of the world.
func (w *World) has(id string) bool {
	_, user := w.userByID(id)
	_, event := w.eventByID(id)
	return user || event
}

// made reports whether an object is a user or an event of the world, and no other one
// of the same id.
func (w *World) made(o Fields) bool {
	id := idText(o["id"])
	if which, known := w.eventByID(id); known && o["verb"] != nil {
		e := w.events[which]
		return sameInstant(o["created_at"], e.answer["created_at"]) && idText(o["user_id"]) == idText(w.users[e.owner].id)
	}
	who, known := w.userByID(id)
	if !known || o["verb"] != nil {
		return false
	}
	u := w.users[who]
	if o["session_token"] != nil && o["user_name"] == nil {
		return true // a login says no more
	}
	return same(o["user_name"], u.name) && sameInstant(o["created_at"], u.created)
}

// beside are the looks at the namesakes, in other applications, of those whom an operation is about.
func (t *playthrough) beside(o Op) {
	if len(t.applications) == 1 {
		return
	}
	names := map[string]bool{}
	for _, slot := range []int{o.A, o.B} {
		a := t.applications[t.story.home(slot)]
		if who, there := a.slots[abs(slot)%max(t.story.Slots, 1)]; there {
			names[a.world.users[who].name] = true
		}
	}
	for _, a := range t.applications {
		for who, u := range a.world.users {
			if a != t.application && u.lives() && names[u.name] {
				others := []rules.Endpoint{rules.Feed, rules.MyFollows, rules.Feed, rules.MyFollowers, rules.Feed, rules.MyFriends} // in turns
				a.due = append(a.due, own(rules.GetMe, who), own(others[t.index%len(others)], who))
			}
		}
	}
}

// lookAtDue looks at what was affected since the latest look, in each application.
func (t *playthrough) lookAtDue(ctx context.Context) {
	for _, a := range t.applications {
		t.application = a
		due := distinct(a.due)
		a.due = nil
		t.look(ctx, due...)
	}
}

// lookAtEnd audits each application, and sees that none knows the users of another.
func (t *playthrough) lookAtEnd(ctx context.Context) {
	const most = 4 // users whom another application is asked for
	extent := everything
	if t.story.Brief {
		extent = feedsAndLists
	}
	for _, a := range t.applications {
		t.application = a
		t.look(ctx, t.audit(extent)...)
	}
	for i, there := range t.applications[1:] {
		for _, sides := range [][2]*application{{t.applications[i], there}, {there, t.applications[i]}} {
			t.application = sides[0]
			for to := range min(len(sides[1].world.users), most) {
				from := t.third()
				if from < 0 {
					break
				}
				(&crossing{t, sides[0], sides[1], from, to}).seek(ctx, t.index+to)
			}
		}
	}
}
