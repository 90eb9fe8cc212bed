package faults_test

import "fmt"

func seventhSequences(x *tour) {
	unfollowedInAnotherSession(x)
	followerUpdated(x)
	contactUnfollowed(x)
	oldestDeleted(x)
	followerDeleted(x)
	firstOfTwoUnfollowed(x)
}

func unfollowedInAnotherSession(x *tour) {
	u, other := x.create("has two phones"), x.create("is unfollowed on the other")
	x.connect(u, other, "follow")
	x.send(x.byName(u.name, password), "DELETE", "/0.2/user/connections/"+other.id, "")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func followerUpdated(x *tour) {
	star, fan := x.create("has a fan"), x.create("is a fan")
	x.connect(fan, star, "follow")
	x.update(fan, text("first_name", "Ida"))
	x.send(star.session, "GET", "/0.2/user/followers", "")
}

func contactUnfollowed(x *tour) {
	u, contact := x.create("gives up a contact"), x.create("is a contact for a while", `"social_ids":{"edge":"for a while"}`)
	x.socially(u, "for a while")
	x.end(u, contact)
}

func oldestDeleted(x *tour) {
	reader, poster := x.create("reads the last of three"), x.create("deletes the first of three")
	x.connect(reader, poster, "follow")
	oldest := x.post(poster, `"verb":"first"`)
	x.post(poster, `"verb":"second"`)
	x.post(poster, `"verb":"third"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+oldest, "")
	x.feed(reader)
}

func followerDeleted(x *tour) {
	star, leaves, stays := x.create("keeps one of two"), x.create("leaves before the next"), x.create("comes next")
	x.connect(leaves, star, "follow")
	x.connect(stays, star, "follow")
	x.post(star, `"verb":"v"`)
	x.remove(leaves)
	x.feed(stays)
}

func firstOfTwoUnfollowed(x *tour) {
	u, first, next := x.create("keeps the second"), x.create("is given up first"), x.create("is next to it")
	x.connect(u, first, "follow")
	x.connect(u, next, "follow")
	x.end(u, first)
	x.post(next, `"verb":"new"`)
	x.feed(u)
}

func seventhScale(x *tour) {
	reader, poster, looker := x.create("seventh reader"), x.create("deletes nine"), x.create("counts follows")
	x.connect(reader, poster, "follow")
	for range 9 {
		x.send(poster.session, "DELETE", "/0.2/user/events/"+x.post(poster, `"verb":"v"`), "")
	}
	x.feed(reader)
	for i := range 11 {
		x.connect(poster, x.create(fmt.Sprint("one of eleven ", i)), "follow")
	}
	x.lists(poster, looker)
}

func seventhRepetition(x *tour) {
	star := x.create("counts its fans")
	for i := range 4 {
		x.connect(x.create(fmt.Sprint("a further fan ", i)), star, "follow")
		x.send(star.session, "GET", "/0.2/user/followers", "")
	}
}

func seventhConcurrency(x *tour) {
	u, one, other := x.create("seventh1"), x.create("seventh2"), x.create("seventh3")
	x.connect(u, one, "follow")
	x.together(request{u.session, "POST", "/0.2/user/connections", `{"user_to_id":` + other.id + `,"type":"follow"}`},
		request{u.session, "DELETE", "/0.2/user/connections/" + one.id, ""})
	x.shown(u, "/0.2/user/follows", `"user_name":"\w+"`)
}
