package model

import "slices"

// Slots of a town besides those of a purge. The readers come after them.
const (
	star     = secondLeaver // has many followers and events, and leaves in the end
	follower = stays + iota // follows whom it finds by social ids
	friend                  // befriends them
	firstTownsman
)

// TownSize is the size of a town, for runs with few requests to spare.
type TownSize struct {
	Events  int // of the user who has most
	Without int // parts of a full life, the first ones
	Readers int // of the user who leaves
}

// TownSizes are the sizes of towns, the largest first.
func TownSizes() []TownSize {
	const page = 20 // the usual one, which the events of the largest exceed
	var all []TownSize
	for _, posts := range []int{page + 1, 16, 12} {
		for without := range 3 {
			all = append(all, TownSize{posts, without, 15})
		}
	}
	return append(all, TownSize{12, 3, 15}, TownSize{12, 1, 12}, TownSize{12, 2, 12}, TownSize{12, 3, 12}, TownSize{12, 3, 9}, TownSize{12, 5, 9}, TownSize{8, 5, 7})
}

// Town draws the one story that finds most for its requests: a purge among enough users to fill
// a page, one of whom does everything else that a user can do before. Some operations are sent
// concurrently, which costs nothing.
func Town(seed uint64, c Choices, size TownSize) Story {
	d := newDrawer(seed, "town")
	readers := connectionHistories()
	d.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	readers = readers[:min(size.Readers, len(readers))]
	s := Story{Values: d.values(), Name: "town", Slots: firstTownsman + len(readers), Brief: true, Late: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(Op{Kind: Post, A: who, V: d.values()}) }
	together := func(ops ...Op) { add(simultaneous(ops...)...) }
	together(Op{Kind: Post, A: star}, Op{Kind: Post, A: star, V: 1})
	for range size.Events - 2 {
		post(star)
	}
	post(leaver)
	for i, h := range readers {
		add(h.arrival(c, firstTownsman+i)...)
		if i == 0 {
			add(Op{Kind: Follow, A: firstTownsman, B: stays})
		}
		if i == len(readers)/2 {
			add(Op{Kind: Rename, A: leaver, V: d.values()})
		}
	}
	life := d.life(stays, firstTownsman)
	add(slices.Concat(life[size.Without:]...)...)
	add(Op{Kind: Gather, A: follower}, Op{Kind: Gather, A: friend, V: 1}, Op{Kind: Follow, A: follower, B: star})
	together(Op{Kind: Post, A: stays}, Op{Kind: Audit, A: follower})
	together(Op{Kind: Audit, A: follower}, Op{Kind: Post, A: star})
	post(leaver)
	add(Op{Kind: Change, A: leaver, C: 0, V: d.values()})
	together(Op{Kind: Remove, A: leaver, C: 1}, Op{Kind: Change, A: leaver, C: 1})
	add(Op{Kind: Change, A: star, C: size.Events / 2, V: d.values()}, Op{Kind: Remove, A: star, C: size.Events - 1})
	post(leaver)
	last := s.Slots - 1
	for i, h := range readers {
		if h.connect == nil {
			add(Op{Kind: Follow, A: firstTownsman + i, B: leaver})
		}
	}
	post(firstTownsman)
	add(Op{Kind: Follow, A: leaver, B: stays},
		Op{Kind: Audit, V: auditFeeds}, Op{Kind: Audit, A: follower, B: star, V: auditPair}, Op{Kind: Audit, A: friend, B: stays, V: auditPair},
		Op{Kind: Remove, A: star, C: size.Events / 3}, Op{Kind: Remove, A: star}, // which must remove no other event
		Op{Kind: Follow, A: firstTownsman, B: stays}, Op{Kind: Audit, A: follower, B: friend, V: auditRepeatedly},
		Op{Kind: End, A: follower, B: last}, Op{Kind: End, A: follower, B: last}, Op{Kind: End, A: firstTownsman + 1, B: star},
		Op{Kind: Part, A: friend, B: firstTownsman}, Op{Kind: Trespass, A: friend, B: firstTownsman, V: 1},
		Op{Kind: LogIn, A: leaver})
	for i := range readers { // however they are or were connected to the leaver
		add(Op{Kind: Trespass, A: firstTownsman + i, B: leaver, V: trespassRemove})
	}
	add(Op{Kind: Leave, A: leaver}, Op{Kind: Audit, V: auditFeeds}, Op{Kind: UseEnded, A: leaver, V: d.values()})
	together(Op{Kind: End, A: follower, B: stays}, Op{Kind: Post, A: stays})
	add(Op{Kind: Leave, A: last}) // which must remove nothing of the users that it followed
	together(Op{Kind: Leave, A: star}, Op{Kind: LogIn, A: star}, Op{Kind: Post, A: star}, Op{Kind: Follow, A: stays, B: star})
	add(Op{Kind: Return, A: leaver, V: d.values() | 1}, Op{Kind: LogIn, A: leaver})
	post(leaver)
	return s
}

