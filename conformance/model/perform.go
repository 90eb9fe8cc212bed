package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// perform plays one operation and returns the views that it affects. One that
// makes no sense in the state of the world, or whose outcome is open, is passed over.
func (t *telling) perform(ctx context.Context, o Op) ([]view, error) {
	a, err := t.actor(ctx, o.A)
	if err != nil || a < 0 {
		return nil, err
	}
	u := t.world.users[a]
	if o.Kind == Return && !u.lives() {
		return t.comeBack(ctx, o, a)
	}
	if !u.lives() && o.Kind != Haunt && o.Kind != Audit && o.Kind != Rest {
		return nil, nil
	}
	if o.Kind.ofTwo() {
		return t.performOn(ctx, o, a)
	}
	switch o.Kind {
	case LogIn:
		return t.logIn(ctx, a, []string{"user_name", "email"}[abs(o.V)%2])
	case LogOut:
		return t.logOut(ctx, a, o.C)
	case Leave:
		return t.leave(ctx, a)
	case Edit, Rename, Repassword, Revert:
		return t.edit(ctx, o, a)
	case Tweak:
		if o.V%2 == 1 {
			return t.change(ctx, o, a)
		}
		return t.edit(ctx, o, a)
	case Gather:
		return t.gather(ctx, o, a)
	case Post:
		return t.post(ctx, o, a)
	case Change, ChangeBack:
		return t.change(ctx, o, a)
	case Remove:
		return t.remove(ctx, o, a)
	case Haunt:
		return t.haunt(ctx, o, a)
	case Audit:
		if o.V == ofTwo || o.V == overAndOver {
			b, err := t.actor(ctx, o.B)
			if err != nil || b < 0 {
				return nil, err
			}
			if o.V == overAndOver {
				return nil, t.readAgain(ctx, a, b)
			}
			return nil, t.look(ctx, t.wholly(a, b)...)
		}
		if o.V == names {
			return nil, t.look(ctx, t.called(a)...)
		}
		return nil, t.look(ctx, t.audit(o.V)...)
	case Rest:
		t.tell("some time passes")
		return nil, t.player.options.Pause(ctx, t.player.options.Hold)
	}
	return nil, nil
}

// performOn plays an operation of a user on another.
func (t *telling) performOn(ctx context.Context, o Op, a int) ([]view, error) {
	b, err := t.actor(ctx, o.B)
	if err != nil || b < 0 || b == a || !t.world.users[b].lives() {
		return nil, err
	}
	p := pair{a, b}
	switch o.Kind {
	case Follow:
		return t.connect(ctx, p, Follow)
	case Ask:
		return t.connect(ctx, p, Ask)
	case Befriend:
		views, err := t.connect(ctx, p, Ask)
		if err != nil {
			return nil, err
		}
		_, err = t.connect(ctx, p.reversed(), Ask)
		return append(views, own(rules.Feed, b), own(rules.MyFriends, b)), err
	case End:
		return t.end(ctx, p)
	case Part:
		return t.part(ctx, p)
	case Social:
		return t.social(ctx, o, p)
	case Meddle:
		return t.meddle(ctx, o, p)
	}
	return nil, nil
}

func abs(n int) int { return max(n, -n) }

// covered notes what an operation met.
func (t *telling) covered(kind Kind, circumstance string, args ...any) {
	t.player.Coverage.did(kind, fmt.Sprintf(circumstance, args...))
}

// between two users: what coverage tells apart.
func (t *telling) standing(p pair) string {
	one, other := t.world.relation(p), t.world.relation(p.reversed())
	return fmt.Sprintf("%d%d%v-%d%d", one.follow, one.asked, one.ended > 0, other.follow, other.asked)
}
