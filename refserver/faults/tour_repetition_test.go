package faults_test

import "fmt"

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
	repetitionOfFeeds(x)
	repetitionOfUsers(x)
	preflightTwice(x)
}

// preflightTwice asks twice what a page may do.
func preflightTwice(x *tour) {
	for range 2 {
		answer := x.exchange("", "OPTIONS", "/0.2/user/feed", "", headers{
			"Authorization": "", "Origin": "https://page.example",
			"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization",
		})
		x.say("the preflight allows %q", answer.Header().Values("Access-Control-Allow-Headers"))
	}
}
