package faults_test

import "fmt"

func thirteenthData(x *tour) {
	x.create("has a deep link", text("url", "https://a.example/profile?tab=posts&id=7#top"))
	x.created("desk@work", `{"user_name":"desk@work","email":"desk@example.com","password":"p"}`)
	x.byName("desk@work", "p")
	looker := x.create("looks for a particle", text("last_name", "de Vries"))
	x.search(looker, "De")
	x.create("same on both", `"social_ids":{"edge":"same.on.both","wave":"same.on.both"}`)
	x.socially(looker, "same.on.both")
	placesAndColumns(x)
}

func placesAndColumns(x *tour) {
	reader, poster := x.create("reads of places"), x.create("posts of places")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.post(poster, `"verb":"v","latitude":44.05`)
	x.post(poster, `"verb":"v","metadata":{"id":"7","colour":"red"}`)
	x.change(poster, event, `"object":{"id":"7","type":"user"}`)
	x.feed(reader)
	gone := x.create("is known by a number", text("custom_id", "4711"))
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func thirteenthEndpoints(x *tour) {
	u, friend, other := x.create("thirteenth of endpoints", `"activated":"true"`), x.create("friend of the thirteenth"), x.create("other friend of it")
	x.befriend(u, friend)
	x.befriend(u, other)
	x.lists(u, friend)
	x.search(friend, "thirteenth of endpoints")
	x.login(fmt.Sprintf(`{"email":"thirteenth of endpoints@example.com","password":%q}`, password))
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"email":"thirteenth of endpoints@example.com","password":%q}`, password))
}

func thirteenthInput(x *tour) {
	u := x.create("thirteenth of inputs")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["a",7]}`)
	event := x.post(u, `"verb":"v","object":{"id":"7"}`)
	x.change(u, event, `"object":{"id":"7","display_name":{"en":7}}`)
	x.search(u, `the "best`)
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"thirteenth of inputs"}`, headers{"Content-Type": "application/merge-patch+json"})
}
