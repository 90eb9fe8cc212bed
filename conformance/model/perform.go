package model

import (
	"context"
	"fmt"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// perform plays one operation and returns the views that it affects. One that
// makes no sense in the state of the world, or whose outcome is open, is passed over.
func (t *playthrough) perform(ctx context.Context, o Op) []view {
	if t.err != nil {
		return nil
	}
	if o.Kind == Namesake {
		return t.becomeNamesake(ctx, o)
	}
	if o.Kind == Join && abs(o.V)%2 == 1 {
		return t.join(ctx, o.A)
	}
	a := t.actor(ctx, o.A)
	if a < 0 {
		return nil
	}
	u := t.world.users[a]
	if o.Kind == Return && !u.lives() {
		return t.comeBack(ctx, o, a)
	}
	if !u.lives() && !o.Kind.ofAnyone() {
		return nil
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
	case UseEnded:
		return t.useEnded(ctx, o, a)
	case Audit:
		t.performAudit(ctx, o, a)
	case Rest:
		t.rest(ctx, o)
	}
	return nil
}

// performAudit reads what an audit is of, and judges it.
func (t *playthrough) performAudit(ctx context.Context, o Op, a int) {
	switch o.V {
	case names:
		t.look(ctx, t.called(a)...)
	case parts:
		t.look(ctx, t.byParts(a)...)
	case ofKin:
		t.look(ctx, t.ofKin()...)
	case ownRecord:
		t.look(ctx, own(rules.GetMe, a))
	case ownFeed:
		t.look(ctx, own(rules.Feed, a))
	case thoroughly:
		t.look(ctx, t.fromAllSides()...)
	case ofTwo:
		if b := t.actor(ctx, o.B); b >= 0 {
			t.look(ctx, t.wholly(a, b)...)
		}
	case overAndOver:
		if b := t.actor(ctx, o.B); b >= 0 {
			t.readAgain(ctx, a, b, abs(o.C)%2 == 1)
		}
	default:
		t.look(ctx, t.audit(o.V)...)
	}
}

// performOn plays an operation of a user on another.
func (t *playthrough) performOn(ctx context.Context, o Op, a int) []view {
	if t.story.crosses(o) {
		return t.cross(ctx, o, a)
	}
	b := t.actor(ctx, o.B)
	if b < 0 || b == a || !t.world.users[a].lives() || !t.world.users[b].lives() {
		return nil
	}
	p := pair{a, b}
	switch o.Kind {
	case Follow, Ask:
		return t.connect(ctx, p, o.Kind)
	case Befriend:
		views := t.connect(ctx, p, Ask)
		t.connect(ctx, p.reversed(), Ask)
		return append(views, own(rules.Feed, b), own(rules.MyFriends, b))
	case End:
		return t.end(ctx, p)
	case Part:
		return t.part(ctx, p)
	case Social:
		return t.social(ctx, o, p)
	case Trespass:
		return t.trespass(ctx, o, p)
	}
	return nil
}

// rest lets time pass: a while, or longer than what is stored for a short time lasts.
func (t *playthrough) rest(ctx context.Context, o Op) {
	const long = 6 * time.Second
	pause := t.player.options.Hold
	if abs(o.V)%2 == 1 {
		pause = max(pause, long)
	}
	t.tell("some time passes")
	t.pause(ctx, pause)
}

func abs(n int) int { return max(n, -n) }

// covered notes what an operation met.
func (t *playthrough) covered(kind Kind, circumstance string, args ...any) {
	if t.err == nil {
		t.player.Coverage.did(kind, fmt.Sprintf(circumstance, args...))
	}
}

// standing is what stands between two users, as far as coverage tells it apart.
func (t *playthrough) standing(p pair) string {
	one, other := t.world.relation(p), t.world.relation(p.reversed())
	return fmt.Sprintf("%d%d%v-%d%d", one.follow, one.asked, one.ended > 0, other.follow, other.asked)
}
