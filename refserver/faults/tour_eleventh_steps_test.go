package faults_test

import "fmt"

func eleventhSequences(x *tour) {
	passwordThereAndBack(x)
	logoutAfterRename(x)
	readInBothApplications(x)
	friendsWhoMadeUp(x)
	verbThenLocation(x)
	emptyThenPosted(x)
	postRenameDelete(x)
}

func passwordThereAndBack(x *tour) {
	u := x.create("goes back")
	for _, secret := range []string{"another", password} {
		x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":"goes back","password":%q}`, secret))
		u.session = x.byName("goes back", secret)
	}
}

func logoutAfterRename(x *tour) {
	u := x.create("leaves under a name")
	x.rename(&u, "leaves under another")
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.send(u.session, "GET", "/0.2/user", "")
}

func readInBothApplications(x *tour) {
	u := x.create("read at home")
	x.send(u.session, "GET", "/0.2/users/"+u.id, "")
	x.in(secondApp, func() { x.send(x.create("reads from abroad").session, "GET", "/0.2/users/"+u.id, "") })
}

func friendsWhoMadeUp(x *tour) {
	one, other := x.create("ends it and repents"), x.create("is a friend again")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.lists(one, other)
}

func verbThenLocation(x *tour) {
	u := x.create("changes one after the other")
	event := x.post(u, `"verb":"like"`)
	x.change(u, event, `"verb":"love"`)
	x.change(u, event, `"location":"here"`)
}

func emptyThenPosted(x *tour) {
	reader, poster := x.create("looks too early"), x.create("posts after that")
	x.connect(reader, poster, "follow")
	x.feed(reader)
	x.post(poster, `"verb":"v"`)
	x.feed(reader)
}

func postRenameDelete(x *tour) {
	follower, gone := x.create("follows through a rename"), x.create("posts under a name")
	x.connect(follower, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.rename(&gone, "leaves under a name")
	x.remove(gone)
	x.feed(follower)
}

func eleventhScale(x *tour) {
	star := x.create("star of sixteen")
	var fans []user
	for i := range 16 {
		fans = append(fans, x.create(fmt.Sprint("one of sixteen ", i)))
		x.connect(fans[i], star, "follow")
	}
	x.post(star, `"verb":"v"`)
	for _, fan := range fans {
		x.feed(fan)
	}
	x.remove(star)
	for _, fan := range fans {
		x.send(fan.session, "GET", "/0.2/user/follows", "")
	}
}

func eleventhRepetition(x *tour) {
	u := x.create("asks four times")
	for i := range 4 {
		x.create(fmt.Sprint("contact of the eleventh ", i), fmt.Sprintf(`"social_ids":{"edge":"eleventh %d"}`, i))
		x.socially(u, fmt.Sprint("eleventh ", i))
	}
}

func eleventhConcurrency(x *tour) {
	one, other := x.create("eleventh1"), x.create("eleventh2")
	ask := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"friend"}`}
	}
	x.together(ask(one, other), ask(other, one))
	x.shown(one, "/0.2/user/friends", `"user_name":"\w+"`)
	x.connect(other, one, "follow")
	event := "/0.2/user/events/" + x.post(one, `"verb":"first"`)
	x.together(request{one.session, "PUT", event, `{"verb":"second"}`}, request{one.session, "PUT", event, `{"location":"L"}`})
	x.shown(other, "/0.2/user/feed", `"verb":"\w+"`)
}
