package model

import (
	"context"
	"fmt"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// perform plays one operation and returns the views that it affects. An operation that makes no
// sense in the current state, or whose outcome is open, is skipped.
func (t *playthrough) perform(ctx context.Context, o Op) []view {
	if t.err != nil {
		return nil
	}
	if o.Kind == TakeNames {
		return t.takeNames(ctx, o)
	}
	if o.Kind == Join && o.WithoutLogin {
		return t.join(ctx, o.Actor)
	}
	a := t.actor(ctx, o.Actor)
	if a < 0 {
		return nil
	}
	u := t.state.users[a]
	if o.Kind == Recreate && !u.lives() {
		return t.recreate(ctx, o, a)
	}
	if !u.lives() && !o.Kind.action().AllowsDeleted {
		return nil
	}
	if o.Kind.action().OfTwo {
		return t.performOn(ctx, o, a)
	}
	return t.performAlone(ctx, o, a)
}

// performAlone plays an operation that concerns no second user.
func (t *playthrough) performAlone(ctx context.Context, o Op, a int) []view {
	switch o.Kind {
	case LogIn:
		return t.logIn(ctx, a, o.loginName(), o.WithDetails)
	case LogOut:
		return t.logOut(ctx, a, o.Session)
	case DeleteUser:
		return t.leave(ctx, a)
	case Edit, Rename, ChangePassword, Revert, UpdateSimilar:
		return t.edit(ctx, o, a)
	case ConnectAllBySocialID:
		return t.gather(ctx, o, a)
	case Post:
		return t.post(ctx, o, a)
	case Change, ChangeBack, UpdateEventSimilar:
		return t.change(ctx, o, a)
	case Remove:
		return t.remove(ctx, o, a)
	case UseEnded:
		return t.useEnded(ctx, o, a)
	case UseDeleted:
		return t.useDeleted(ctx, o, a)
	case SendDefect:
		return t.sendDefect(ctx, o, a)
	case Audit:
		t.performAudit(ctx, o, a)
	case Wait:
		t.rest(ctx, o)
	}
	return nil
}

// performAudit compares what an audit reads.
func (t *playthrough) performAudit(ctx context.Context, o Op, a int) {
	switch o.Extent {
	case AuditNames:
		t.compareViews(ctx, t.nameSearches(a)...)
	case AuditNameParts:
		t.compareViews(ctx, t.namePartSearches(a)...)
	case AuditSharedName:
		t.compareViews(ctx, t.sharedNameSearches()...)
	case AuditOwnRecord, AuditOwnFeed, AuditOwnFollowers, AuditOwnFriends:
		t.compareViews(ctx, own(ownAudit(o.Extent), a))
	case AuditOthers:
		t.compareViewsAtOnce(ctx, max(mostOthers, t.player.options.ReadsAtOnce), t.viewsOfOthers(a))
	case AuditVersions:
		t.readVersions(ctx, a)
	case AuditThoroughly:
		t.compareViews(ctx, t.thoroughViews()...)
		for _, who := range t.living() {
			if u := t.state.users[who]; len(u.passwords) > 0 && u.passwords[len(u.passwords)-1] != u.password {
				t.judgeFormerPassword(ctx, Fields{"user_name": u.name, "password": u.passwords[len(u.passwords)-1]})
			}
		}
	case AuditPair:
		if b := t.actor(ctx, o.Other); b >= 0 {
			t.compareViews(ctx, t.allViewsOf(a, b)...)
		}
	case AuditRepeatedly:
		if b := t.actor(ctx, o.Other); b >= 0 && t.state.users[a].lives() && t.state.users[b].lives() { // they log in for it
			t.readRepeatedly(ctx, a, b, o.WithRecords)
		}
	default:
		t.compareViews(ctx, t.auditViews(o.Extent)...)
	}
}

// performOn plays an operation of a user on another.
func (t *playthrough) performOn(ctx context.Context, o Op, a int) []view {
	if t.story.crossesApps(o) {
		return t.performCrossApp(ctx, o, a)
	}
	b := t.actor(ctx, o.Other)
	if b < 0 || b == a || !t.state.users[a].lives() || !t.state.users[b].lives() {
		return nil
	}
	p := pair{a, b}
	switch o.Kind {
	case Follow, RequestFriend:
		return t.connect(ctx, p, o.Kind)
	case RequestMutually:
		views := t.connect(ctx, p, RequestFriend)
		t.connect(ctx, p.reversed(), RequestFriend)
		return append(views, own(rules.Feed, b), own(rules.MyFriends, b))
	case End:
		return t.end(ctx, p)
	case DisconnectBoth:
		return t.part(ctx, p)
	case ConnectBySocialID:
		return t.social(ctx, o, p)
	case WriteForeign:
		return t.performTrespass(ctx, o, p)
	}
	return nil
}

// rest lets time pass: the hold time, or longer than short-lived caches last.
func (t *playthrough) rest(ctx context.Context, o Op) {
	const long = 6 * time.Second
	pause := t.player.options.Hold
	if o.Long {
		pause = max(pause, long)
	}
	t.logf("some time passes")
	t.pause(ctx, pause)
}

// count counts an operation, by its circumstance, for coverage.
func (t *playthrough) count(kind Kind, circumstance string, args ...any) {
	if t.err == nil {
		t.player.Coverage.countOp(kind, fmt.Sprintf(circumstance, args...))
	}
}

// relationLabel returns how two users are connected, as far as coverage distinguishes it.
func (t *playthrough) relationLabel(p pair) string {
	one, other := t.state.relation(p), t.state.relation(p.reversed())
	return fmt.Sprintf("%d%d%v-%d%d", one.follow, one.asked, one.endedStep > 0, other.follow, other.asked)
}