// arrival connects a reader to the two users who will be deleted.
func (h connectionHistory) arrival(c Choices, reader int) []Op {
	var ops []Op
	if h.connect != nil {
		if ops = h.connect(reader); h.name != "friend" { // where both ask, concurrently
			ops = frugally(c, ops)
		}
	}
	return append(sideBySide(ops), Op{Kind: Follow, A: reader, B: star})
}

// simultaneous marks operations to be sent concurrently, in their order.
func simultaneous(ops ...Op) []Op {
	for i := range ops[1:] {
		ops[i].AtOnce = true
	}
	return ops
}

// sideBySide makes two users' requests to each other, and repeated requests, concurrent.
func sideBySide(ops []Op) []Op {
	var all []Op
	for i, o := range ops {
		if o.Kind == Befriend {
			all = append(all, simultaneous(Op{Kind: Ask, A: o.A, B: o.B}, Op{Kind: Ask, A: o.B, B: o.A})...)
			continue
		}
		o.AtOnce = o.Kind == Follow && i+1 < len(ops) && ops[i+1] == o
		all = append(all, o)
	}
	return all
}

// frugally drops the second request of a friendship on targets where one suffices.
func frugally(c Choices, ops []Op) []Op {
	for i := range ops {
		if ops[i].Kind == Befriend && c.FriendsAtOnce == Yes {
			ops[i].Kind = Ask
		}
	}
	return ops
}

// lifeParts is how many parts drawer.life has.
const lifeParts = 5

// life returns, in parts, what can happen to a user, each undone or repeated. A story can leave
// out the first parts.
func (d drawer) life(who, reader int) [lifeParts][]Op {
	record, feed := Op{Kind: Audit, A: who, V: auditOwnRecord}, Op{Kind: Audit, A: reader, V: auditOwnFeed}
	return [lifeParts][]Op{
		{{Kind: Edit, A: who, V: d.values()}, {Kind: Edit, A: who, V: d.values()}, record, {Kind: Revert, A: who}, record, {Kind: Tweak, A: who}},
		{{Kind: Post, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, feed, {Kind: ChangeBack, A: who}, feed, {Kind: Tweak, A: who, V: 1}, feed,
			{Kind: Remove, A: who, AtOnce: true}, {Kind: Remove, A: who}, {Kind: Post, A: who, V: d.values()}},
		{{Kind: Rename, A: who, V: d.values()}, {Kind: Audit, A: who, V: auditNames}, {Kind: Revert, A: who}, {Kind: LogIn, A: who, V: d.values()}},
		{{Kind: LogOut, A: who, AtOnce: true}, {Kind: Audit, A: who, V: 1}, {Kind: LogOut, A: who, AtOnce: true}, {Kind: LogOut, A: who}, {Kind: Edit, A: who, V: d.values()}},
		{{Kind: End, A: reader, B: who}, {Kind: Follow, A: reader, B: who}, {Kind: End, A: reader, B: who}, {Kind: Trespass, A: reader, B: who, V: 1}},
	}
}
