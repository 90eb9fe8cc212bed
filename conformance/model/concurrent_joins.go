package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

// createBoth creates two users concurrently. If one of them exists already, or the target refuses
// the values, they are created one after the other.
func (t *run) createBoth(ctx context.Context, first, second Op) []view {
	ops := [2]Op{first, second}
	var made [2]userCreation
	for i, o := range ops {
		if _, there := t.slots[o.Actor%t.story.Slots]; there || first.Actor == second.Actor {
			return nil
		}
		made[i] = t.newUser(o.Actor%t.story.Slots, !o.WithoutLogin)
	}
	both := []*concurrentOp{{op: first, write: write{request: made[0].request(made[0].payload.fields)}}, {op: second, write: write{request: made[1].request(made[1].payload.fields)}}}
	if t.sendAll(ctx, both); t.err != nil {
		return nil
	}
	t.logf("at once: two users are created")
	t.player.Coverage.countOp(Join, "at once")
	var views []view
	for i, o := range ops {
		if both[i].answer.Refused() {
			t.createIn(ctx, o.Actor%t.story.Slots, t.newUser(o.Actor%t.story.Slots, made[i].withLogin))
			continue
		}
		known := len(t.state.users)
		who := t.created(made[i], both[i].answer, made[i].payload.fields)
		if who < 0 {
			return nil
		}
		if other, _ := t.state.userByID(idText(t.state.users[who].id)); other < known {
			t.recordDifference(Difference{Rule: "users.id-stable", At: rules.CreateUser, Expected: "different ids for two users",
				Actual: "id " + idText(t.state.users[who].id) + " for both"})
			t.lost = true
			return nil
		}
		t.assign(o.Actor%t.story.Slots, who)
		views = append(views, own(rules.GetMe, who))
	}
	return views
}
