package faults_test

import "fmt"

func sequenceTour(x *tour) {
	longStoryOfUsers(x)
	longStoryOfConnections(x)
	longStoryOfIdentifiers(x)
	longStoryOfEvents(x)
	longStoryOfPurges(x)
	x.twoApplications()
	sequencesOfUsers(x)
	sequencesOfSessions(x)
	sequencesOfSearches(x)
	sequencesOfApplications(x)
	sequencesOfConnections(x)
	sequencesOfFriends(x)
	sequencesOfContacts(x)
	sequencesOfEvents(x)
	sequencesOfFollowsInFeeds(x)
	sequencesOfEventsInFeeds(x)
	sequencesOfPurges(x)
}

func longStoryOfUsers(x *tour) {
	looker, ann := x.create("looker"), x.create("ann", text("first_name", "First"))
	for i, name := range []string{"Second", "Third", "First", "Second"} {
		x.update(ann, text("first_name", name), text("url", fmt.Sprintf("https://a.example/%d", i)))
		for _, term := range []string{"First", "Second", "Third"} {
			x.search(looker, term)
		}
	}
	for _, secret := range []string{"p2", "p3", password, "p5"} {
		x.update(ann, text("password", secret))
		x.byEmail("ann@example.com", password)
		x.byEmail("ann@example.com", secret)
	}
	x.send(ann.session, "DELETE", "/0.2/user/logout", "")
	x.send(ann.session, "GET", "/0.2/user", "")
	bob := x.create("bob")
	for range 3 {
		x.send(bob.session, "DELETE", "/0.2/user/logout", "")
		x.send(bob.session, "GET", "/0.2/user", "")
		if token := x.byName("bob", password); token != "" {
			bob.session = token
		}
		x.send(bob.session, "GET", "/0.2/user", "")
	}
	cy := x.create("cy")
	for i, name := range []string{"cyrus", "cyril", "cy"} {
		email := fmt.Sprintf("mail%d@new.example", i)
		x.send(cy.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"email":%q}`, name, email))
		x.byName(name, password)
		x.byEmail(email, password)
		x.search(looker, name)
		x.search(looker, name[:len(name)-1])
	}
	x.byName("cy", password)
	x.remove(cy)
	x.search(looker, "cy")
	x.send(looker.session, "GET", "/0.2/users/"+cy.id, "")
	x.send("", "POST", "/0.2/users", `{"user_name":"latest"}`)
	x.search(looker, "bob")
	x.update(bob, text("first_name", "Robert"))
	again := x.create("cy")
	x.send(cy.session, "GET", "/0.2/user", "")
	x.send("", "POST", "/0.2/users", `{"user_name":"cy","password":"x"}`)
	x.byName("cy", password)
	x.remove(again)
}

func longStoryOfConnections(x *tour) {
	looker := x.create("looker")
	for _, kinds := range [][2]string{{"follow", "follow"}, {"follow", "friend"}, {"friend", "follow"}, {"friend", "friend"}} {
		ann, bob := x.create("ann"), x.create("bob")
		look := func() {
			x.feed(ann)
			x.lists(ann, looker)
			x.lists(bob, looker)
		}
		x.post(bob, `"verb":"first"`)
		x.post(ann, `"verb":"first of ann"`)
		for range 3 {
			for _, kind := range kinds {
				x.connect(ann, bob, kind)
				look()
			}
			x.post(bob, `"verb":"next"`)
			look()
			x.end(ann, bob)
			look()
			x.end(ann, bob)
			look()
			x.feed(bob)
		}
		x.rename(&bob, "robert")
		x.connect(ann, bob, kinds[0])
		x.connect(ann, bob, kinds[1])
		look()
		x.remove(bob)
		look()
	}
}

func longStoryOfIdentifiers(x *tour) {
	looker, gone := x.create("looker"), x.create("gone", text("custom_id", "c1"), `"social_ids":{"t":"own"}`)
	x.connect(looker, gone, "follow")
	x.update(gone, `"social_ids":{"t":"new"}`)
	socially := x.create("socially")
	x.send(socially.session, "POST", "/0.2/user/connections/social", `{"platform":"t","type":"follow","platform_user_id":"1","connection_ids":["own","new"]}`)
	x.lists(socially, looker)
	x.remove(gone)
	x.create("next", text("custom_id", "c1"))
	x.lists(looker, socially)
}

func longStoryOfEvents(x *tour) {
	ann, bob := x.create("ann"), x.create("bob")
	x.connect(bob, ann, "follow")
	x.post(ann, `"verb":"first"`)
	event := x.post(ann, `"verb":"v"`, `"location":"l1"`, `"priority":"p1"`)
	twice := x.post(ann, `"verb":"v"`)
	x.change(ann, twice, `"verb":"w"`)
	x.change(ann, twice, `"location":"l"`)
	x.feed(bob)
	for i, priority := range []string{"p2", "p1", "p3"} {
		x.change(ann, event, fmt.Sprintf(`"location":"m%d"`, i), fmt.Sprintf(`"priority":%q`, priority))
		x.feed(bob)
	}
	x.send(ann.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(bob)
	for range 2 {
		x.post(ann, `"verb":"after"`)
		x.feed(bob)
	}
	x.connect(bob, ann, "friend")
	x.end(bob, ann)
	x.send(bob.session, "DELETE", "/0.2/user/events/"+x.post(ann, `"verb":"mine"`), "")
	onObject := x.post(ann, `"verb":"v"`, `"object":{"id":"one"}`)
	x.post(ann, `"verb":"w"`, `"object":{"id":"one"}`)
	x.connect(bob, ann, "follow")
	x.send(ann.session, "DELETE", "/0.2/user/events/"+onObject, "")
	x.feed(bob)
	x.connect(ann, bob, "follow")
	x.end(bob, ann)
	x.send(bob.session, "DELETE", "/0.2/user/events/"+x.post(ann, `"verb":"mine"`), "")
	dan := x.create("dan")
	x.connect(x.create("cy"), dan, "follow")
	x.post(dan, `"verb":"a stranger's"`)
	x.feed(bob)
}

func longStoryOfPurges(x *tour) {
	for _, renamed := range []bool{false, true} {
		var readers []user
		leaver := x.create("leaver", `"social_ids":{"t":"leaver"}`)
		next, other := x.create("next"), x.create("other")
		reader := func(steps ...func(u user)) {
			u := x.create(fmt.Sprint("reader", len(readers)))
			x.connect(u, next, "follow")
			for _, step := range steps {
				step(u)
			}
			readers = append(readers, u)
		}
		follow := func(u user) { x.connect(u, leaver, "follow") }
		befriend := func(u user) {
			x.connect(u, leaver, "friend")
			x.connect(u, next, "friend")
		}
		end := func(u user) { x.end(u, leaver) }
		login := func(u user) { x.byName(u.name, password) }
		socially := func(u user) {
			x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"t","type":"follow","platform_user_id":"1","connection_ids":["leaver"]}`)
		}
		reader(follow)
		reader(befriend)
		reader(follow, befriend)
		reader(follow, end, follow)
		reader(befriend, end, befriend)
		reader(follow, login)
		reader(socially)
		x.post(leaver, `"verb":"v"`, `"object":{"id":"same"}`)
		x.post(next, `"verb":"v"`, `"object":{"id":"same"}`)
		x.post(other, `"verb":"v"`)
		reader(follow)
		if renamed {
			x.rename(&leaver, "left")
		}
		x.byName(leaver.name, password)
		for _, gone := range []user{leaver, next} {
			x.remove(gone)
			for _, u := range readers {
				x.feed(u)
			}
		}
		x.create(leaver.name)
		for _, u := range readers {
			x.feed(u)
		}
	}
}
