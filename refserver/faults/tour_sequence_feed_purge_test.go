package faults_test

import "fmt"

// sequencesOfPurges takes the part of the sequence tour that is about feeds as users
// are deleted.
func sequencesOfPurges(x *tour) {
	purgeAfterEventDeletion(x)
	loginAfterPurge(x)
	unfollowAfterPurge(x)
	renamedFollower(x)
	purgeAfterDeletedFollower(x)
	purgeAfterRefollow(x)
	updateAfterPurge(x)
	followerDeleted(x)
	twoDeletedInTurn(x)
	purgeForWhoCameBack(x)
	postRenameDelete(x)
	purgeAfterNewEmail(x)
	purgeAfterHalfDeleted(x)
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

func loginAfterPurge(x *tour) {
	reader, leaver := x.create("comes back too"), x.create("is gone by then")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.remove(leaver)
	x.feed(reader)
	reader.session = x.byName(reader.name, password)
	x.feed(reader)
}

func unfollowAfterPurge(x *tour) {
	reader, leaver, other := x.create("loses both"), x.create("is deleted first"), x.create("is unfollowed then")
	x.connect(reader, leaver, "follow")
	x.connect(reader, other, "follow")
	x.post(leaver, `"verb":"v"`)
	x.remove(leaver)
	x.feed(reader)
	x.end(reader, other)
	x.feed(reader)
}

func renamedFollower(x *tour) {
	reader, leaver := x.create("is renamed and reads"), x.create("leaves the renamed")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.rename(&reader, "was renamed and reads")
	x.remove(leaver)
	x.feed(reader)
}

func purgeAfterDeletedFollower(x *tour) {
	stays, leaves, poster := x.create("outlives both"), x.create("goes first"), x.create("goes second")
	x.connect(leaves, poster, "follow")
	x.connect(stays, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.remove(leaves)
	x.remove(poster)
	x.feed(stays)
}

func purgeAfterRefollow(x *tour) {
	reader, again, gone := x.create("came back once"), x.create("was missed"), x.create("will be missed")
	x.connect(reader, again, "follow")
	x.end(reader, again)
	x.connect(reader, again, "follow")
	x.connect(reader, gone, "follow")
	x.post(again, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func updateAfterPurge(x *tour) {
	reader, gone := x.create("changes its own record"), x.create("was purged before")
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.update(reader, text("first_name", "Ida"))
	x.feed(reader)
}

func followerDeleted(x *tour) {
	star, leaves, stays := x.create("keeps one of two"), x.create("leaves before the next"), x.create("comes next")
	x.connect(leaves, star, "follow")
	x.connect(stays, star, "follow")
	x.post(star, `"verb":"v"`)
	x.remove(leaves)
	x.feed(stays)
}

func twoDeletedInTurn(x *tour) {
	reader, first, second := x.create("loses both too"), x.create("leaves first of both"), x.create("leaves second of both")
	for _, gone := range []user{first, second} {
		x.connect(reader, gone, "follow")
		x.post(gone, `"verb":"v"`)
	}
	for _, gone := range []user{first, second} {
		x.remove(gone)
		x.feed(reader)
	}
}

func purgeForWhoCameBack(x *tour) {
	reader, gone := x.create("comes back as well"), x.create("leaves after that")
	x.connect(reader, gone, "follow")
	x.end(reader, gone)
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func postRenameDelete(x *tour) {
	follower, gone := x.create("follows through a rename"), x.create("posts under a name")
	x.connect(follower, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.rename(&gone, "leaves under a name")
	x.remove(gone)
	x.feed(follower)
}

func purgeAfterNewEmail(x *tour) {
	fan, u := x.create("follows to the end"), x.create("has a new email and goes")
	x.connect(fan, u, "follow")
	x.post(u, `"verb":"before"`)
	x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"email":"new@example.com"}`, u.name))
	x.post(u, `"verb":"after"`)
	x.remove(u)
	x.feed(fan)
}

func purgeAfterHalfDeleted(x *tour) {
	reader, poster := x.create("reads of deletions"), x.create("deletes half")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"kept"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+x.post(poster, `"verb":"deleted"`), "")
	x.remove(poster)
	x.feed(reader)
}
