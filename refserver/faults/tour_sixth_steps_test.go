package faults_test

import "fmt"

func sixthSequences(x *tour) {
	loginAfterAnothersLogout(x)
	newEmailOfTheDeleted(x)
	contactWhoIsAFriend(x)
	firstOfThreeUnfollowed(x)
	changeOfNewestAfterDeletion(x)
	changeOfAnotherAfterDeletion(x)
	updateAfterPurge(x)
}

func loginAfterAnothersLogout(x *tour) {
	leaver := x.create("logs out first")
	x.send(leaver.session, "DELETE", "/0.2/user/logout", "")
	x.create("logs in next")
	x.send(leaver.session, "GET", "/0.2/user", "")
}

func newEmailOfTheDeleted(x *tour) {
	u := x.create("moves house")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"moves house","email":"new.house@example.com"}`)
	x.remove(u)
	x.byEmail("new.house@example.com", password)
}

func contactWhoIsAFriend(x *tour) {
	u, friend := x.create("has a friend for a contact"), x.create("is a friend and a contact", `"social_ids":{"edge":"friend"}`)
	x.befriend(u, friend)
	x.socially(u, "friend")
}

func firstOfThreeUnfollowed(x *tour) {
	u := x.create("follows three")
	var followed []user
	for i := range 3 {
		followed = append(followed, x.create(fmt.Sprint("one of three ", i)))
		x.connect(u, followed[i], "follow")
	}
	x.end(u, followed[0])
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func changeOfNewestAfterDeletion(x *tour) {
	poster := x.create("deletes the oldest")
	oldest, newest := x.post(poster, `"verb":"oldest"`), x.post(poster, `"verb":"newest"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+oldest, "")
	x.change(poster, newest, `"location":"L"`)
}

func changeOfAnotherAfterDeletion(x *tour) {
	reader, poster := x.create("reads once more"), x.create("deletes and changes")
	x.connect(reader, poster, "follow")
	stays, gone := x.post(poster, `"verb":"stays"`), x.post(poster, `"verb":"goes"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+gone, "")
	x.change(poster, stays, `"location":"L"`)
	x.feed(reader)
}

func updateAfterPurge(x *tour) {
	reader, gone := x.create("changes its own record"), x.create("was purged before")
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.update(reader, text("first_name", "Ida"))
	x.feed(reader)
}

func sixthScale(x *tour) {
	reader, poster := x.create("sixth reader"), x.create("posts twelve")
	x.connect(reader, poster, "follow")
	postsWithAnEntry(x, poster, 12)
	x.feed(reader)
	star := x.create("has nine friends")
	for i := range 9 {
		friend := x.create(fmt.Sprint("one of nine ", i))
		x.befriend(star, friend)
		x.send(friend.session, "GET", "/0.2/user/friends", "")
	}
}

func sixthRepetition(x *tour) {
	u, other := x.create("follows twice"), x.create("is followed twice")
	x.connect(u, other, "follow")
	x.connect(u, other, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func sixthConcurrency(x *tour) {
	reader, one, other := x.create("sixth1"), x.create("sixth2"), x.create("sixth3")
	x.connect(reader, one, "follow")
	x.connect(reader, other, "follow")
	x.together(request{one.session, "POST", "/0.2/user/events", `{"verb":"one"}`}, request{other.session, "POST", "/0.2/user/events", `{"verb":"other"}`})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(request{one.session, "PUT", "/0.2/user", `{"user_name":"sixth2","first_name":"F"}`},
		request{one.session, "POST", "/0.2/user/connections", `{"user_to_id":` + other.id + `,"type":"follow"}`})
	x.shown(one, "/0.2/user/follows", `"user_name":"\w+"`)
}
