package faults_test

import (
	"fmt"
	"time"
)

func fifthSequences(x *tour) {
	updateAfterLogout(x)
	recordAfterUnfollow(x)
	searchOfTwoApplications(x)
	likeAgain(x)
	secondFollower(x)
	renameAfterChange(x)
	followersOfEachOther(x)
}

func updateAfterLogout(x *tour) {
	u := x.create("has two devices")
	other := x.byName("has two devices", password)
	x.send(other, "DELETE", "/0.2/user/logout", "")
	x.update(u, text("first_name", "Two"))
	x.send(other, "GET", "/0.2/user", "")
}

func recordAfterUnfollow(x *tour) {
	reader, left := x.create("has seen enough"), x.create("is still there")
	x.connect(reader, left, "follow")
	x.end(reader, left)
	x.send(reader.session, "GET", "/0.2/users/"+left.id, "")
}

func searchOfTwoApplications(x *tour) {
	for _, app := range []string{firstApp, secondApp} {
		x.in(app, func() { x.search(x.create("is in "+app, text("last_name", "Fifthson")), "fifthson") })
	}
}

func likeAgain(x *tour) {
	reader, poster := x.create("reads the second like"), x.create("likes again")
	x.connect(reader, poster, "follow")
	like := func() string { return x.post(poster, `"verb":"like","object":{"id":"song 2"}`) }
	x.send(poster.session, "DELETE", "/0.2/user/events/"+like(), "")
	like()
	x.feed(reader)
}

func secondFollower(x *tour) {
	poster := x.create("posts before all")
	x.post(poster, `"verb":"v"`)
	for _, name := range []string{"follows first", "follows second"} {
		reader := x.create(name)
		x.connect(reader, poster, "follow")
		x.feed(reader)
	}
}

func renameAfterChange(x *tour) {
	reader, poster := x.create("reads after the wedding"), x.create("is to marry")
	x.connect(reader, poster, "follow")
	x.change(poster, x.post(poster, `"verb":"v"`), `"location":"changed"`)
	x.rename(&poster, "has married")
	x.feed(reader)
}

func followersOfEachOther(x *tour) {
	one, other := x.create("follows and is followed"), x.create("goes on following")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.end(one, other)
	x.lists(one, other)
}

func fifthScale(x *tour) {
	u, looker := x.create("updates ten times"), x.create("looks at nine")
	for i := range 10 {
		x.update(u, text("first_name", fmt.Sprint("version ", i)))
	}
	var last user
	for i := range 9 {
		last = x.create(fmt.Sprint("one of nine ", i))
		x.connect(last, looker, "follow")
	}
	x.end(last, looker)
	x.lists(looker, u)
}

func fifthRepetition(x *tour) {
	u := x.create("looks in vain")
	for range 2 {
		x.search(u, "nobody is called so")
	}
}

func fifthConcurrency(x *tour) {
	one, other := x.create("fifth1"), x.create("fifth2")
	follow := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"follow"}`}
	}
	x.together(follow(one, other), follow(other, one))
	x.shown(one, "/0.2/user/follows", `"user_name":"\w+"`)
	x.shown(other, "/0.2/user/follows", `"user_name":"\w+"`)
}

func fifthTime(x *tour) {
	u := x.create("asks late")
	x.create("was there early", `"social_ids":{"edge":"early"}`)
	time.Sleep(3 * time.Second)
	x.socially(u, "early")
}
