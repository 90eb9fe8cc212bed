package faults_test

import (
	"fmt"
	"time"
)

func tenthSequences(x *tour) {
	twoLogouts(x)
	sessionInTwoApplications(x)
	renamedThenDeleted(x)
	verbThenPlace(x)
	unfollowedTwice(x)
	purgeForWhoCameBack(x)
	friendsAgain(x)
}

func twoLogouts(x *tour) {
	u := x.create("logs out twice")
	for _, session := range []string{u.session, x.byName("logs out twice", password)} {
		x.send(session, "DELETE", "/0.2/user/logout", "")
		x.send(session, "GET", "/0.2/user", "")
	}
}

func sessionInTwoApplications(x *tour) {
	u := x.create("uses two apps")
	x.send(u.session, "GET", "/0.2/user", "")
	x.in(secondApp, func() { x.send(u.session, "GET", "/0.2/user", "") })
}

func renamedThenDeleted(x *tour) {
	looker, u := x.create("looks for the gone"), x.create("maiden name")
	x.rename(&u, "married name")
	x.search(looker, "maiden")
	x.remove(u)
	x.search(looker, "maiden")
}

func verbThenPlace(x *tour) {
	u := x.create("changes twice")
	event := x.post(u, `"verb":"like"`)
	x.change(u, event, `"verb":"love"`)
	x.change(u, event, `"location":"L"`)
}

func unfollowedTwice(x *tour) {
	reader, poster := x.create("unfollows twice"), x.create("is unfollowed twice")
	x.post(poster, `"verb":"v"`)
	for range 2 {
		x.connect(reader, poster, "follow")
		x.end(reader, poster)
		x.feed(reader)
	}
}

func purgeForWhoCameBack(x *tour) {
	reader, gone := x.create("comes back"), x.create("leaves after that")
	x.connect(reader, gone, "follow")
	x.end(reader, gone)
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func friendsAgain(x *tour) {
	one, other := x.create("ends and regrets"), x.create("forgives")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(other, one)
}

func tenthScale(x *tour) {
	gone, poster := x.create("has eleven followers"), x.create("posts sixteen")
	var last user
	for i := range 11 {
		last = x.create(fmt.Sprintf("tenth follower %d", i))
		x.connect(last, gone, "follow")
	}
	x.remove(gone)
	x.lists(last, poster)
	x.connect(last, poster, "follow")
	first := x.post(poster, `"verb":"first"`)
	for range 15 {
		x.post(poster, `"verb":"later"`)
	}
	x.send(poster.session, "DELETE", "/0.2/user/events/"+first, "")
	x.feed(last)
}

func tenthRepetition(x *tour) {
	reader, poster := x.create("reads of one song"), x.create("plays it thrice")
	x.connect(reader, poster, "follow")
	for range 3 {
		x.post(poster, `"verb":"play","object":{"id":"song"}`)
	}
	x.feed(reader)
}

func tenthConcurrency(x *tour) {
	reader, poster := x.create("tenth1"), x.create("tenth2")
	x.connect(reader, poster, "follow")
	x.together(request{poster.session, "POST", "/0.2/user/events", `{"verb":"beside"}`}, request{reader.session, "DELETE", "/0.2/user/connections/" + poster.id, ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func tenthTime(x *tour) {
	u := x.create("marries", text("last_name", "Before"))
	x.update(u, text("last_name", "After"))
	time.Sleep(4 * time.Second)
	x.send(u.session, "GET", "/0.2/user", "")
}
