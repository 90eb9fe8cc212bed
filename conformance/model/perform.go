package model

import (
	"context"
	"fmt"
	"time"
)

// perform plays one operation and returns the views that it affects. An operation that makes no
// sense in the current state, or whose outcome is open, is skipped.
func (t *run) perform(ctx context.Context, o Op) []view {
	if t.err != nil {
		return nil
	}
	action, perform := o.Kind.action(), performances()[o.Kind].Perform
	if action.Fresh {
		return perform(t, ctx, o, pair{-1, -1})
	}
	p := pair{t.actor(ctx, o.Actor), -1}
	if p.from < 0 || !t.state.users[p.from].lives() && !action.AllowsDeleted {
		return nil
	}
	if t.story.crossesApps(o) {
		return t.performCrossApp(ctx, o, p.from)
	}
	if action.OfTwo {
		p.to = t.actor(ctx, o.Other)
		if p.to < 0 || p.to == p.from || !t.state.users[p.from].lives() || !t.state.users[p.to].lives() {
			return nil
		}
	}
	if perform == nil {
		return nil // it is only tried across applications
	}
	return perform(t, ctx, o, p)
}

// performAudit compares what an audit reads.
func (t *run) performAudit(ctx context.Context, o Op, p pair) []view {
	a := p.from
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
	return nil
}

// wait lets time pass: the hold time, or longer than short-lived caches last.
func (t *run) wait(ctx context.Context, o Op, _ pair) []view {
	const long = 6 * time.Second
	pause := t.player.options.Hold
	if o.Long {
		pause = max(pause, long)
	}
	t.logf("some time passes")
	t.pause(ctx, pause)
	return nil
}

// count counts an operation, by its circumstance, for coverage.
func (t *run) count(kind Kind, circumstance string, args ...any) {
	if t.err == nil {
		t.player.Coverage.countOp(kind, fmt.Sprintf(circumstance, args...))
	}
}

// relationLabel returns how two users are connected, as far as coverage distinguishes it.
func (t *run) relationLabel(p pair) string {
	one, other := t.state.relation(p), t.state.relation(p.reversed())
	return fmt.Sprintf("%d%d%v-%d%d", one.follow, one.asked, one.endedStep > 0, other.follow, other.asked)
}
