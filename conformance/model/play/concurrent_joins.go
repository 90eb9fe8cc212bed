package play

import (
	"context"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// createBoth creates two users concurrently. If one of them exists already, or the target refuses
// the values, they are created one after the other.
func (t *run) createBoth(ctx context.Context, first, second story.Op) []world.View {
	ops := [2]story.Op{first, second}
	var made [2]userCreation
	for i, o := range ops {
		if _, there := t.slots[o.Actor%t.story.Slots]; there || first.Actor == second.Actor {
			return nil
		}
		made[i] = t.newUser(o.Actor%t.story.Slots, !o.WithoutLogin)
	}
	both := []*concurrentOp{{op: first, write: write{request: made[0].request(made[0].payload.Fields)}}, {op: second, write: write{request: made[1].request(made[1].payload.Fields)}}}
	if t.sendAll(ctx, both); t.err != nil {
		return nil
	}
	t.logf("at once: two users are created")
	t.player.Coverage.countOp(story.Join, "at once")
	var views []world.View
	for i, o := range ops {
		if both[i].answer.Refused() {
			t.createIn(ctx, o.Actor%t.story.Slots, t.newUser(o.Actor%t.story.Slots, made[i].withLogin))
			continue
		}
		known := len(t.state.Users)
		who := t.created(made[i], both[i].answer, made[i].payload.Fields)
		if who < 0 {
			return nil
		}
		if other, _ := t.state.UserByID(value.ID(t.state.Users[who].ID)); other < known {
			t.recordDifference(blame.Difference{Rule: "users.id-stable", At: rules.CreateUser, Expected: "different ids for two users",
				Actual: "id " + value.ID(t.state.Users[who].ID) + " for both"})
			t.lost = true
			return nil
		}
		t.assign(o.Actor%t.story.Slots, who)
		views = append(views, world.Own(rules.GetMe, who))
	}
	return views
}
