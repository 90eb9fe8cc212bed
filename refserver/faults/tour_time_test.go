package faults_test

import "time"

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
	laterLogins(x)
	laterChanges(x)
	laterSearch(x)
	laterContact(x)
	laterMetadata(x)
	laterNames(x)
	laterRecord(x)
	laterDeletion(x)
	updateAtOnce(x)
	laterPost(x)
	laterEnd(x)
	refollowAtOnce(x)
	loginAtOnce(x)
	formerPasswordAtOnce(x)
}

// laterLogins waits once for all: each of what it asks has changed by then, if at all.
func laterLogins(x *tour) {
	changed, other, poster := x.create("changes password"), x.create("waits by email"), x.create("owns for long")
	x.update(changed, text("password", "second"))
	event := x.post(poster, `"verb":"v"`)
	for range 2 {
		x.byName("changes password", password)
		x.byName("changes password", "second")
		x.byEmail("waits by email@example.com", password)
		x.send(other.session, "DELETE", "/0.2/user/events/"+event, "")
		time.Sleep(7 * time.Second)
	}
}

// laterChanges reads and changes what was posted some seconds ago.
func laterChanges(x *tour) {
	reader, poster := x.create("reads later"), x.create("changes later")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.post(poster, `"verb":"w"`)
	x.feed(reader)
	time.Sleep(5 * time.Second)
	x.feed(reader)
	x.change(poster, event, `"location":"l"`)
}

func laterSearch(x *tour) {
	looker, u := x.create("looks later"), x.create("marries", text("last_name", "Formerly"))
	x.update(u, text("last_name", "Now"))
	for range 2 {
		x.search(looker, "formerly")
		time.Sleep(6 * time.Second)
	}
}

func laterContact(x *tour) {
	u := x.create("asks late")
	x.create("was there early", `"social_ids":{"edge":"early"}`)
	time.Sleep(3 * time.Second)
	x.socially(u, "early")
}

func laterMetadata(x *tour) {
	reader, poster := x.create("reads old news"), x.create("has old news")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","metadata":{"k":"v"}`)
	time.Sleep(3 * time.Second)
	x.feed(reader)
}

func laterNames(x *tour) {
	reader, poster := x.create("reads old names"), x.create("names things")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"1","display_name":{"en":"Thing"}}`)
	x.feed(reader)
	time.Sleep(4 * time.Second)
	x.feed(reader)
}

func laterRecord(x *tour) {
	u := x.create("marries too", text("last_name", "Before"))
	x.update(u, text("last_name", "After"))
	time.Sleep(4 * time.Second)
	x.send(u.session, "GET", "/0.2/user", "")
}

func laterDeletion(x *tour) {
	u := x.create("thinks again")
	event := x.post(u, `"verb":"v"`)
	time.Sleep(4 * time.Second)
	x.send(u.session, "DELETE", "/0.2/user/events/"+event, "")
}

func updateAtOnce(x *tour) { x.update(x.create("updates at once"), text("first_name", "Soon")) }

func laterPost(x *tour) {
	reader, poster := x.create("followed a while ago"), x.create("posts a while later")
	x.connect(reader, poster, "follow")
	time.Sleep(5 * time.Second)
	x.post(poster, `"verb":"later"`)
	x.feed(reader)
}

func laterEnd(x *tour) {
	reader, poster := x.create("unfollows later"), x.create("posted long before")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	time.Sleep(5 * time.Second)
	x.end(reader, poster)
	x.feed(reader)
}

// refollowAtOnce ends a follow by mistake, and reads the feed a while later.
func refollowAtOnce(x *tour) {
	reader, poster := x.create("changes his mind"), x.create("is left for a moment")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"before"`)
	x.end(reader, poster)
	x.connect(reader, poster, "follow")
	x.feed(reader)
	time.Sleep(2 * time.Second)
	x.feed(reader)
}

func loginAtOnce(x *tour) {
	x.create("comes and goes")
	for range 2 {
		token := x.byName("comes and goes", password)
		x.send(token, "GET", "/0.2/user", "")
		x.send(token, "DELETE", "/0.2/user/logout", "")
	}
}

// formerPasswordAtOnce tries the former password right after its change, and a while later.
func formerPasswordAtOnce(x *tour) {
	u := x.create("was in a moment ago")
	x.byName(u.name, password)
	x.update(u, text("password", "another"))
	for range 2 {
		x.byName(u.name, password)
		time.Sleep(4 * time.Second)
	}
}
