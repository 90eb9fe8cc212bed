package faults_test

import (
	"fmt"
	"net/url"
	"time"
)

func thirteenthSequences(x *tour) {
	u := x.create("is renumbered", text("custom_id", "old-1"))
	x.update(u, text("custom_id", "new-1"))
	older := x.byName("is renumbered", password)
	x.byName("is renumbered", password)
	x.send(older, "DELETE", "/0.2/user/logout", "")
	x.send(older, "GET", "/0.2/user", "")
	x.byName("tried too early", password)
	x.create("tried too early")
	x.byName("tried too early", password)
	contactLeftOnce(x)
	postAfterDeletion(x)
	followNoLongerMutual(x)
}

func contactLeftOnce(x *tour) {
	u, contact := x.create("leaves a contact"), x.create("was left once", `"social_ids":{"edge":"left once"}`)
	x.connect(u, contact, "follow")
	x.end(u, contact)
	x.socially(u, "left once")
}

func postAfterDeletion(x *tour) {
	reader, poster := x.create("reads a correction"), x.create("posts a correction")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"first"`)
	mistake := x.post(poster, `"verb":"mistake"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+mistake, "")
	x.post(poster, `"verb":"correction"`)
	x.feed(reader)
}

func followNoLongerMutual(x *tour) {
	one, other := x.create("still follows"), x.create("follows no longer")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.post(other, `"verb":"v"`)
	x.end(other, one)
	x.feed(one)
}

func thirteenthScale(x *tour) {
	star := x.create("thirteenth star")
	x.post(star, `"verb":"v","object":{"id":"7","display_name":{"de":"a","en":"b","fr":"c","it":"d"}}`)
	for i := range 6 {
		x.connect(x.create(fmt.Sprint("thirteenth fan ", i)), star, "follow")
	}
	x.send(star.session, "GET", "/0.2/user/followers", "")
}

func thirteenthRepetition(x *tour) {
	u := x.create("leaves twice")
	for range 2 {
		x.send(u.session, "DELETE", "/0.2/user/logout", "")
	}
}

func thirteenthConcurrency(x *tour) {
	u := x.create("thirteenth seeker")
	x.create("thirteenth hidden")
	search := func(term string) request {
		return request{u.session, "GET", "/0.2/users/search?q=" + url.QueryEscape(term), ""}
	}
	for _, found := range x.atOnce(search("thirteenth seeker"), search("thirteenth hidden")) {
		x.say("found at once: %v", shownName.FindAllString(found, -1))
	}
}

func thirteenthTime(x *tour) {
	u := x.create("thinks again")
	event := x.post(u, `"verb":"v"`)
	time.Sleep(4 * time.Second)
	x.send(u.session, "DELETE", "/0.2/user/events/"+event, "")
}
