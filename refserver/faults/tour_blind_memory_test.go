package faults_test

import "fmt"

// blindKept are sequences that ask whether what a server keeps beside its records
// is kept up with them.
func blindKept(x *tour) {
	refollowAfterChanges(x)
	followOfEarlierPoster(x)
	unfollowAfterPurge(x)
	deletionFromTheMidst(x)
	locationCleared(x)
	searchesRepeated(x)
	listsRepeated(x)
	followedBack(x)
	sociallyAgain(x)
}

// refollowAfterChanges deletes an event, and posts another, while nobody follows.
func refollowAfterChanges(x *tour) {
	reader, poster := x.create("follows in turns"), x.create("posts in between")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"deleted"`)
	x.feed(reader)
	x.end(reader, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.post(poster, `"verb":"between"`)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func followOfEarlierPoster(x *tour) {
	reader, early, late := x.create("follows two"), x.create("posts early"), x.create("posts late")
	x.post(early, `"verb":"early"`)
	x.connect(reader, late, "follow")
	x.post(late, `"verb":"late"`)
	x.connect(reader, early, "follow")
	x.feed(reader)
}

func unfollowAfterPurge(x *tour) {
	reader, leaver, other := x.create("loses both"), x.create("is deleted first"), x.create("is unfollowed then")
	x.connect(reader, leaver, "follow")
	x.connect(reader, other, "follow")
	x.post(leaver, `"verb":"v"`)
	x.remove(leaver)
	x.feed(reader)
	x.end(reader, other)
	x.feed(reader)
}

func deletionFromTheMidst(x *tour) {
	reader, poster := x.create("reads before"), x.create("deletes the newer")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"older"`)
	event := x.post(poster, `"verb":"newer"`)
	x.feed(reader)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func locationCleared(x *tour) {
	reader, poster := x.create("reads places"), x.create("leaves a place")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v","location":"here"`)
	x.change(poster, event, `"location":""`)
	x.feed(reader)
}

// searchesRepeated searches for the same before and after what changes the results.
func searchesRepeated(x *tour) {
	looker := x.create("looks again")
	x.search(looker, "quagga")
	quagga := x.create("quagga", text("first_name", "Zebrina"))
	x.search(looker, "quagga")
	x.update(quagga, text("first_name", "Zebrina"), text("last_name", "Equus"))
	x.search(looker, "zebrina")
	x.search(looker, "quag")
	x.remove(quagga)
	x.search(looker, "quag")
}

func listsRepeated(x *tour) {
	reader, leaver, other := x.create("reads lists"), x.create("leaves the list"), x.create("remains")
	x.connect(reader, leaver, "follow")
	x.lists(reader, other)
	x.remove(leaver)
	x.lists(reader, other)
	x.connect(reader, leaver, "follow")
	x.connect(reader, other, "follow")
	x.rename(&reader, "reads renamed")
	x.end(reader, other)
	x.lists(other, reader)
	x.lists(reader, other)
}

func followedBack(x *tour) {
	one, other := x.create("follows first"), x.create("follows back")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.lists(one, other)
}

func sociallyAgain(x *tour) {
	one, other := x.create("has contacts"), x.create("is a contact", `"social_ids":{"net":"contact"}`)
	for range 2 {
		x.send(one.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["contact"]}`)
		x.send(one.session, "GET", "/0.2/user/follows", "")
		x.end(one, other)
	}
}

// blindLeftBehind are sequences that ask what logins, logouts and refusals leave behind.
func blindLeftBehind(x *tour) {
	emailTakenOver(x)
	passwordUsedBefore(x)
	changeAfterLogout(x)
	metadataRefusedFirst(x)
	namesAfterLogins(x)
}

func emailTakenOver(x *tour) {
	x.send(x.create("gives up").session, "PUT", "/0.2/user", `{"user_name":"gives up","email":"other@example.com"}`)
	x.created("takes over", fmt.Sprintf(`{"user_name":"takes over","email":"gives up@example.com","password":%q}`, "another"))
	x.byEmail("gives up@example.com", "another")
}

func passwordUsedBefore(x *tour) {
	u := x.create("uses it first")
	x.byName(u.name, password)
	x.update(u, text("password", "the next"))
	x.byName(u.name, password)
}

func changeAfterLogout(x *tour) {
	u := x.create("changes in another")
	event := x.post(u, `"verb":"v"`)
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	u.session = x.byName(u.name, password)
	x.change(u, event, `"location":"x"`)
}

func metadataRefusedFirst(x *tour) {
	u := x.create("is refused first")
	x.post(u, `"verb":"v","metadata":{"valid":"a","wrong":1}`)
	x.post(u, `"verb":"v","metadata":{"other":"b"}`)
}

func namesAfterLogins(x *tour) {
	u := x.create("logs in again", text("first_name", "Zoë"))
	u.session = x.byName(u.name, password)
	x.send(u.session, "GET", "/0.2/user", "")
}
