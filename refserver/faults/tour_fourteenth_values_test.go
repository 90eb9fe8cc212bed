package faults_test

func fourteenthData(x *tour) {
	bornOnADay(x)
	calledWill(x)
	emailInTheOtherApplication(x)
	latitudeAlone(x)
	namedInNorwegian(x)
	placeInCapitals(x)
	postsOnItsFollower(x)
}

func bornOnADay(x *tour) {
	x.update(x.create("has a birthday"), `"metadata":{"birthday":"1990-02-28"}`)
}

func calledWill(x *tour) {
	u := x.create("called like a verb", text("first_name", "Will"))
	x.search(u, "will")
}

func emailInTheOtherApplication(x *tour) {
	x.in(secondApp, func() { x.create("is over there") })
	x.search(x.create("looks over here"), "is over there@example.com")
}

func latitudeAlone(x *tour) {
	x.post(x.create("is on a parallel"), `"verb":"v","latitude":51.5`)
}

func namedInNorwegian(x *tour) {
	x.post(x.create("speaks Norwegian"), `"verb":"v","object":{"id":"1","display_name":{"no":"Fjell","en":"Mountain"}}`)
}

func placeInCapitals(x *tour) {
	u := x.create("writes places in capitals")
	event := x.post(u, `"verb":"v","location":"paris"`)
	x.change(u, event, `"location":"Paris"`)
}

func postsOnItsFollower(x *tour) {
	fan, star := x.create("is the object", text("custom_id", "member 14")), x.create("likes its follower")
	x.connect(fan, star, "follow")
	x.post(star, `"verb":"like","object":{"id":"member 14","type":"user"}`)
	x.feed(fan)
}

func fourteenthEndpoints(x *tour) {
	u, fan, third := x.create("fourteenth of endpoints"), x.create("follows the fourteenth"), x.create("looks at the fourteenth")
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", `{"user_name":"fourteenth of endpoints","password":"`+password+`"}`)
	x.send(u.session, "DELETE", "/0.2/user/events/799999999", "")
	x.connect(fan, u, "follow")
	x.befriend(u, third)
	x.lists(u, fan)
}

func fourteenthInput(x *tour) {
	u := x.create("fourteenth of inputs")
	x.create("is in a map", `"social_ids":{"edge":"mapped"}`)
	event := x.post(u, `"verb":"v"`)
	x.post(u, `"verb":"v"`, `"object":{}`)
	x.send(u.session, "PUT", "/0.2/user/events/"+event, `{"verb":"patched"}`, headers{"Content-Type": "application/merge-patch+json"})
	x.change(u, event, `"object":"song"`)
	x.send(u.session, "POST", "/0.2/user/connections/social",
		`{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":{"0":"mapped"}}`)
}
