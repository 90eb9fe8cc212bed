package faults_test

// sequencesOfContacts takes the part of the sequence tour that is about contacts, who
// are connected by social identifiers.
func sequencesOfContacts(x *tour) {
	sociallyAgain(x)
	socialIDsLeft(x)
	contactsOfWhomOneIsFollowed(x)
	contactUnfollowed(x)
	contactsOnTwoPlatforms(x)
	contactLeftOnce(x)
	friendByNumberDeleted(x)
}

func sociallyAgain(x *tour) {
	one, other := x.create("has contacts"), x.create("is a contact", `"social_ids":{"net":"contact"}`)
	for range 2 {
		x.send(one.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["contact"]}`)
		x.send(one.session, "GET", "/0.2/user/follows", "")
		x.end(one, other)
	}
}

func socialIDsLeft(x *tour) {
	u, changed := x.create("has old contacts"), x.create("changes its contact", `"social_ids":{"net":"former"}`)
	gone := x.create("takes its contact along", `"social_ids":{"net":"gone"}`)
	x.update(changed, `"social_ids":{"net":"current"}`)
	x.contacts(u, "net", "former")
	x.remove(gone)
	x.contacts(u, "net", "gone")
}

func contactsOfWhomOneIsFollowed(x *tour) {
	u, known := x.create("has contacts too"), x.create("is known", `"social_ids":{"edge":"known"}`)
	x.create("is new", `"social_ids":{"edge":"new"}`)
	x.connect(u, known, "follow")
	x.socially(u, "known", "new")
}

func contactUnfollowed(x *tour) {
	u, contact := x.create("gives up a contact"), x.create("is a contact for a while", `"social_ids":{"edge":"for a while"}`)
	x.socially(u, "for a while")
	x.end(u, contact)
}

func contactsOnTwoPlatforms(x *tour) {
	u := x.create("is on two platforms")
	x.create("is on one of them", `"social_ids":{"second":"both"}`)
	x.contacts(u, "first", "nobody")
	x.contacts(u, "second", "both")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func contactLeftOnce(x *tour) {
	u, contact := x.create("leaves a contact"), x.create("was left once", `"social_ids":{"edge":"left once"}`)
	x.connect(u, contact, "follow")
	x.end(u, contact)
	x.socially(u, "left once")
}

func friendByNumberDeleted(x *tour) {
	u, friend := x.create("has friends by number"), x.create("is a friend by number", `"social_ids":{"phone":"0171"}`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"phone","type":"friend","platform_user_id":"1","connection_ids":["0171"]}`)
	x.remove(friend)
	x.send(u.session, "GET", "/0.2/user/friends", "")
}
