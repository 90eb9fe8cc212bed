package faults_test

import "fmt"

func blindSequences(x *tour) {
	friendshipEndsBesideFollow(x)
	followerAfterDeletedOne(x)
	socialFollowEnds(x)
	newPasswordAgain(x)
	logoutOfOldSession(x)
	updateInOtherSession(x)
	deletionAfterRename(x)
	nameTakenOver(x)
	recordOftenRead(x)
	blindFeedSequences(x)
}

// takeOver creates a user by a name that another gave up. The email is a new one,
// since who gave the name up may have kept the email.
func (x *tour) takeOver(name string) user {
	x.t.Helper()
	return x.created(name, fmt.Sprintf(`{"user_name":%q,"email":%q,"password":%q}`, name, "taker of "+name+"@example.com", password))
}

// befriend makes two users friends, as both wish.
func (x *tour) befriend(one, other user) {
	x.connect(one, other, "friend")
	x.connect(other, one, "friend")
}

func friendshipEndsBesideFollow(x *tour) {
	follower, friend := x.create("follower of friend"), x.create("friend who leaves")
	x.connect(follower, friend, "follow")
	x.connect(friend, follower, "friend")
	x.end(friend, follower)
	x.lists(follower, friend)
}

func followerAfterDeletedOne(x *tour) {
	followed, gone, next := x.create("followed by deleted"), x.create("deleted follower"), x.create("next follower")
	x.connect(gone, followed, "follow")
	x.remove(gone)
	x.lists(followed, next)
	x.connect(next, followed, "follow")
	x.lists(followed, next)
}

func socialFollowEnds(x *tour) {
	followed, follower := x.create("socially followed", `"social_ids":{"t":"brief"}`), x.create("social follower")
	x.send(follower.session, "POST", "/0.2/user/connections/social",
		`{"platform":"t","type":"follow","platform_user_id":"1","connection_ids":["brief"]}`)
	x.lists(followed, follower)
	x.end(follower, followed)
	x.lists(followed, follower)
}

func newPasswordAgain(x *tour) {
	u := x.create("careful")
	x.update(u, text("password", "second"))
	x.byName("careful", "second")
	x.update(u, text("password", "second"), text("first_name", "X"))
	x.byName("careful", "second")
}

// logoutOfOldSession ends a session that has not seen the latest names of its user.
func logoutOfOldSession(x *tour) {
	u := x.create("two sessions", text("first_name", "Old"))
	old := u.session
	u.session = x.byName("two sessions", password)
	x.update(u, text("first_name", "New"))
	x.send(old, "DELETE", "/0.2/user/logout", "")
	x.send(u.session, "GET", "/0.2/user", "")
}

func updateInOtherSession(x *tour) {
	u := x.create("seen twice", text("first_name", "Old"))
	other := x.byName("seen twice", password)
	x.send(other, "GET", "/0.2/user", "")
	x.update(u, text("first_name", "New"))
	x.send(other, "GET", "/0.2/user", "")
}

func deletionAfterRename(x *tour) {
	u := x.create("known before")
	x.rename(&u, "known after")
	latest := x.byName("known after", password)
	x.send(latest, "DELETE", "/0.2/user", "")
	x.send(u.session, "GET", "/0.2/user", "")
	x.send(latest, "GET", "/0.2/user", "")
}

// nameTakenOver has two bearers of a name, one after the other: what is found by it
// is the second's, and what was posted under it is the first's.
func nameTakenOver(x *tour) {
	reader, first := x.create("reader of both"), x.create("coveted")
	x.connect(reader, first, "follow")
	event := x.post(first, `"verb":"v"`)
	x.rename(&first, "yielding")
	second := x.takeOver("coveted")
	x.search(reader, "coveted")
	x.change(second, event, `"location":"mine"`)
	x.feed(reader)
	x.remove(second)
	x.feed(reader)
}

// recordOftenRead is read in the other application before and after that, since a
// cache that is filled by readings is empty at first.
func recordOftenRead(x *tour) {
	often, looker := x.create("often read"), x.create("looks often")
	path := "/0.2/users/" + often.id
	x.in(secondApp, func() {
		stranger := x.create("stranger")
		x.send(stranger.session, "GET", path, "")
		x.in(firstApp, func() {
			for range 3 {
				x.send(looker.session, "GET", path, "")
			}
		})
		x.send(stranger.session, "GET", path, "")
	})
}
