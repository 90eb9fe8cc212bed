package faults_test

import "fmt"

// sequencesOfUsers takes the part of the sequence tour that is about users and their
// records.
func sequencesOfUsers(x *tour) {
	newPasswordAgain(x)
	logoutOfOldSession(x)
	updateInOtherSession(x)
	recordOftenRead(x)
	passwordUsedBefore(x)
	refusedFirstLogin(x)
	updateAfterRefusal(x)
	passwordAfterEmail(x)
	postBesideAnUpdate(x)
	recordsOfTheFollowed(x)
	nameAfterRefusal(x)
	newNameAndPassword(x)
	recordAfterUnfollow(x)
	passwordThereAndBack(x)
	passwordAndBack(x)
	renumberedAndLoggedOut(x)
	deletedAfterSearch(x)
	passwordChangedTwice(x)
	deletionWithoutEvents(x)
	passwordBesideNewEmail(x)
	updateInOlderSession(x)
	readThenDeleted(x)
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

func passwordUsedBefore(x *tour) {
	u := x.create("uses it first")
	x.byName(u.name, password)
	x.update(u, text("password", "the next"))
	x.byName(u.name, password)
}

func refusedFirstLogin(x *tour) {
	looker, u := x.create("looks at logins"), x.idle("was never in")
	x.byName(u.name, "wrong")
	x.send(looker.session, "GET", "/0.2/users/"+u.id, "")
}

func updateAfterRefusal(x *tour) {
	u := x.create("is refused once", text("first_name", "Old"))
	x.update(u, `"first_name":5`)
	x.update(u, text("first_name", "New"), text("url", "https://a.example/new"))
}

func passwordAfterEmail(x *tour) {
	u := x.create("changes both")
	for _, more := range []string{"", `,"password":"the next"`} {
		x.send(u.session, "PUT", "/0.2/user", `{"user_name":"changes both","email":"both@example.org"`+more+`}`)
	}
	x.byName(u.name, "the next")
}

func postBesideAnUpdate(x *tour) {
	u := x.create("in two sessions", text("first_name", "Before"))
	x.send(u.session, "GET", "/0.2/user", "")
	other := u
	other.session = x.byName(u.name, password)
	x.update(other, text("first_name", "After"))
	x.post(u, `"verb":"v"`)
	x.send(other.session, "GET", "/0.2/user", "")
}

func recordsOfTheFollowed(x *tour) {
	fan, stranger, gone := x.create("goes on reading"), x.create("never read"), x.create("goes last")
	x.connect(fan, gone, "follow")
	x.remove(gone)
	for _, u := range []user{stranger, fan} {
		x.send(u.session, "GET", "/0.2/users/"+gone.id, "")
	}
}

func nameAfterRefusal(x *tour) {
	for _, url := range []string{`7`, `"https://a.example/7"`} {
		x.send("", "POST", "/0.2/users", `{"user_name":"tries twice","password":"p","url":`+url+`}`)
	}
}

func newNameAndPassword(x *tour) {
	u := x.create("changes both too")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"changed both","password":"new"}`)
	x.byName("changed both", "new")
}

func recordAfterUnfollow(x *tour) {
	reader, left := x.create("has seen enough"), x.create("is still there")
	x.connect(reader, left, "follow")
	x.end(reader, left)
	x.send(reader.session, "GET", "/0.2/users/"+left.id, "")
}

func passwordThereAndBack(x *tour) {
	u := x.create("goes back")
	for _, secret := range []string{"another", password} {
		x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":"goes back","password":%q}`, secret))
		u.session = x.byName("goes back", secret)
	}
}

func passwordAndBack(x *tour) {
	u := x.create("likes the first one")
	for _, secret := range []string{"in between", password} {
		x.update(u, text("password", secret))
		x.byName(u.name, secret)
	}
}

func renumberedAndLoggedOut(x *tour) {
	u := x.create("is renumbered", text("custom_id", "old-1"))
	x.update(u, text("custom_id", "new-1"))
	older := x.byName("is renumbered", password)
	x.byName("is renumbered", password)
	x.send(older, "DELETE", "/0.2/user/logout", "")
	x.send(older, "GET", "/0.2/user", "")
}

func deletedAfterSearch(x *tour) {
	gone, seeker := x.create("found and gone"), x.create("seeks and reads")
	x.search(seeker, "found and gone")
	x.remove(gone)
	x.send(seeker.session, "GET", "/0.2/users/"+gone.id, "")
}

func passwordChangedTwice(x *tour) {
	u := x.create("changes the password twice")
	for _, next := range []string{"second", "third"} {
		x.update(u, text("password", next))
	}
	for _, tried := range []string{password, "second", "third"} {
		x.byName(u.name, tried)
	}
}

func deletionWithoutEvents(x *tour) {
	looker, u := x.create("looks for who left"), x.create("takes everything along")
	x.send(u.session, "DELETE", "/0.2/user/events/"+x.post(u, `"verb":"v"`), "")
	x.remove(u)
	x.send(looker.session, "GET", "/0.2/users/"+u.id, "")
}

func passwordBesideNewEmail(x *tour) {
	u := x.create("changes both at once")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"changes both at once","email":"both.at.once@example.com","password":"another"}`)
	x.byEmail("both.at.once@example.com", "another")
	x.byEmail("both.at.once@example.com", password)
}

func updateInOlderSession(x *tour) {
	u := x.create("has an old telephone")
	old := u
	old.session = x.byName(u.name, password)
	x.update(u, text("password", "second"))
	x.update(old, text("first_name", "Ida"))
	x.byName(u.name, "second")
	x.byName(u.name, password)
}

// readThenDeleted is read once more by who has read it, and for the first time by another.
func readThenDeleted(x *tour) {
	reader, other, gone := x.create("has read it before"), x.create("never read it before"), x.create("is read and leaves")
	x.send(reader.session, "GET", "/0.2/users/"+gone.id, "")
	x.remove(gone)
	x.send(other.session, "GET", "/0.2/users/"+gone.id, "")
	x.send(reader.session, "GET", "/0.2/users/"+gone.id, "")
}
