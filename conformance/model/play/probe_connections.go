package play

import (
	"context"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// ProbeConnections finds out, with four writes of two users, whether both kinds of connections
// can exist side by side and whether one side ends a friendship for both. Without them most
// histories of connections are open. It is for a target that was not seen to lag.
func (p *Player) ProbeConnections(ctx context.Context, known leeway.Choices) (leeway.Choices, error) {
	l := &choicesProbe{player: p, run: p.newRun(story.Story{Name: "probing connections", Slots: 2, Plain: true}), choices: known}
	kinds := []string{"follow", "friend"}
	if known.FriendsAtOnce == leeway.Yes {
		kinds = []string{"friend", "follow"}
	}
	if known.FriendsAtOnce == leeway.Unknown || l.run.actor(ctx, 0) < 0 || l.run.actor(ctx, 1) < 0 || !l.connects(ctx, 0, kinds...) {
		return known, l.run.err
	}
	first := rules.MyFollows
	if known.FriendsAtOnce == leeway.Yes {
		first = rules.MyFriends
	}
	l.choices.KindsStand.Resolve(l.showsOther(ctx, first))
	if !l.connects(ctx, 1, "friend") || !l.run.sendAs(ctx, 0, l.run.state.Disconnection(world.Pair{From: 0, To: 1})).OK() {
		return l.choices, l.run.err
	}
	if known.FriendsAtOnce == leeway.No && !l.connects(ctx, 0, "friend") { // what is left of the other's shows when the first asks again
		return l.choices, l.run.err
	}
	switch l.showsOther(ctx, rules.MyFriends) {
	case leeway.Yes:
		l.choices.EndsWhole.Resolve(leeway.No)
	case leeway.No:
		l.choices.EndsWhole.Resolve(leeway.Yes)
	}
	return l.choices, l.run.err
}

// connects makes connections between the two users of a probe, and reports whether they were
// taken.
func (l *choicesProbe) connects(ctx context.Context, from int, kinds ...string) bool {
	for _, kind := range kinds {
		answer := l.run.sendAs(ctx, from, l.run.state.Connection(world.Pair{From: from, To: 1 - from}, kind))
		if !answer.OK() {
			return false
		}
	}
	return true
}

// showsOther reports whether a list of the first user shows the second, Unknown where two reads
// do not agree.
func (l *choicesProbe) showsOther(ctx context.Context, list rules.Endpoint) leeway.Tri {
	const between = 100 * time.Millisecond
	shows := func() leeway.Tri {
		objects, ok := l.run.read(ctx, world.Own(list, 0)).Objects()
		if !ok {
			return leeway.Unknown
		}
		return leeway.Known(slices.ContainsFunc(objects, func(o value.Fields) bool { return value.ID(o["id"]) == value.ID(l.run.state.Users[1].ID) }))
	}
	one := shows()
	l.run.pause(ctx, between)
	if other := shows(); other != one {
		return leeway.Unknown
	}
	return one
}

// friends finds out whether one side's friend connection suffices. Nothing is settled where
// only one of the two lists the other.
func (l *choicesProbe) friends(ctx context.Context) {
	if l.do(ctx, story.Op{Kind: story.RequestFriend, Actor: 0, Other: 1}, story.Op{Kind: story.RequestMutually, Actor: 0, Other: 2}); !l.hasUsers(3) {
		return
	}
	asking := l.lists(ctx, world.Own(rules.MyFriends, 0), 1, 2)
	l.do(ctx, story.Op{Kind: story.RequestMutually, Actor: 1, Other: 2})
	if asked := l.lists(ctx, world.Own(rules.MyFriends, 1), 0, 2); asked == asking {
		l.choices.FriendsAtOnce.Resolve(asking)
	}
}

// ends finds out whether one side's end of a friendship ends the other's part too.
func (l *choicesProbe) ends(ctx context.Context) {
	if !l.hasUsers(3) || l.choices.EndsWhole != leeway.Unknown {
		return
	}
	answer := l.run.sendAs(ctx, 0, l.run.state.Disconnection(world.Pair{From: 0, To: 2}))
	if !answer.OK() {
		return
	}
	switch l.choices.FriendsAtOnce {
	case leeway.Unknown:
		return
	case leeway.No: // the friendship has ended either way: whether the other half is left shows when the first asks again
		answer := l.run.sendAs(ctx, 0, l.run.state.Connection(world.Pair{From: 0, To: 2}, "friend"))
		if !answer.OK() {
			return
		}
	}
	if l.do(ctx, story.Op{Kind: story.RequestMutually, Actor: 0, Other: 3}); !l.hasUsers(4) {
		return
	}
	if still := l.lists(ctx, world.Own(rules.MyFriends, 0), 2, 3); still != leeway.Unknown {
		l.choices.EndsWhole.Resolve(leeway.Known(still == leeway.No))
	}
}

// kinds finds out whether a follow and a friend connection can exist side by side.
func (l *choicesProbe) kinds(ctx context.Context) {
	if !l.hasUsers(4) || l.choices.KindsStand != leeway.Unknown {
		return
	}
	if l.do(ctx, story.Op{Kind: story.Follow, Actor: 4, Other: 1}); !l.hasUsers(5) {
		return
	}
	who := l.run.slots[4]
	answer := l.run.sendAs(ctx, who, l.run.state.Connection(world.Pair{From: who, To: l.run.slots[1]}, "friend"))
	if !answer.OK() {
		return
	}
	// Friends may count as followed, so the list of follows shows it only while
	// they are no friends.
	if l.choices.FriendsAtOnce != leeway.No {
		l.kindsAtOnce(ctx, who)
		return
	}
	l.do(ctx, story.Op{Kind: story.Follow, Actor: 4, Other: 3})
	l.choices.KindsStand.Resolve(l.lists(ctx, world.Own(rules.MyFollows, who), l.run.slots[1], l.run.slots[3]))
}

// kindsAtOnce asks in the other order: if a friend who is then followed is no friend any more,
// the connection was replaced.
func (l *choicesProbe) kindsAtOnce(ctx context.Context, who int) {
	third := l.run.slots[3]
	for _, typ := range []string{"friend", "follow"} {
		answer := l.run.sendAs(ctx, who, l.run.state.Connection(world.Pair{From: who, To: third}, typ))
		if !answer.OK() {
			return
		}
	}
	l.do(ctx, story.Op{Kind: story.RequestMutually, Actor: 4, Other: 2})
	l.choices.KindsStand.Resolve(l.lists(ctx, world.Own(rules.MyFriends, who), third, l.run.slots[2]))
}

// social finds out whether connecting by social ids makes connections.
func (l *choicesProbe) social(ctx context.Context) {
	if !l.hasUsers(5) || l.choices.SocialConnects != leeway.Unknown {
		return
	}
	if l.do(ctx, story.Op{Kind: story.Join, Actor: 5}); !l.hasUsers(6) {
		return
	}
	from, to := l.run.slots[1], l.run.slots[5]
	answer := l.run.sendAs(ctx, from, exchange.Request{Endpoint: rules.ConnectSocial, Body: value.Fields{"platform": "facebook", "type": "follow",
		"platform_user_id": l.run.state.Users[from].IdOn(l.run.state.Users[to].Network), "connection_ids": []any{l.run.state.Users[to].Social}}})
	if !answer.OK() {
		return
	}
	l.do(ctx, story.Op{Kind: story.Follow, Actor: 1, Other: 3})
	l.choices.SocialConnects.Resolve(l.lists(ctx, world.Own(rules.MyFollows, from), to, l.run.slots[3]))
}
