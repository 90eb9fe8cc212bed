package play

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// foreignDifferences returns what an answer shows of another application. An id that is known
// here stands for what it is here.
func (t *run) foreignDifferences(v world.View, r exchange.Response) []blame.Difference {
	if len(t.applications) == 1 {
		return nil
	}
	things, _ := r.Objects()
	if o := r.Object(); o != nil && r.OK() {
		things = append(things, o)
	}
	var found []blame.Difference
	for _, o := range things {
		if t.state.Has(value.ID(o["id"])) {
			continue
		}
		for _, other := range t.applications {
			if other != t.application && other.state.Created(o) {
				found = append(found, blame.Difference{Rule: blame.Isolation, At: blame.IsolationAt(v.At), Key: v.Key(value.ID(o["id"]), ""),
					Expected: fmt.Sprintf("nothing of another application at endpoint %d", v.At), Actual: value.Show(exchange.WithoutToken(o))})
			}
		}
	}
	return found
}

// pendSameNames adds views of the users of other applications who have the name of a user that
// an operation is about.
func (t *run) pendSameNames(o story.Op) {
	if len(t.applications) == 1 {
		return
	}
	names := map[string]bool{}
	for _, slot := range o.Users() {
		a := t.applications[t.story.ApplicationOf(slot)]
		if who, there := a.slots[slot%max(t.story.Slots, 1)]; there {
			names[a.state.Users[who].Name] = true
		}
	}
	for _, a := range t.applications {
		for who, u := range a.state.Users {
			if a != t.application && u.Lives() && names[u.Name] {
				others := []rules.Endpoint{rules.Feed, rules.MyFollows, rules.Feed, rules.MyFollowers, rules.Feed, rules.MyFriends} // in turns
				a.pending = append(a.pending, world.Own(rules.GetMe, who), world.Own(others[t.index%len(others)], who))
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
	extent := story.AuditAll
	if t.story.ShortAudit {
		extent = story.AuditFeedsAndLists
	}
	for _, a := range t.applications {
		t.application = a
		t.compareViews(ctx, t.auditViews(extent)...)
	}
	for i, there := range t.applications[1:] {
		for _, sides := range [][2]*application{{t.applications[i], there}, {there, t.applications[i]}} {
			t.application = sides[0]
			for to := range min(len(sides[1].state.Users), most) {
				from := t.otherThan()
				if from < 0 {
					break
				}
				(&crossApp{t, sides[0], sides[1], from, to}).lookFor(ctx, t.index+to)
			}
		}
	}
}
