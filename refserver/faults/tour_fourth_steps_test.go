package faults_test

import (
	"fmt"
	"strings"
)

func fourthSequences(x *tour) {
	nameAfterRefusal(x)
	searchAfterRefusal(x)
	newNameAndPassword(x)
	followAfterTheOtherEnded(x)
	followsOfAChangedMind(x)
	friendshipEndedByTheSecond(x)
	followBackAfterPost(x)
	purgeAfterRefollow(x)
}

func nameAfterRefusal(x *tour) {
	for _, url := range []string{`7`, `"https://a.example/7"`} {
		x.send("", "POST", "/0.2/users", `{"user_name":"tries twice","password":"p","url":`+url+`}`)
	}
}

func searchAfterRefusal(x *tour) {
	looker, u := x.create("looks for a draft"), x.create("is refused a draft")
	x.update(u, text("last_name", "Never"), `"first_name":["x"]`)
	x.search(looker, "never")
}

func newNameAndPassword(x *tour) {
	u := x.create("changes both")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"changed both","password":"new"}`)
	x.byName("changed both", "new")
}

func followAfterTheOtherEnded(x *tour) {
	one, other := x.create("followed first"), x.create("follows later")
	x.connect(one, other, "follow")
	x.end(one, other)
	x.connect(other, one, "follow")
	x.lists(one, other)
}

// followsOfAChangedMind ends a follow and makes another between two readings of the list.
func followsOfAChangedMind(x *tour) {
	u, one, other := x.create("changes its mind"), x.create("is given up"), x.create("is taken up")
	x.connect(u, one, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
	x.end(u, one)
	x.connect(u, other, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func friendshipEndedByTheSecond(x *tour) {
	one, other := x.create("asks first"), x.create("asks last")
	x.befriend(one, other)
	x.end(other, one)
	x.lists(one, other)
}

func followBackAfterPost(x *tour) {
	fan, star := x.create("posts before it is followed"), x.create("goes back to its fan")
	x.post(fan, `"verb":"earlier"`)
	x.connect(fan, star, "follow")
	x.connect(star, fan, "follow")
	x.feed(star)
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

func fourthScale(x *tour) {
	reader, poster, gone := x.create("fourth reader"), x.create("posts eleven"), x.create("posts none")
	x.connect(reader, poster, "follow")
	x.connect(reader, gone, "follow")
	first := x.post(poster, `"verb":"first"`)
	x.change(poster, first, `"location":"changed"`)
	for range 10 {
		x.post(poster, `"verb":"later"`)
	}
	x.feed(reader)
	x.remove(gone)
	x.feed(reader)
	var ids []string
	for i := range 10 {
		ids = append(ids, fmt.Sprintf("chunk %d", i))
	}
	x.create("bears the tenth", `"social_ids":{"edge":"chunk 9"}`)
	x.socially(reader, strings.Join(ids, `","`))
}

func fourthRepetition(x *tour) {
	reader, poster := x.create("reads six times"), x.create("posts once")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	for range 6 {
		x.feed(reader)
	}
	for range 2 {
		x.post(poster, `"verb":"v","location":7`)
	}
}

func fourthConcurrency(x *tour) {
	reader, poster := x.create("fourth1"), x.create("fourth2")
	x.connect(reader, poster, "follow")
	one, other := x.post(poster, `"verb":"one"`), x.post(poster, `"verb":"other"`)
	x.together(request{poster.session, "PUT", "/0.2/user/events/" + one, `{"location":"L"}`}, request{poster.session, "DELETE", "/0.2/user/events/" + other, ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}
