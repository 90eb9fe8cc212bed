package faults_test

import (
	"fmt"
	"net/url"
	"time"
)

func eighthSequences(x *tour) {
	logoutAfterRefusal(x)
	askedBeforeLogout(x)
	contactsOnTwoPlatforms(x)
	contactDeleted(x)
	changeAfterForeignAttempt(x)
	postAfterLogout(x)
	deletionBesideAChangedEvent(x)
}

func logoutAfterRefusal(x *tour) {
	u := x.create("slips up and leaves")
	x.post(u, `"location":"no verb"`)
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.send(u.session, "GET", "/0.2/user", "")
}

func askedBeforeLogout(x *tour) {
	one, other := x.create("asks and leaves"), x.create("answers later")
	x.connect(one, other, "friend")
	x.send(one.session, "DELETE", "/0.2/user/logout", "")
	x.connect(other, one, "friend")
	x.send(other.session, "GET", "/0.2/user/friends", "")
}

func contactsOnTwoPlatforms(x *tour) {
	u := x.create("is on two platforms")
	x.create("is on one of them", `"social_ids":{"second":"both"}`)
	x.contacts(u, "first", "nobody")
	x.contacts(u, "second", "both")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func contactDeleted(x *tour) {
	u, gone := x.create("loses a contact"), x.create("was a contact", `"social_ids":{"edge":"lost contact"}`)
	x.socially(u, "lost contact")
	x.remove(gone)
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func changeAfterForeignAttempt(x *tour) {
	u, other := x.create("is meddled with"), x.create("meddles")
	event := x.post(u, `"verb":"v"`)
	x.change(other, event, `"verb":"meddled"`)
	x.change(u, event, `"location":"here"`)
}

func postAfterLogout(x *tour) {
	reader, poster := x.create("comes back for news"), x.create("has news")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"before"`)
	x.send(reader.session, "DELETE", "/0.2/user/logout", "")
	x.post(poster, `"verb":"after"`)
	x.send(x.byName(reader.name, password), "GET", "/0.2/user/feed", "")
}

func deletionBesideAChangedEvent(x *tour) {
	reader, poster := x.create("reads the changed one"), x.create("deletes the other one")
	x.connect(reader, poster, "follow")
	changed, deleted := x.post(poster, `"verb":"changed"`), x.post(poster, `"verb":"deleted"`)
	x.change(poster, changed, `"location":"new"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+deleted, "")
	x.feed(reader)
}

func eighthScale(x *tour) {
	reader, poster := x.create("eighth reader"), x.create("cannot decide")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	for i := range 10 {
		x.change(poster, event, fmt.Sprintf(`"location":"place %d"`, i))
	}
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
	x.befriend(reader, poster)
	for range 11 {
		x.post(poster, `"verb":"v"`)
	}
	x.feed(reader)
}

func eighthRepetition(x *tour) {
	u := x.create("clicks twice")
	event := x.post(u, `"verb":"v"`)
	for range 2 {
		x.change(u, event, `"location":"here"`)
	}
}

func eighthConcurrency(x *tour) {
	u := x.create("eighth1")
	x.create("eighth2")
	var found []int
	for _, answer := range x.atOnce(searchFor(u, "eighth1"), searchFor(u, "eighth")) {
		found = append(found, len(shownName.FindAllString(answer, -1)))
	}
	x.say("two searches at once find %v", found)
}

func searchFor(u user, term string) request {
	return request{u.session, "GET", "/0.2/users/search?q=" + url.QueryEscape(term), ""}
}

func eighthTime(x *tour) {
	reader, poster := x.create("reads old news"), x.create("has old news")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","metadata":{"k":"v"}`)
	time.Sleep(3 * time.Second)
	x.feed(reader)
}
