package faults_test

// sequencesOfFriends takes the part of the sequence tour that is about friendships which
// are made again, or after a follow.
func sequencesOfFriends(x *tour) {
	friendsAgain(x)
	friendsWhoMadeUp(x)
	friendsAfterAll(x)
	friendsOnceMore(x)
	friendOfFollower(x)
}

func friendsAgain(x *tour) {
	one, other := x.create("ends and regrets"), x.create("forgives")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(other, one)
}

func friendsWhoMadeUp(x *tour) {
	one, other := x.create("ends it and repents"), x.create("is a friend again")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(one, other)
}

func friendsAfterAll(x *tour) {
	one, other := x.create("breaks up"), x.create("is forgiving")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(one, other)
}

func friendsOnceMore(x *tour) {
	one, other := x.create("makes up"), x.create("makes up as well")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.post(other, `"verb":"v"`)
	x.feed(one)
}

func friendOfFollower(x *tour) {
	u, fan := x.create("befriends a fan"), x.create("is the fan")
	x.connect(fan, u, "follow")
	x.connect(u, fan, "friend")
}
