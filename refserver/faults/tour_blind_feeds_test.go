package faults_test

func blindFeedSequences(x *tour) {
	emptyFeedFirst(x)
	purgeAfterEventDeletion(x)
	changeAfterUnfollow(x)
	changeOfDeletedEvent(x)
	refusedChangeOfAnothers(x)
	purgeOfFormerFriend(x)
	loginAfterPurge(x)
	followAfterFriendship(x)
}

// emptyFeedFirst reads a feed before there is a connection that could fill it.
func emptyFeedFirst(x *tour) {
	reader, poster := x.create("early reader"), x.create("earlier poster")
	x.post(poster, `"verb":"v"`)
	x.feed(reader)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func purgeAfterEventDeletion(x *tour) {
	reader, leaver := x.create("reader of rest"), x.create("leaves in steps")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"oldest"`)
	event := x.post(leaver, `"verb":"deleted"`)
	x.post(leaver, `"verb":"latest"`)
	x.send(leaver.session, "DELETE", "/0.2/user/events/"+event, "")
	x.remove(leaver)
	x.feed(reader)
}

func changeAfterUnfollow(x *tour) {
	reader, poster := x.create("former reader"), x.create("changes later")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.feed(reader)
	x.end(reader, poster)
	x.feed(reader)
	x.change(poster, event, `"verb":"w"`)
	x.feed(reader)
}

func changeOfDeletedEvent(x *tour) {
	u := x.create("posts again")
	event := x.post(u, `"verb":"v"`)
	x.send(u.session, "DELETE", "/0.2/user/events/"+event, "")
	x.change(u, event, `"verb":"w"`)
	x.post(u, `"verb":"next"`)
	x.change(u, event, `"verb":"w"`)
}

// refusedChangeOfAnothers is followed by a change of the owner's, of another field:
// it must not bring along what was refused.
func refusedChangeOfAnothers(x *tour) {
	owner, other := x.create("owner"), x.create("no owner")
	event := x.post(owner, `"verb":"v","location":"here"`)
	x.change(other, event, `"location":"there"`)
	x.change(owner, event, `"priority":"1"`)
}

func purgeOfFormerFriend(x *tour) {
	reader, leaver := x.create("left follower"), x.create("left friend")
	x.befriend(reader, leaver)
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.end(leaver, reader)
	x.feed(reader)
	x.remove(leaver)
	x.feed(reader)
}

func loginAfterPurge(x *tour) {
	reader, leaver := x.create("comes back"), x.create("is gone by then")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.remove(leaver)
	x.feed(reader)
	reader.session = x.byName(reader.name, password)
	x.feed(reader)
}

func followAfterFriendship(x *tour) {
	reader, poster := x.create("follows after"), x.create("ends friendship")
	x.befriend(reader, poster)
	x.post(poster, `"verb":"before"`)
	x.end(poster, reader)
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"after"`)
	x.feed(reader)
}
