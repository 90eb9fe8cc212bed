package faults_test

import (
	"strings"
)

func fifthData(x *tour) {
	wideBlanks(x)
	tagOfEmail(x)
	dottedEmail(x)
	quotedTerm(x)
	contactZero(x)
	taggedName(x)
	otherRegion(x)
	usersAsObjects(x)
	likesOfOneThing(x)
}

func wideBlanks(x *tour) { x.create("types in haste", text("first_name", "Anna  Lena")) }

func tagOfEmail(x *tour) {
	u := x.create("sorts mail")
	for _, email := range []string{"sorts@example.com", "sorts+feed@example.com"} {
		x.send(u.session, "PUT", "/0.2/user", `{"user_name":"sorts mail",`+text("email", email)+`}`)
	}
	x.send(u.session, "GET", "/0.2/user", "")
}

func dottedEmail(x *tour) {
	x.created("has a dot", `{"user_name":"has a dot","email":"mia.holm@example.com","password":"p"}`)
	x.byEmail("miaholm@example.com", "p")
}

func quotedTerm(x *tour) { x.search(x.create("Quentin of the quotes"), `"quentin of"`) }

func contactZero(x *tour) {
	u := x.create("has the first account for a contact")
	x.create("has the first account", `"social_ids":{"edge":"0"}`)
	x.socially(u, "0")
}

func taggedName(x *tour) {
	x.post(x.create("writes HTML"), `"verb":"v","object":{"id":"page","display_name":{"en":"The <b> tag"}}`)
}

func otherRegion(x *tour) {
	u := x.create("moves to Austria")
	x.change(u, x.post(u, `"verb":"v","language":"de-DE"`), `"language":"de-AT"`)
}

func usersAsObjects(x *tour) {
	reader, poster := x.create("reads of users"), x.create("posts of users")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"u 7","type":"user","display_name":{"en":"Seven"}}`)
	x.feed(reader)
}

func likesOfOneThing(x *tour) {
	reader, stays, gone := x.create("reads both likes"), x.create("likes as well"), x.create("likes and leaves")
	for _, u := range []user{stays, gone} {
		x.connect(reader, u, "follow")
		x.post(u, `"verb":"like","object":{"id":"picture 5"}`)
	}
	x.remove(gone)
	x.feed(reader)
}

func fifthEndpoints(x *tour) {
	u, friend, other := x.create("fifth of endpoints"), x.create("is not activated", `"activated":"false"`), x.create("looks at friends")
	x.send("no session", "GET", "/0.2/user/friends", "")
	x.befriend(u, friend)
	x.lists(u, other)
	x.send("no session", "POST", "/0.2/user/connections", `{"user_to_id":`+u.id+`,"type":"follow"}`)
	x.change(u, x.post(u, `"verb":"v"`), `"location":"l"`)
}

func fifthInput(x *tour) {
	u := x.create("fifth of inputs")
	x.send("", "POST", "/0.2/users", `{"user_name":"is activated by number","activated":1}`)
	x.update(u, text("metadata", `{"a":"b"}`))
	x.change(u, x.post(u, `"verb":"v"`), `"location":{"name":"Kiel"}`)
	x.post(u, `"verb":"v"`, `"metadata":{"size":{"w":1}}`)
	x.send(u.session, "DELETE", "/0.2/user/connections/"+strings.ReplaceAll(u.name, " ", "-"), "")
}
