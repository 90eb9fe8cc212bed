package play

import (
	"context"
	"fmt"
	"time"

	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
)

// perform plays one operation and returns the views that it affects. An operation that makes no
// sense in the current state, or whose outcome is open, is skipped.
func (t *run) perform(ctx context.Context, o story.Op) []world.View {
	if t.err != nil {
		return nil
	}
	action, perform := o.Kind.Action(), performances()[o.Kind].Perform
	if action.Fresh {
		return perform(t, ctx, o, world.Pair{From: -1, To: -1})
	}
	p := world.Pair{From: t.actor(ctx, o.Actor), To: -1}
	if p.From < 0 || !t.state.Users[p.From].Lives() && !action.AllowsDeleted {
		return nil
	}
	if t.story.CrossesApps(o) {
		return t.performCrossApp(ctx, o, p.From)
	}
	if action.OfTwo {
		p.To = t.actor(ctx, o.Other)
		if p.To < 0 || p.To == p.From || !t.state.Users[p.From].Lives() || !t.state.Users[p.To].Lives() {
			return nil
		}
	}
	if perform == nil {
		return nil // it is only tried across applications
	}
	return perform(t, ctx, o, p)
}

// performAudit compares what an audit reads.
func (t *run) performAudit(ctx context.Context, o story.Op, p world.Pair) []world.View {
	a := p.From
	switch o.Extent {
	case story.AuditNames:
		t.compareViews(ctx, t.nameSearches(a)...)
	case story.AuditNameParts:
		t.compareViews(ctx, t.namePartSearches(a)...)
	case story.AuditSharedName:
		t.compareViews(ctx, t.sharedNameSearches()...)
	case story.AuditOwnRecord, story.AuditOwnFeed, story.AuditOwnFollowers, story.AuditOwnFriends:
		t.compareViews(ctx, world.Own(ownAudit(o.Extent), a))
	case story.AuditOthers:
		t.compareViewsAtOnce(ctx, max(story.MostOthers, t.player.options.ReadsAtOnce), t.viewsOfOthers(a))
	case story.AuditVersions:
		t.readVersions(ctx, a)
	case story.AuditThoroughly:
		t.compareViews(ctx, t.thoroughViews()...)
		for _, who := range t.living() {
			if u := t.state.Users[who]; len(u.Passwords) > 0 && u.Passwords[len(u.Passwords)-1] != u.Password {
				t.judgeFormerPassword(ctx, value.Fields{"user_name": u.Name, "password": u.Passwords[len(u.Passwords)-1]})
			}
		}
	case story.AuditPair:
		if b := t.actor(ctx, o.Other); b >= 0 {
			t.compareViews(ctx, t.allViewsOf(a, b)...)
		}
	case story.AuditRepeatedly:
		if b := t.actor(ctx, o.Other); b >= 0 && t.state.Users[a].Lives() && t.state.Users[b].Lives() { // they log in for it
			t.readRepeatedly(ctx, a, b, o.WithRecords)
		}
	default:
		t.compareViews(ctx, t.auditViews(o.Extent)...)
	}
	return nil
}

// wait lets time pass: the hold time, or longer than short-lived caches last.
func (t *run) wait(ctx context.Context, o story.Op, _ world.Pair) []world.View {
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
func (t *run) count(kind story.Kind, circumstance string, args ...any) {
	if t.err == nil {
		t.player.Coverage.countOp(kind, fmt.Sprintf(circumstance, args...))
	}
}

// relationLabel returns how two users are connected, as far as coverage distinguishes it.
func (t *run) relationLabel(p world.Pair) string {
	one, other := t.state.Relation(p), t.state.Relation(p.Reversed())
	return fmt.Sprintf("%d%d%v-%d%d", one.Follow, one.Asked, one.EndedStep > 0, other.Follow, other.Asked)
}
