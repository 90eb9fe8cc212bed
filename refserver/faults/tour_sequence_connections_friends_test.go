package faults_test

// sequencesOfFriends takes the part of the sequence tour that is about friendships which
// are made again, or after a follow.
func sequencesOfFriends(x *tour) {
	friendsAgain(x)
	friendOfFollower(x)
	friendsReadBefore(x)
}

func friendsAgain(x *tour) {
	one, other := x.create("ends and regrets"), x.create("forgives")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(one, other)
	x.lists(other, one)
	x.post(other, `"verb":"v"`)
	x.feed(one)
}

func friendOfFollower(x *tour) {
	u, fan := x.create("befriends a fan"), x.create("is the fan")
	x.connect(fan, u, "follow")
	x.connect(u, fan, "friend")
}

func friendsReadBefore(x *tour) {
	u, friend, reader := x.create("proposes it"), x.create("comes to be a friend"), x.create("reads friends twice")
	x.connect(u, friend, "friend")
	x.lists(u, reader)
	x.connect(friend, u, "friend")
	x.lists(u, reader)
}
