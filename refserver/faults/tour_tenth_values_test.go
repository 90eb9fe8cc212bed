package faults_test

func tenthData(x *tour) {
	taggedEmail(x)
	apostrophes(x)
	nameInCapitals(x)
	escapedProfile(x)
	dottedNetwork(x)
	manyPlaces(x)
	regionalName(x)
	placesLeftBehind(x)
}

func taggedEmail(x *tour) {
	x.created("tags mail", `{"user_name":"tags mail","email":"tags+feed@example.com","password":"p"}`)
	x.byEmail("tags+feed@example.com", "p")
}

func apostrophes(x *tour) {
	x.search(x.create("irish", text("last_name", "O'Leary")), "o'lea")
}

func nameInCapitals(x *tour) {
	u := x.create("typed in haste", text("last_name", "mcdonald"))
	x.update(u, text("last_name", "McDonald"))
}

func escapedProfile(x *tour) {
	x.update(x.create("has a long link"), text("url", "https://a.example/my%20page?next=%2Fhome"))
}

func dottedNetwork(x *tour) {
	x.create("of a dotted network", `"social_ids":{"mastodon.social":"7","x":"8"}`)
}

func manyPlaces(x *tour) {
	reader, poster := x.create("reads a map"), x.create("is somewhere exactly")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","latitude":52.520007123,"longitude":13.404954987`)
	x.feed(reader)
}

func regionalName(x *tour) {
	x.post(x.create("speaks to two countries"), `"verb":"v","object":{"id":"o","display_name":{"pt-BR":"trem","pt":"comboio"}}`)
}

func placesLeftBehind(x *tour) {
	reader, gone := x.create("follows a traveller"), x.create("travels and leaves")
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func tenthEndpoints(x *tour) {
	u, other := x.create("tenth of endpoints"), x.create("is activated", `"activated":"true"`)
	x.send("", "GET", "/versions", "", headers{"User-Agent": ""})
	x.lists(other, u)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["none"]}`,
		headers{"Content-Type": "text/plain"})
	x.send(u.session, "GET", "/0.2/users/"+other.id, "")
}

func tenthInput(x *tour) {
	u := x.create("tenth of inputs")
	x.create("has a list for metadata", `"metadata":[]`)
	x.send(u.session, "PUT", "/0.2/user/events/latest", `{"location":"L"}`)
	x.byName("tenth of inputs", password+" ")
	x.change(u, x.post(u, `"verb":"v"`), `"longitude":""`)
}
