package faults_test

import (
	"fmt"
	"strings"
	"time"
)

func scaleTour(x *tour) {
	looker, star, pal := x.create("looker"), x.create("star"), x.create("pal")
	x.connect(star, looker, "follow")
	x.post(looker, `"verb":"looked at"`)
	for range 20 {
		x.post(star, `"verb":"early"`)
	}
	var crowd []user
	var ids []string
	for i := range 35 {
		u := x.create(fmt.Sprintf("crowd%02d", i), fmt.Sprintf(`"social_ids":{"t":"c%d"}`, i))
		crowd, ids = append(crowd, u), append(ids, fmt.Sprintf(`"c%d"`, i))
		x.connect(u, star, "follow")
		if i == 9 {
			x.lists(star, looker)
		}
		x.connect(looker, u, "follow")
		if i < 20 {
			x.connect(pal, u, "friend")
		}
		x.post(u, fmt.Sprintf(`"verb":"v%d"`, i))
	}
	x.send(star.session, "POST", "/0.2/user/connections/social",
		`{"platform":"t","type":"follow","platform_user_id":"1","connection_ids":[`+strings.Join(ids[20:], ",")+`]}`)
	look := func() {
		for _, u := range []user{looker, star, crowd[0], crowd[14], crowd[15], crowd[16], crowd[31], crowd[34]} {
			x.feed(u)
			x.send(u.session, "GET", "/0.2/user/follows", "")
		}
		x.lists(star, looker)
		x.lists(pal, looker)
		x.search(looker, "crowd")
	}
	look()
	x.connect(looker, star, "follow")
	x.feed(looker)
	event := x.post(star, `"verb":"new"`)
	x.change(star, event, `"location":"changed"`)
	look()
	x.send(star.session, "DELETE", "/0.2/user/events/"+event, "")
	look()
	for range 40 {
		x.post(star, `"verb":"later"`)
	}
	look()
	x.end(looker, crowd[30])
	look()
	for range 11 {
		x.send(x.byName("looker", password), "GET", "/0.2/user", "")
	}
	x.post(pal, `"verb":"of a friend"`)
	look()
	x.remove(pal)
	x.remove(star)
	look()
	blindScale(x)
	blindBatches(x)
	blindCounts(x)
	drawnScale(x)
	edgeScale(x)
	thirdScale(x)
	fourthScale(x)
	fifthScale(x)
	sixthScale(x)
	seventhScale(x)
	eighthScale(x)
	ninthScale(x)
	tenthScale(x)
	eleventhScale(x)
	twelfthScale(x)
	thirteenthScale(x)
	fourteenthScale(x)
}

func repetitionTour(x *tour) {
	ann, bob := x.create("ann"), x.create("bob")
	x.connect(bob, ann, "follow")
	x.connect(ann, bob, "friend")
	gone, left := x.create("gone"), x.create("left")
	x.connect(bob, gone, "follow")
	x.connect(bob, left, "follow")
	x.post(gone, `"verb":"v"`)
	x.post(left, `"verb":"v"`)
	event, deleted := x.post(ann, `"verb":"v"`), x.post(ann, `"verb":"v"`)
	cy := x.create("cy")
	x.connect(cy, ann, "follow")
	deletedToo := x.post(ann, `"verb":"v"`)
	x.connect(cy, gone, "follow")
	x.send(ann.session, "DELETE", "/0.2/user/events/"+deleted, "")
	x.send(ann.session, "DELETE", "/0.2/user/events/"+deletedToo, "")
	x.remove(gone)
	x.end(bob, left)
	for i := range 25 {
		x.feed(bob)
		x.feed(cy)
		x.lists(ann, bob)
		x.search(bob, "ann")
		x.send(bob.session, "GET", "/0.2/user", "")
		x.send(bob.session, "GET", "/0.2/users/"+ann.id, "")
		x.send("", "GET", "/versions", "")
		x.post(ann, fmt.Sprintf(`"verb":"v%d"`, i))
		x.change(ann, event, fmt.Sprintf(`"location":"l%d"`, i))
		x.update(ann, text("first_name", fmt.Sprint("f", i)))
		x.update(ann, text("first_name", fmt.Sprint("f", i)))
		x.send(x.byName("ann", password), "GET", "/0.2/user", "")
		x.connect(bob, cy, "follow")
		x.end(bob, cy)
	}
	for range 3 {
		x.connect(bob, cy, "follow")
		x.lists(bob, ann)
		x.post(ann, `"verb":"again"`)
		x.feed(bob)
	}
	blindRepetition(x)
	blindTurns(x)
	blindAgain(x)
	drawnRepetition(x)
	edgeRepetition(x)
	thirdRepetition(x)
	fourthRepetition(x)
	fifthRepetition(x)
	sixthRepetition(x)
	seventhRepetition(x)
	eighthRepetition(x)
	tenthRepetition(x)
	eleventhRepetition(x)
	twelfthRepetition(x)
	thirteenthRepetition(x)
	fourteenthRepetition(x)
}

func timeTour(x *tour) {
	ann, bob, cy, gone := x.create("ann", text("first_name", "Old")), x.create("bob"), x.create("cy"), x.create("gone")
	x.connect(bob, ann, "follow")
	x.connect(cy, ann, "friend")
	x.connect(bob, gone, "follow")
	x.connect(cy, gone, "friend")
	x.connect(gone, ann, "follow")
	x.connect(bob, cy, "follow")
	x.post(gone, `"verb":"v"`)
	x.post(cy, `"verb":"v"`)
	event, deleted := x.post(ann, `"verb":"v"`), x.post(ann, `"verb":"v"`)
	token := x.byName("ann", password)
	x.send(token, "DELETE", "/0.2/user/logout", "")
	x.update(ann, text("first_name", "New"))
	x.change(ann, event, `"location":"l"`)
	x.send(ann.session, "DELETE", "/0.2/user/events/"+deleted, "")
	x.end(bob, cy)
	x.remove(gone)
	for range 2 {
		x.feed(bob)
		x.feed(cy)
		x.lists(ann, bob)
		x.lists(bob, ann)
		x.search(bob, "gone")
		x.search(bob, "ann")
		x.send(bob.session, "GET", "/0.2/users/"+gone.id, "")
		x.send(token, "GET", "/0.2/user", "")
		x.send(ann.session, "GET", "/0.2/user", "")
		time.Sleep(6 * time.Second)
	}
	blindTime(x)
	blindLater(x)
	thirdTime(x)
	fifthTime(x)
	eighthTime(x)
	ninthTime(x)
	tenthTime(x)
	thirteenthTime(x)
}
