package faults_test

import "fmt"

func twelfthSequences(x *tour) {
	passwordAndBack(x)
	passwordAfterLogout(x)
	deletedAfterRename(x)
	friendsAfterAll(x)
	deletedBetweenFollows(x)
	followedAfterPosts(x)
	namesakeInTheOtherApplication(x)
}

func passwordAndBack(x *tour) {
	u := x.create("likes the first one")
	for _, secret := range []string{"in between", password} {
		x.update(u, text("password", secret))
		x.byName(u.name, secret)
	}
}

func passwordAfterLogout(x *tour) {
	u := x.create("left a session elsewhere")
	elsewhere := x.byName(u.name, password)
	x.send(elsewhere, "DELETE", "/0.2/user/logout", "")
	x.update(u, text("password", "another"))
	x.send(elsewhere, "GET", "/0.2/user", "")
}

func deletedAfterRename(x *tour) {
	looker, u := x.create("looks for who is gone"), x.create("maiden of the twelfth")
	x.rename(&u, "married")
	x.remove(u)
	x.search(looker, "maiden of")
}

func friendsAfterAll(x *tour) {
	one, other := x.create("breaks up"), x.create("is forgiving")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(one, other)
}

func deletedBetweenFollows(x *tour) {
	reader, poster := x.create("pauses"), x.create("tidies up")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"regretted"`)
	x.end(reader, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func followedAfterPosts(x *tour) {
	reader, gone := x.create("comes late"), x.create("leaves early")
	x.post(gone, `"verb":"before"`)
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"after"`)
	x.remove(gone)
	x.feed(reader)
}

func namesakeInTheOtherApplication(x *tour) {
	const name = "lives in both applications"
	reader, here := x.create("reads one of two"), x.create(name)
	x.connect(reader, here, "follow")
	x.post(here, `"verb":"v"`)
	x.in(secondApp, func() { x.remove(x.create(name)) })
	x.feed(reader)
}

func twelfthScale(x *tour) {
	poster, last := x.create("has eleven followers"), user{}
	for i := range 11 {
		last = x.create(fmt.Sprint("follower of eleven ", i))
		x.connect(last, poster, "follow")
	}
	event := x.post(poster, `"verb":"v"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(last)
	names := `"l0":"n"`
	for i := range 10 {
		names += fmt.Sprintf(`,"l%d":"n"`, i+1)
	}
	x.post(poster, `"verb":"v","object":{"id":"o","display_name":{`+names+`}}`)
}

func twelfthRepetition(x *tour) {
	reader, poster := x.create("reads the same again"), x.create("posts the same again")
	x.connect(reader, poster, "follow")
	for range 3 {
		x.post(poster, `"verb":"play","object":{"id":"song 12"}`)
	}
	x.feed(reader)
}

func twelfthConcurrency(x *tour) {
	star, one, other, gone := x.create("twelfth1"), x.create("twelfth2"), x.create("twelfth3"), x.create("twelfth4")
	follow := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", fmt.Sprintf(`{"user_to_id":%s,"type":"follow"}`, to.id)}
	}
	x.together(follow(one, star), follow(other, star))
	x.shown(star, "/0.2/user/followers", `"user_name":"\w+"`)
	x.connect(star, gone, "follow")
	x.post(gone, `"verb":"farewell"`)
	x.together(request{star.session, "GET", "/0.2/user/feed", ""}, request{gone.session, "DELETE", "/0.2/user", ""})
	x.shown(star, "/0.2/user/feed", `"verb":"\w+"`)
}
