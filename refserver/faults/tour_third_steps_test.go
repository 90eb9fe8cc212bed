package faults_test

import (
	"fmt"
	"strings"
	"time"
)

func thirdSequences(x *tour) {
	postBesideAnUpdate(x)
	recordsOfTheFollowed(x)
	firstNameCleared(x)
	searchesForPages(x)
	followsBack(x)
	postsInTwoSessions(x)
	createdAfterTheEvent(x)
	changesBetweenFollows(x)
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
	fan, stranger, gone := x.create("goes on reading"), x.create("never read"), x.create("third to go")
	x.connect(fan, gone, "follow")
	x.remove(gone)
	for _, u := range []user{stranger, fan} {
		x.send(u.session, "GET", "/0.2/users/"+gone.id, "")
	}
}

func firstNameCleared(x *tour) {
	star, fan := x.create("third star"), x.create("loses a name", text("first_name", "Lost"))
	x.connect(fan, star, "follow")
	x.update(fan, text("first_name", ""))
	x.send(star.session, "GET", "/0.2/user/followers", "")
}

func searchesForPages(x *tour) {
	u := x.create("searches for pages")
	x.search(u, "for pages")
	x.send(u.session, "GET", "/0.2/users/search?q=for+pages", "", headers{"Accept": "text/html"})
}

func followsBack(x *tour) {
	one, other := x.create("is followed back"), x.create("goes back")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
}

func postsInTwoSessions(x *tour) {
	reader, poster := x.create("reads both sessions"), x.create("posts in both")
	x.connect(reader, poster, "follow")
	x.byName(poster.name, password)
	x.post(poster, `"verb":"in the older"`)
	x.feed(reader)
}

func createdAfterTheEvent(x *tour) {
	poster := x.create("was here before")
	x.post(poster, `"verb":"v"`)
	reader := x.create("came after")
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

func thirdScale(x *tour) {
	reader, star, other := x.create("third reader"), x.create("has eleven followers"), x.create("has one follower")
	for i := range 11 {
		x.connect(x.create(fmt.Sprint("third fan ", i), fmt.Sprintf(`"social_ids":{"net":"fan %d"}`, i)), star, "follow")
	}
	x.connect(reader, other, "follow")
	x.connect(reader, star, "follow")
	x.post(other, `"verb":"older"`)
	x.post(star, `"verb":"newer"`)
	x.feed(reader)
	x.send(reader.session, "POST", "/0.2/user/connections/social",
		`{"platform":"net","type":"friend","platform_user_id":"1","connection_ids":["fan 0","fan 1","fan 2","fan 3","fan 4","fan 5","fan 6"]}`)
	x.send(reader.session, "GET", "/0.2/user/friends", "")
	var entries []string
	for i := range 10 {
		entries = append(entries, fmt.Sprintf(`"k%d":%q`, i, strings.Repeat("v", 500)))
	}
	for range 2 {
		x.post(other, `"verb":"long"`, `"metadata":{`+strings.Join(entries, ",")+`}`)
	}
	x.feed(reader)
}

func thirdRepetition(x *tour) {
	reader, poster := x.create("sees it once"), x.create("clicks twice", text("custom_id", "twice"))
	x.connect(reader, poster, "follow")
	x.connect(reader, poster, "friend")
	x.connect(poster, reader, "friend")
	for range 2 {
		x.post(poster, `"verb":"click","object":{"id":"1"}`)
	}
	x.feed(reader)
	for range 3 {
		x.send(reader.session, "GET", "/0.2/user/friends", "")
	}
	x.update(poster, text("custom_id", "twice"))
}

func thirdConcurrency(x *tour) {
	reader, one, other := x.create("third1"), x.create("third2"), x.create("third3")
	x.connect(reader, one, "follow")
	x.connect(reader, other, "follow")
	x.together(request{one.session, "POST", "/0.2/user/events", `{"verb":"v","metadata":{"of":"one"}}`},
		request{other.session, "POST", "/0.2/user/events", `{"verb":"v","metadata":{"of":"other"}}`})
	x.shown(reader, "/0.2/user/feed", `"of":"\w+"`)
	x.together(request{one.session, "PUT", "/0.2/user", `{"user_name":"third2","password":"new"}`},
		request{one.session, "PUT", "/0.2/user", `{"user_name":"third2","first_name":"F"}`})
	for _, secret := range []string{"new", password} {
		x.say("a login by %s: %d", secret, x.exchange("", "POST", "/0.2/user/login", fmt.Sprintf(`{"user_name":"third2","password":%q}`, secret)).Code)
	}
	deletion := request{other.session, "DELETE", "/0.2/user", ""}
	x.together(deletion, deletion)
}

func thirdTime(x *tour) {
	looker, u := x.create("looks later"), x.create("marries", text("last_name", "Formerly"))
	x.update(u, text("last_name", "Now"))
	for range 2 {
		x.search(looker, "formerly")
		time.Sleep(6 * time.Second)
	}
}
