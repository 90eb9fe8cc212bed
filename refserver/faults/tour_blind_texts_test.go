package faults_test

func blindTexts(x *tour) {
	mapsWithAlikes(x)
	noBreakSpace(x)
	customIDLikeAnID(x)
	passwordsOfDigits(x)
	dottedPlatform(x)
	oddTerms(x)
}

// mapsWithAlikes has values that are the same, and keys that a collation takes for the same.
func mapsWithAlikes(x *tour) {
	u := x.create("alikes", `"social_ids":{"one":"same","two":"same"}`)
	x.update(u, `"metadata":{"Colour":"red","colour":"blue"}`)
}

func noBreakSpace(x *tour) {
	x.update(x.create("unbroken"), text("first_name", "Jean\u00a0Luc"))
}

// customIDLikeAnID is read by an id that is another user's custom_id.
func customIDLikeAnID(x *tour) {
	hidden := x.create("hidden by another")
	looker := x.create("hides another", text("custom_id", hidden.id))
	x.send(looker.session, "GET", "/0.2/users/"+hidden.id, "")
}

func passwordsOfDigits(x *tour) {
	x.created("digits only", `{"user_name":"digits only","password":"0e1234"}`)
	x.byName("digits only", "0e1234")
	x.byName("digits only", "0e9876")
}

func dottedPlatform(x *tour) {
	x.create("on a dotted platform", `"social_ids":{"social.example":"77"}`)
	y := x.create("looks on a dotted platform")
	x.send(y.session, "POST", "/0.2/user/connections/social",
		`{"platform":"social.example","type":"follow","platform_user_id":"1","connection_ids":["77"]}`)
	x.send(y.session, "GET", "/0.2/user/follows", "")
}

// oddTerms looks for what query languages have a meaning for, and what is too short for
// some indexes.
func oddTerms(x *tour) {
	u := x.create("odd 0 terms", text("first_name", `De\Xalbert McDonald`), text("last_name", "Ng"))
	for _, term := range []string{"OR", "0", "ng", "mcdonald", `de\_albert`} {
		x.search(u, term)
	}
}
