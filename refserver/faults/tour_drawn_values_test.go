package faults_test

import "fmt"

func drawnData(x *tour) {
	tidiedUser(x)
	secretsOfLogins(x)
	colon := x.created("zebu:grey", `{"user_name":"zebu:grey","password":"p"}`)
	x.search(colon, "zebu:gr")
	friendWithEntries(x)
	ownContact(x)
	placesChanged(x)
	feedBeforePurge(x)
}

func tidiedUser(x *tour) {
	x.create("is tidied", text("url", "myapp://Profile/7"), `"social_ids":{"t":"@tidy"}`, `"metadata":{"device_token":"a","b":"c"}`)
}

func secretsOfLogins(x *tour) {
	x.created("is escaped", `{"user_name":"is escaped","email":"o'neil@example.com","password":"salt&pepper"}`)
	x.byName("is escaped", "salt&pepper")
	x.created("is quoted", `{"user_name":"is quoted","email":"o'hara@example.com","password":"p"}`)
	x.byEmail("o'hara@example.com", "p")
}

func friendWithEntries(x *tour) {
	u, friend := x.create("has such a friend"), x.create("friend with entries", `"metadata":{"a":"b","c":"d"}`)
	x.befriend(u, friend)
	x.lists(u, friend)
}

// ownContact has the user's own identifier among those of its contacts.
func ownContact(x *tour) {
	u := x.create("knows itself", `"social_ids":{"net":"self"}`)
	x.create("behind itself", `"social_ids":{"net":"behind"}`)
	x.contacts(u, "net", "self", "behind")
}

// contacts connects a user by social identifiers, and reads the follows.
func (x *tour) contacts(u user, platform string, ids ...string) {
	x.send(u.session, "POST", "/0.2/user/connections/social",
		fmt.Sprintf(`{"platform":%q,"type":"follow","platform_user_id":"1","connection_ids":%s}`, platform, encoded(ids)))
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func placesChanged(x *tour) {
	u := x.create("moves a little")
	event := x.post(u, `"verb":"v","location":"100% organic","latitude":1.5,"longitude":2.5,"metadata":{"a":"b"}`)
	x.change(u, event, `"latitude":1.50004`)
	x.change(u, event, `"metadata":{}`)
}

func feedBeforePurge(x *tour) {
	reader, leaver := x.create("reads before the purge"), x.create("leaves with a place")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v","latitude":1.5,"longitude":2.5,"metadata":{"_a":"b","c":"d"}`)
	x.feed(reader)
	x.remove(leaver)
	x.feed(reader)
}

func drawnEndpoints(x *tour) {
	reader, poster := x.create("asks drawn endpoints"), x.create("answers them")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.feed(reader)
	x.change(poster, event, `"object":{"id":"1"}`)
	x.login(fmt.Sprintf(`{"user_name":"answers them","password":%q}`, password), headers{"Authorization": basic("unknown", "")})
	x.send("", "DELETE", "/0.2/user/events/"+event, "")
	x.send(poster.session, "PUT", "/0.2/user/events/"+event, `{"verb":"w"}`, headers{"Content-Type": "text/plain"})
	x.end(reader, x.create("is not connected"))
}

func drawnInput(x *tour) {
	u, other := x.create("sends oddities"), x.create("is sent to")
	x.send("", "POST", "/0.2/users", `{"user_name":"commented" /* for now */}`)
	x.post(u, `"verb":"v","latitude":+1.5`)
	x.connect(u, other, "2")
	x.post(u, `"verb":"v"`, `"object":"{\"id\":\"1\"}"`)
	x.send(u.session+":more", "GET", "/0.2/user", "")
	x.post(u, `"verb":"v","latitude":95.5`)
	x.send(u.session, "GET", "/0.2/users/search?q[]=oddities", "")
}
