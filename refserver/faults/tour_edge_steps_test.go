package faults_test

import (
	"fmt"
	"strings"
)

func edgeSequences(x *tour) {
	recordsBeforeAndAfter(x)
	detailsBeforeAndAfter(x)
	contactsOfWhomOneIsFollowed(x)
	nextAfterDeletion(x)
	feedReadBeforeFollow(x)
	eventsOfRefollowed(x)
}

func recordsBeforeAndAfter(x *tour) {
	looker, gone, friend := x.create("looks twice"), x.create("edge goes"), x.create("edge stays")
	x.send(looker.session, "GET", "/0.2/users/"+gone.id, "")
	x.search(looker, "edge goes")
	x.create("edge goes on")
	x.search(looker, "edge goes")
	x.connect(gone, friend, "follow")
	x.end(gone, friend)
	x.remove(gone)
	x.send(looker.session, "GET", "/0.2/users/"+gone.id, "")
}

func detailsBeforeAndAfter(x *tour) {
	u := x.create("edge details")
	for _, name := range []string{"Before", "After"} {
		x.update(u, text("first_name", name))
		x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password))
	}
}

func (x *tour) socially(u user, ids ...string) {
	x.send(u.session, "POST", "/0.2/user/connections/social",
		fmt.Sprintf(`{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":["%s"]}`, strings.Join(ids, `","`)))
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func contactsOfWhomOneIsFollowed(x *tour) {
	u, known := x.create("has contacts"), x.create("is known", `"social_ids":{"edge":"known"}`)
	x.create("is new", `"social_ids":{"edge":"new"}`)
	x.connect(u, known, "follow")
	x.socially(u, "known", "new")
}

func nextAfterDeletion(x *tour) {
	fan, gone := x.create("edge fan"), x.create("latest")
	x.connect(fan, gone, "follow")
	x.remove(gone)
	next := x.create("next after the latest")
	x.send(next.session, "GET", "/0.2/user/followers", "")
}

func feedReadBeforeFollow(x *tour) {
	reader, one, other := x.create("reads on"), x.create("one of two"), x.create("other of two")
	x.post(other, `"verb":"earlier"`)
	x.connect(reader, one, "follow")
	x.post(one, `"verb":"v"`)
	x.feed(reader)
	x.connect(reader, other, "follow")
	x.feed(reader)
}

func eventsOfRefollowed(x *tour) {
	reader, poster := x.create("comes back"), x.create("stayed here")
	x.post(poster, `"verb":"v"`)
	x.connect(reader, poster, "follow")
	x.end(reader, poster)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func edgeScale(x *tour) {
	gone := x.create("follows eleven")
	var last user
	for i := range 11 {
		last = x.create(fmt.Sprint("edge star ", i))
		x.connect(gone, last, "follow")
	}
	var entries []string
	for i := range 9 {
		entries = append(entries, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.post(last, `"verb":"v"`, `"metadata":{`+strings.Join(entries, ",")+`}`)
	x.feed(gone)
	x.remove(gone)
	x.send(last.session, "GET", "/0.2/user/followers", "")
}

func edgeRepetition(x *tour) {
	u := x.create("sends contacts twice")
	x.socially(u, "joins later")
	x.create("joins later", `"social_ids":{"edge":"joins later"}`)
	x.socially(u, "joins later")
}

func edgeConcurrency(x *tour) {
	reader, late, poster := x.create("edge1"), x.create("edge2"), x.create("edge3")
	x.connect(reader, poster, "follow")
	var deletions []request
	for _, verb := range []string{"one", "two"} {
		deletions = append(deletions, request{poster.session, "DELETE", "/0.2/user/events/" + x.post(poster, fmt.Sprintf(`"verb":%q`, verb)), ""})
	}
	x.together(deletions...)
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(request{late.session, "POST", "/0.2/user/connections", `{"user_to_id":` + poster.id + `,"type":"follow"}`},
		request{poster.session, "POST", "/0.2/user/events", `{"verb":"meanwhile"}`})
	x.shown(late, "/0.2/user/feed", `"verb":"\w+"`)
}
