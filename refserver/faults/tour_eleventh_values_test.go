package faults_test

func eleventhData(x *tour) {
	emailWithPlus(x)
	apostropheInName(x)
	linkWithTwoParameters(x)
	languageWithRegion(x)
	backToNullIsland(x)
	objectWithoutName(x)
}

func emailWithPlus(x *tour) {
	u := x.create("tagged+news")
	x.byEmail(u.name+"@example.com", password)
}

func apostropheInName(x *tour) {
	u := x.create("irish", text("last_name", "O'Leary"))
	x.search(u, "o'lea")
}

func linkWithTwoParameters(x *tour) {
	x.update(x.create("has a long link"), text("url", "https://a.example/?tab=posts&page=2"))
}

func languageWithRegion(x *tour) {
	x.post(x.create("writes in two languages"), `"verb":"v","object":{"id":"1","display_name":{"en-US":"Color","en-GB":"Colour"}}`)
}

func backToNullIsland(x *tour) {
	u := x.create("sails south")
	x.change(u, x.post(u, `"verb":"v","latitude":1.5,"longitude":2.5`), `"latitude":0,"longitude":0.0`)
}

func objectWithoutName(x *tour) {
	reader, poster := x.create("reads of a nameless thing"), x.create("likes a nameless thing")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"like","object":{"id":"1","type":"photo"}`)
	x.feed(reader)
}

func eleventhEndpoints(x *tour) {
	u, idle := x.create("eleventh of endpoints"), x.idle("never came in")
	x.update(u, text("last_name", "Updated"))
	x.connect(u, idle, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
	event := x.post(u, `"verb":"v"`)
	for range 2 {
		x.send(u.session, "DELETE", "/0.2/user/events/"+event, "")
	}
}

func eleventhInput(x *tour) {
	u := x.create("eleventh of inputs", `"metadata":{"a":"b"}`)
	x.update(u, `"metadata":[]`)
	x.send("", "POST", "/0.2/users", `{"user_name":"ends with a comma","password":"p",}`)
	x.send(u.session, "PUT", "/0.2/user/events/"+x.post(u, `"verb":"v"`), `[{"location":"L"}]`)
}
