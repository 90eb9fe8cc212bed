package faults_test

// sequencesOfEventsInFeeds takes the part of the sequence tour that is about feeds as
// events are changed and deleted.
func sequencesOfEventsInFeeds(x *tour) {
	refollowAfterChanges(x)
	deletionFromTheMidst(x)
	changeAfterDeletion(x)
	deletionAfterWhoLeft(x)
	firstFollowAfterChanges(x)
	changesBetweenFollows(x)
	renameAfterChange(x)
	changeOfAnotherAfterDeletion(x)
	oldestDeleted(x)
	deletionBesideAChangedEvent(x)
	deletedBetweenFollows(x)
	verbThereAndBack(x)
	deletionOfBeforeFriendship(x)
	changedThenDeleted(x)
	changeForFriend(x)
	followChangeDeletion(x)
	deletionForLateFollower(x)
}

// refollowAfterChanges deletes an event, and posts another, while nobody follows.
func refollowAfterChanges(x *tour) {
	reader, poster := x.create("follows in turns"), x.create("posts in between")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"deleted"`)
	x.feed(reader)
	x.end(reader, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.post(poster, `"verb":"between"`)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func deletionFromTheMidst(x *tour) {
	reader, poster := x.create("reads before"), x.create("deletes the newer")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"older"`)
	event := x.post(poster, `"verb":"newer"`)
	x.feed(reader)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func changeAfterDeletion(x *tour) {
	reader, poster := x.create("reads the deleted"), x.create("changes the deleted")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
	x.change(poster, event, `"location":"l"`)
	x.feed(reader)
}

func deletionAfterWhoLeft(x *tour) {
	stays, leaves, poster := x.create("stays with it"), x.create("has left it"), x.create("deletes after that")
	x.connect(leaves, poster, "follow")
	x.connect(stays, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.end(leaves, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(stays)
}

func firstFollowAfterChanges(x *tour) {
	reader, poster := x.create("follows at last"), x.create("has changed things")
	changed, deleted := x.post(poster, `"verb":"v","location":"old"`), x.post(poster, `"verb":"deleted"`)
	x.change(poster, changed, `"location":"new"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+deleted, "")
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func changesBetweenFollows(x *tour) {
	reader, poster := x.create("comes and goes"), x.create("changes meanwhile")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.end(reader, poster)
	x.change(poster, event, `"location":"here"`)
	x.connect(reader, poster, "follow")
	x.feed(reader)
	x.end(reader, poster)
	x.feed(reader)
}

func renameAfterChange(x *tour) {
	reader, poster := x.create("reads after the wedding"), x.create("is to marry")
	x.connect(reader, poster, "follow")
	x.change(poster, x.post(poster, `"verb":"v"`), `"location":"changed"`)
	x.rename(&poster, "has married")
	x.feed(reader)
}

func changeOfAnotherAfterDeletion(x *tour) {
	reader, poster := x.create("reads once more"), x.create("deletes and changes")
	x.connect(reader, poster, "follow")
	stays, gone := x.post(poster, `"verb":"stays"`), x.post(poster, `"verb":"goes"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+gone, "")
	x.change(poster, stays, `"location":"L"`)
	x.feed(reader)
}

func oldestDeleted(x *tour) {
	reader, poster := x.create("reads the last of three"), x.create("deletes the first of three")
	x.connect(reader, poster, "follow")
	oldest := x.post(poster, `"verb":"first"`)
	x.post(poster, `"verb":"second"`)
	x.post(poster, `"verb":"third"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+oldest, "")
	x.feed(reader)
}

func deletionBesideAChangedEvent(x *tour) {
	reader, poster := x.create("reads the changed one"), x.create("deletes the other one")
	x.connect(reader, poster, "follow")
	changed, deleted := x.post(poster, `"verb":"changed"`), x.post(poster, `"verb":"deleted"`)
	x.change(poster, changed, `"location":"new"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+deleted, "")
	x.feed(reader)
}

func deletedBetweenFollows(x *tour) {
	reader, poster := x.create("pauses"), x.create("tidies up")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"regretted"`)
	x.end(reader, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func verbThereAndBack(x *tour) {
	reader, poster := x.create("sees there and back"), x.create("goes there and back")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"here"`)
	x.change(poster, event, `"verb":"there"`)
	x.change(poster, event, `"verb":"here"`)
	x.feed(reader)
}

func deletionOfBeforeFriendship(x *tour) {
	reader, poster := x.create("a friend since then"), x.create("posted before then")
	event := x.post(poster, `"verb":"v"`)
	x.befriend(reader, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func changedThenDeleted(x *tour) {
	reader, poster := x.create("reads what changes"), x.create("changes and deletes")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.change(poster, event, text("location", "l"))
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func changeForFriend(x *tour) {
	one, other := x.create("changes for a friend"), x.create("is the friend")
	x.befriend(one, other)
	x.change(one, x.post(one, `"verb":"v"`), `"verb":"w"`)
	x.feed(other)
}

func followChangeDeletion(x *tour) {
	reader, poster := x.create("comes late to news"), x.create("had news early")
	event := x.post(poster, `"verb":"early"`)
	x.connect(reader, poster, "follow")
	x.change(poster, event, `"location":"l"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func deletionForLateFollower(x *tour) {
	early, late, poster := x.create("was there from the start"), x.create("came after the first post"), x.create("deletes its first post")
	x.connect(early, poster, "follow")
	event := x.post(poster, `"verb":"first"`)
	x.connect(late, poster, "follow")
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(early)
	x.feed(late)
}
