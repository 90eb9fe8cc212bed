package faults_test

// sequencesOfApplications takes the part of the sequence tour that is about two
// applications, and what stands in front of the server.
func sequencesOfApplications(x *tour) {
	locationCleared(x)
	namesAfterLogins(x)
	originAfterNone(x)
	searchesForPages(x)
	searchOfTwoApplications(x)
	contactWhoIsAFriend(x)
	sessionInTwoApplications(x)
	readInBothApplications(x)
	namesakeInTheOtherApplication(x)
	searchedInTwoApplications(x)
}

func locationCleared(x *tour) {
	reader, poster := x.create("reads places"), x.create("leaves a place")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v","location":"here"`)
	x.change(poster, event, `"location":""`)
	x.feed(reader)
}

func namesAfterLogins(x *tour) {
	u := x.create("logs in again", text("first_name", "Zoë"))
	u.session = x.byName(u.name, password)
	x.send(u.session, "GET", "/0.2/user", "")
}

func originAfterNone(x *tour) {
	u := x.create("comes from elsewhere")
	for _, origin := range []string{"https://page.example", "", "https://page.example"} {
		x.send(u.session, "GET", "/0.2/user", "", headers{"Origin": origin})
	}
}

func searchesForPages(x *tour) {
	u := x.create("searches for pages")
	x.search(u, "for pages")
	x.send(u.session, "GET", "/0.2/users/search?q=for+pages", "", headers{"Accept": "text/html"})
}

func searchOfTwoApplications(x *tour) {
	for _, app := range []string{firstApp, secondApp} {
		x.in(app, func() { x.search(x.create("is in "+app, text("last_name", "Appleson")), "appleson") })
	}
}

func contactWhoIsAFriend(x *tour) {
	u, friend := x.create("has a friend for a contact"), x.create("is a friend and a contact", `"social_ids":{"edge":"friend"}`)
	x.befriend(u, friend)
	x.socially(u, "friend")
}

func sessionInTwoApplications(x *tour) {
	u := x.create("uses two apps")
	x.send(u.session, "GET", "/0.2/user", "")
	x.in(secondApp, func() { x.send(u.session, "GET", "/0.2/user", "") })
}

func readInBothApplications(x *tour) {
	u := x.create("read at home")
	x.send(u.session, "GET", "/0.2/users/"+u.id, "")
	x.in(secondApp, func() { x.send(x.create("reads from abroad").session, "GET", "/0.2/users/"+u.id, "") })
}

func namesakeInTheOtherApplication(x *tour) {
	const name = "lives in both applications"
	reader, here := x.create("reads one of two"), x.create(name)
	x.connect(reader, here, "follow")
	x.post(here, `"verb":"v"`)
	x.in(secondApp, func() { x.remove(x.create(name)) })
	x.feed(reader)
}

func searchedInTwoApplications(x *tour) {
	x.search(x.create("wombat here"), "wombat")
	x.in(secondApp, func() { x.search(x.create("wombat there"), "wombat") })
}
