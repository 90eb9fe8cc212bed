package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// foreignDifferences returns what an answer shows of another application. An id that is known
// here stands for what it is here.
func (t *run) foreignDifferences(v view, r Response) []Difference {
	if len(t.applications) == 1 {
		return nil
	}
	things, _ := r.objects()
	if o := r.object(); o != nil && r.OK() {
		things = append(things, o)
	}
	var found []Difference
	for _, o := range things {
		if t.state.has(idText(o["id"])) {
			continue
		}
		for _, other := range t.applications {
			if other != t.application && other.state.created(o) {
				found = append(found, Difference{Rule: isolation, At: isolationEndpoint(v.at), key: v.key(idText(o["id"]), ""),
					Expected: fmt.Sprintf("nothing of another application at endpoint %d", v.at), Actual: showValue(withoutToken(o))})
			}
		}
	}
	return found
}

// pendSameNames adds views of the users of other applications who have the name of a user that
// an operation is about.
func (t *run) pendSameNames(o Op) {
	if len(t.applications) == 1 {
		return
	}
	names := map[string]bool{}
	for _, slot := range o.users() {
		a := t.applications[t.story.applicationOf(slot)]
		if who, there := a.slots[slot%max(t.story.Slots, 1)]; there {
			names[a.state.users[who].name] = true
		}
	}
	for _, a := range t.applications {
		for who, u := range a.state.users {
			if a != t.application && u.lives() && names[u.name] {
				others := []rules.Endpoint{rules.Feed, rules.MyFollows, rules.Feed, rules.MyFollowers, rules.Feed, rules.MyFriends} // in turns
				a.pending = append(a.pending, own(rules.GetMe, who), own(others[t.index%len(others)], who))
			}
		}
	}
}

// comparePending compares, in each application, the views that were affected since the latest
// comparison.
func (t *run) comparePending(ctx context.Context) {
	for _, a := range t.applications {
		t.application = a
		pending := distinct(a.pending)
		a.pending = nil
		t.compareViews(ctx, pending...)
	}
}

// compareAtEnd audits each application, and checks that none knows the users of another.
func (t *run) compareAtEnd(ctx context.Context) {
	const most = 4 // users per application
	extent := AuditAll
	if t.story.ShortAudit {
		extent = AuditFeedsAndLists
	}
	for _, a := range t.applications {
		t.application = a
		t.compareViews(ctx, t.auditViews(extent)...)
	}
	for i, there := range t.applications[1:] {
		for _, sides := range [][2]*application{{t.applications[i], there}, {there, t.applications[i]}} {
			t.application = sides[0]
			for to := range min(len(sides[1].state.users), most) {
				from := t.otherThan()
				if from < 0 {
					break
				}
				(&crossApp{t, sides[0], sides[1], from, to}).lookFor(ctx, t.index+to)
			}
		}
	}
}
