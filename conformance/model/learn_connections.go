package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

// friends finds whether one side's friend connection suffices. Where it does for one of the
// two, but not for the other, nothing is settled.
func (l *learning) friends(ctx context.Context) {
	if l.do(ctx, Op{Kind: Ask, A: 0, B: 1}, Op{Kind: Befriend, A: 0, B: 2}); !l.have(3) {
		return
	}
	asking := l.lists(ctx, own(rules.MyFriends, 0), 1, 2)
	l.do(ctx, Op{Kind: Befriend, A: 1, B: 2})
	if asked := l.lists(ctx, own(rules.MyFriends, 1), 0, 2); asked == asking {
		l.c.FriendsAtOnce.settle(asking)
	}
}

// ends finds whether one side's end of a friendship ends the other's part too.
func (l *learning) ends(ctx context.Context) {
	if !l.have(3) || l.c.EndsWhole != Unknown {
		return
	}
	answer := l.t.sendAs(ctx, 0, Request{Endpoint: rules.DeleteConnection, ID: idText(l.t.world.users[2].id)})
	if !answer.OK() {
		return
	}
	switch l.c.FriendsAtOnce {
	case Unknown:
		return
	case No: // it is over either way: what is left of it shows when the one who ended it asks again
		answer := l.t.sendAs(ctx, 0, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": l.t.world.users[2].id, "type": "friend"}})
		if !answer.OK() {
			return
		}
	}
	if l.do(ctx, Op{Kind: Befriend, A: 0, B: 3}); !l.have(4) {
		return
	}
	if still := l.lists(ctx, own(rules.MyFriends, 0), 2, 3); still != Unknown {
		l.c.EndsWhole.settle(tri(still == No))
	}
}

// kinds finds whether a follow and a friend connection stand side by side.
func (l *learning) kinds(ctx context.Context) {
	if !l.have(4) || l.c.KindsStand != Unknown {
		return
	}
	if l.do(ctx, Op{Kind: Follow, A: 4, B: 1}); !l.have(5) {
		return
	}
	who := l.t.slots[4]
	answer := l.t.sendAs(ctx, who, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": l.t.world.users[l.t.slots[1]].id, "type": "friend"}})
	if !answer.OK() {
		return
	}
	// Friends may count as followed, so that the list of follows tells only where
	// they are no friends: by what the followed lists before both are.
	if l.c.FriendsAtOnce != No {
		l.kindsAtOnce(ctx, who)
		return
	}
	l.do(ctx, Op{Kind: Follow, A: 4, B: 3})
	l.c.KindsStand.settle(l.lists(ctx, own(rules.MyFollows, who), l.t.slots[1], l.t.slots[3]))
}

// kindsAtOnce asks in the other order: a friend who is then followed and is none
// any more has been replaced.
func (l *learning) kindsAtOnce(ctx context.Context, who int) {
	third := l.t.slots[3]
	for _, typ := range []string{"friend", "follow"} {
		answer := l.t.sendAs(ctx, who, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": l.t.world.users[third].id, "type": typ}})
		if !answer.OK() {
			return
		}
	}
	l.do(ctx, Op{Kind: Befriend, A: 4, B: 2})
	l.c.KindsStand.settle(l.lists(ctx, own(rules.MyFriends, who), third, l.t.slots[2]))
}

// social finds whether connecting by social ids makes connections.
func (l *learning) social(ctx context.Context) {
	if !l.have(5) || l.c.SocialConnects != Unknown {
		return
	}
	if l.do(ctx, Op{Kind: Join, A: 5}); !l.have(6) {
		return
	}
	from, to := l.t.slots[1], l.t.slots[5]
	answer := l.t.sendAs(ctx, from, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": "facebook", "type": "follow",
		"platform_user_id": l.t.world.users[from].terms["first_name"], "connection_ids": []any{l.t.world.users[to].social}}})
	if !answer.OK() {
		return
	}
	l.do(ctx, Op{Kind: Follow, A: 1, B: 3})
	l.c.SocialConnects.settle(l.lists(ctx, own(rules.MyFollows, from), to, l.t.slots[3]))
}
