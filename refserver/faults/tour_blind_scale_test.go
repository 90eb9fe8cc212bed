package faults_test

import (
	"fmt"
	"time"
)

func blindScale(x *tour) {
	logoutOfLatestSession(x)
	deletionInLatestSession(x)
	changeOfOldEvent(x)
	manyFriends(x)
	searchBehindDeleted(x)
}

// logoutOfLatestSession has the session of the create for the first of four.
func logoutOfLatestSession(x *tour) {
	x.create("four sessions")
	var latest string
	for range 3 {
		latest = x.byName("four sessions", password)
	}
	x.send(latest, "DELETE", "/0.2/user/logout", "")
	x.send(latest, "GET", "/0.2/user", "")
}

func deletionInLatestSession(x *tour) {
	sessions := []string{x.create("six sessions").session}
	for range 5 {
		sessions = append(sessions, x.byName("six sessions", password))
	}
	x.send(sessions[5], "DELETE", "/0.2/user", "")
	for _, session := range sessions {
		x.send(session, "GET", "/0.2/user", "")
	}
}

func changeOfOldEvent(x *tour) {
	u := x.create("eleven events")
	oldest := x.post(u, `"verb":"oldest"`)
	for range 10 {
		x.post(u, `"verb":"v"`)
	}
	x.change(u, oldest, `"location":"x"`)
}

func manyFriends(x *tour) {
	reader := x.create("many friends")
	for i := range 9 {
		friend := x.create(fmt.Sprint("friend ", i))
		x.befriend(reader, friend)
		x.post(friend, `"verb":"v"`)
	}
	x.feed(reader)
}

// searchBehindDeleted finds by the user name alone: the emails do not have the term.
func searchBehindDeleted(x *tour) {
	create := func(name string, i int) user {
		return x.created(name, fmt.Sprintf(`{"user_name":%q,"email":"behind%d@example.com","password":%q}`, name, i, password))
	}
	for i := range 5 {
		x.remove(create(fmt.Sprintf("ann-zork-%d", i), i))
	}
	x.search(create("bob-zork-b", 5), "zork")
}

func blindRepetition(x *tour) {
	wrongPasswordTwice(x)
	followTwiceAndEnd(x)
	fiveFeedsOfFollowed(x)
	threeDeletions(x)
	sameChangeOfTwo(x)
}

func wrongPasswordTwice(x *tour) {
	x.create("insisted on")
	for range 2 {
		x.byName("insisted on", "wrong")
	}
}

func followTwiceAndEnd(x *tour) {
	reader, poster := x.create("follows twice"), x.create("followed twice")
	for range 2 {
		x.connect(reader, poster, "follow")
	}
	x.post(poster, `"verb":"v"`)
	x.feed(reader)
	x.end(reader, poster)
	x.lists(reader, poster)
}

// fiveFeedsOfFollowed are of one whose follower alone has posted.
func fiveFeedsOfFollowed(x *tour) {
	followed, follower := x.create("reads five times"), x.create("follows who reads")
	x.connect(follower, followed, "follow")
	x.post(follower, `"verb":"v"`)
	for range 5 {
		x.feed(followed)
	}
}

func threeDeletions(x *tour) {
	reader, poster := x.create("reader of deletions"), x.create("deletes three")
	x.connect(reader, poster, "follow")
	var events []string
	for range 3 {
		events = append(events, x.post(poster, `"verb":"v"`))
	}
	for _, event := range events {
		x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	}
	x.feed(reader)
}

func sameChangeOfTwo(x *tour) {
	u := x.create("changes alike")
	for _, event := range []string{x.post(u, `"verb":"v"`), x.post(u, `"verb":"w"`)} {
		x.change(u, event, `"location":"x"`)
	}
}

// blindTime waits once for all: each of what it asks has changed by then, if at all.
func blindTime(x *tour) {
	changed, other, poster := x.create("changes password"), x.create("waits by email"), x.create("owns for long")
	x.update(changed, text("password", "second"))
	event := x.post(poster, `"verb":"v"`)
	for range 2 {
		x.byName("changes password", password)
		x.byName("changes password", "second")
		x.byEmail("waits by email@example.com", password)
		x.send(other.session, "DELETE", "/0.2/user/events/"+event, "")
		time.Sleep(7 * time.Second)
	}
}
