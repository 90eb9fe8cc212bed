package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

// joinBoth creates two users at once. Where they are there already, or the target does
// not take what they are created with, they come one after the other.
func (t *playthrough) joinBoth(ctx context.Context, first, second Op) []view {
	ops := [2]Op{first, second}
	var made [2]creation
	for i, o := range ops {
		if _, there := t.slots[o.A%t.story.Slots]; there || first.A == second.A {
			return nil
		}
		made[i] = t.newcomer(o.A%t.story.Slots, abs(o.V)%2 == 0)
	}
	both := []*concurrent{{op: first, request: made[0].request(made[0].payload.fields)}, {op: second, request: made[1].request(made[1].payload.fields)}}
	if t.release(ctx, both); t.err != nil {
		return nil
	}
	t.tell("at once: two users are created")
	t.player.Coverage.did(Join, "at once")
	var views []view
	for i, o := range ops {
		if both[i].answer.Refused() {
			t.comeIn(ctx, o.A%t.story.Slots, t.newcomer(o.A%t.story.Slots, made[i].withLogin))
			continue
		}
		known := len(t.world.users)
		who := t.created(made[i], both[i].answer, made[i].payload.fields)
		if who < 0 {
			return nil
		}
		if other, _ := t.world.userByID(idText(t.world.users[who].id)); other < known {
			t.differ(Difference{Rule: "users.id-stable", At: rules.CreateUser, Expected: "an id of its own for each of two users",
				Actual: "id " + idText(t.world.users[who].id) + " for both"})
			t.lost = true
			return nil
		}
		t.settleIn(o.A%t.story.Slots, who)
		views = append(views, own(rules.GetMe, who))
	}
	return views
}
