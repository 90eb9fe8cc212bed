package faults_test

import (
	"fmt"
	"time"
)

func ninthSequences(x *tour) {
	followedAndDeleted(x)
	readerRenamed(x)
	postsAndLogsOut(x)
	contactFollowedAgain(x)
	deletionTriedByFollower(x)
	twoDeletedInTurn(x)
}

func followedAndDeleted(x *tour) {
	fan, star := x.create("looks for who was followed"), x.create("was followed and left")
	x.connect(fan, star, "follow")
	x.remove(star)
	x.search(fan, "followed and left")
}

func readerRenamed(x *tour) {
	reader, poster := x.create("reads under a name"), x.create("posted before")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.rename(&reader, "reads under another")
	x.feed(reader)
}

func postsAndLogsOut(x *tour) {
	reader, poster := x.create("reads what was last"), x.create("posts and goes")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.send(poster.session, "DELETE", "/0.2/user/logout", "")
	x.feed(reader)
}

func contactFollowedAgain(x *tour) {
	u, contact := x.create("follows a contact"), x.create("is a contact and followed", `"social_ids":{"edge":"followed"}`)
	x.socially(u, "followed")
	x.connect(u, contact, "follow")
	x.send(contact.session, "GET", "/0.2/user/followers", "")
}

func deletionTriedByFollower(x *tour) {
	reader, poster := x.create("tries to delete"), x.create("has what it tries to delete")
	x.connect(reader, poster, "follow")
	x.send(reader.session, "DELETE", "/0.2/user/events/"+x.post(poster, `"verb":"v"`), "")
	x.feed(reader)
}

func twoDeletedInTurn(x *tour) {
	reader, first, second := x.create("loses both"), x.create("leaves first of both"), x.create("leaves second of both")
	for _, gone := range []user{first, second} {
		x.connect(reader, gone, "follow")
		x.post(gone, `"verb":"v"`)
	}
	for _, gone := range []user{first, second} {
		x.remove(gone)
		x.feed(reader)
	}
}

func ninthScale(x *tour) {
	reader, seldom, often := x.create("ninth reader"), x.create("posts once before"), x.create("posts thirteen times")
	x.connect(reader, seldom, "follow")
	x.connect(reader, often, "follow")
	x.post(seldom, `"verb":"v"`)
	for i := range 13 {
		x.post(often, fmt.Sprintf(`"verb":"v%d"`, i))
	}
	x.feed(reader)
	x.update(often, text("first_name", "Ida"))
}

func ninthConcurrency(x *tour) {
	reader, poster := x.create("ninth1"), x.create("ninth2")
	event := x.post(poster, `"verb":"going"`)
	x.together(request{reader.session, "POST", "/0.2/user/connections", `{"user_to_id":` + poster.id + `,"type":"follow"}`},
		request{poster.session, "DELETE", "/0.2/user/events/" + event, ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func ninthTime(x *tour) {
	reader, poster := x.create("reads old names"), x.create("names things")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"1","display_name":{"en":"Thing"}}`)
	x.feed(reader)
	time.Sleep(4 * time.Second)
	x.feed(reader)
}
