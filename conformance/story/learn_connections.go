package story

import (
	"context"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// connect asks for a connection whatever its outcome, and reports whether it was taken.
func (l *learner) connect(ctx context.Context, from, to int, typ string) bool {
	u, there := l.user(ctx, to)
	return there && l.ask(ctx, from, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": u.id, "type": typ}}).OK()
}

// lists reports whether a user's list shows another one. It waits for a control, a user who was
// connected later: before the list shows the control, a missing user may only be late.
func (l *learner) lists(ctx context.Context, list rules.Endpoint, role, whom, control int) Tri {
	w := l.run.world()
	for waited := time.Duration(0); ; waited += pauseOf(waited) {
		answer := l.ask(ctx, role, Request{Endpoint: list})
		objects, _ := answer.objects()
		shows := func(role int) bool {
			who, _ := w.who(role, false)
			return who >= 0 && slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(w.users[who].id) })
		}
		if shows(control) {
			l.lag = max(l.lag, waited)
			return tri(shows(whom))
		}
		if waited >= l.player.options.Settle || l.run.err != nil {
			return Unknown
		}
		l.run.pause(ctx, pauseOf(waited))
	}
}

// pauseOf returns how long to wait before the next read.
func pauseOf(waited time.Duration) time.Duration {
	const shortest, longest = 15 * time.Millisecond, 200 * time.Millisecond
	return min(max(waited, shortest), longest)
}

// friends finds out whether one side's friend connection suffices. Nothing is settled if only one
// of the two lists the other.
func (l *learner) friends(ctx context.Context) {
	if !l.connect(ctx, 1, 2, friend) || !l.connect(ctx, 1, 3, friend) {
		return
	}
	l.connect(ctx, 3, 1, friend) // which may be refused if one side sufficed
	asking := l.lists(ctx, rules.MyFriends, 1, 2, 3)
	l.connect(ctx, 2, 3, friend)
	l.connect(ctx, 3, 2, friend)
	if asked := l.lists(ctx, rules.MyFriends, 2, 1, 3); asked == asking {
		l.choices.FriendsAtOnce.resolve(asking)
	}
}

// ends finds out whether one side's end of a friendship ends the other's part too.
func (l *learner) ends(ctx context.Context) {
	third, there := l.user(ctx, 3)
	if !there || l.choices.EndsWhole != Unknown || l.choices.FriendsAtOnce == Unknown {
		return
	}
	if !l.ask(ctx, 1, Request{Endpoint: rules.DeleteConnection, ID: idText(third.id)}).OK() {
		return
	}
	if l.choices.FriendsAtOnce == No && !l.connect(ctx, 1, 3, friend) { // whether the other half is left shows when the first asks again
		return
	}
	if !l.connect(ctx, 1, 4, friend) {
		return
	}
	l.connect(ctx, 4, 1, friend)
	if still := l.lists(ctx, rules.MyFriends, 1, 3, 4); still != Unknown {
		l.choices.EndsWhole.resolve(tri(still == No))
	}
}

// kinds finds out whether a follow and a friend connection can exist side by side. Friends may count
// as followed, so the list of follows shows it only while they are no friends; where they are at
// once, it shows whether a friend who is then followed still is one.
func (l *learner) kinds(ctx context.Context) {
	if l.choices.KindsStand != Unknown || l.choices.FriendsAtOnce == Unknown {
		return
	}
	if l.choices.FriendsAtOnce == No {
		if l.connect(ctx, 5, 2, follow) && l.connect(ctx, 5, 2, friend) && l.connect(ctx, 5, 4, follow) {
			l.choices.KindsStand.resolve(l.lists(ctx, rules.MyFollows, 5, 2, 4))
		}
		return
	}
	if l.connect(ctx, 5, 4, friend) && l.connect(ctx, 5, 4, follow) && l.connect(ctx, 5, 3, friend) {
		l.choices.KindsStand.resolve(l.lists(ctx, rules.MyFriends, 5, 4, 3))
	}
}

// social finds out whether connecting by social ids makes connections.
func (l *learner) social(ctx context.Context) {
	to, there := l.user(ctx, 6)
	from, known := l.user(ctx, 2)
	if !there || !known || l.choices.SocialConnects != Unknown {
		return
	}
	network, id, certain := to.socialID("")
	if !certain || !l.ask(ctx, 2, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": network, "type": follow, "platform_user_id": from.name, "connection_ids": []any{id}}}).OK() {
		return
	}
	if l.connect(ctx, 2, 4, follow) {
		l.choices.SocialConnects.resolve(l.lists(ctx, rules.MyFollows, 2, 6, 4))
	}
}
