package faults_test

import "strings"

// dataOfUsers takes the part of the data tour that is about users and what is kept of
// them.
func dataOfUsers(x *tour) {
	metadataWithTellingKeys(x)
	entitiesInUpdatedURL(x)
	mapsWithAlikes(x)
	noBreakSpace(x)
	customIDLikeAnID(x)
	deactivated(x)
	paddedMetadata(x)
	tidiedUser(x)
	versionsPluralsAndSeparators(x)
	typedByHand(x)
	friendsOfNumbers(x)
	namesSwapped(x)
	wideBlanks(x)
	tagOfEmail(x)
	metadataAlone(x)
	urlWithPort(x)
	urls(x)
	passwordOfOtherCase(x)
	joinedEmoji(x)
	firstNamesOfTwoWords(x)
	urlBeyondASCII(x)
	newIDOnTheSameNetwork(x)
	apostrophes(x)
	nameInCapitals(x)
	escapedProfile(x)
	dottedNetwork(x)
	linkWithTwoParameters(x)
	surnameInCapitals(x)
	deepLink(x)
	bornOnADay(x)
	keyInCamelCase(x)
	plusInNewEmail(x)
	idsInCapitals(x)
	linkToAScreen(x)
	idWithExponent(x)
	seenInSummer(x)
}

// metadataWithTellingKeys has keys that mean something to languages servers are
// written in: a prototype, places in a list, the class of a record.
func metadataWithTellingKeys(x *tour) {
	looker := x.create("key looker")
	x.create("proto", `"metadata":{"__proto__":"a","b":"c"}`)
	numbered := x.create("numbered", `"metadata":{"0":"a","1":"b"}`)
	x.send(looker.session, "GET", "/0.2/users/"+numbered.id, "")
	x.connect(looker, numbered, "follow")
	x.post(numbered, `"verb":"v","metadata":{"type":"x","y":"z"}`)
	x.feed(looker)
}

func entitiesInUpdatedURL(x *tour) {
	x.update(x.create("entities"), text("url", "https://a.example/?x=1&copy=2"))
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

func deactivated(x *tour) {
	u := x.create("no longer active", `"activated":"true"`)
	x.update(u, `"activated":"false"`)
}

func paddedMetadata(x *tour) {
	x.post(x.create("pads"), `"verb":"v"`, `"metadata":{"k":"`+strings.Repeat("v", 499)+`  "}`)
}

func tidiedUser(x *tour) {
	x.create("is tidied", text("url", "myapp://Profile/7"), `"social_ids":{"t":"@tidy"}`, `"metadata":{"device_token":"a","b":"c"}`)
}

func versionsPluralsAndSeparators(x *tour) {
	reader, poster := x.create("reads the edge"), x.create("posts at the edge", text("last_name", "JOHNSON"))
	x.update(poster, `"metadata":{"version":"1.10"}`)
	x.create("has no plural", text("first_name", "Runner"))
	x.created("at@handle", `{"user_name":"at@handle","email":"handle@example.com","password":"p"}`)
	for _, term := range []string{"Runners", "at@han"} {
		x.search(reader, term)
	}
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`, text("location", "a\u2028b"))
	x.post(poster, `"verb":"v","location":"here","metadata":{"location":"there"}`)
	x.post(poster, `"verb":"follow"`)
	onObject := x.post(poster, `"verb":"v","object":{"id":"1"}`)
	x.feed(reader)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+onObject, "")
	x.feed(reader)
	x.change(poster, x.post(poster, `"verb":"v","metadata":{"stars":"4"}`), `"metadata":{"stars":"5"}`)
}

func typedByHand(x *tour) {
	u := x.create("types by hand", text("url", "people.example/by-hand"))
	x.update(u, text("last_name", "O’Brien"))
}

func friendsOfNumbers(x *tour) {
	one, other := x.create("has numbers for a friend"), x.create("has a number", text("custom_id", "10023"))
	x.connect(one, other, "friend")
	x.connect(other, one, "friend")
	x.send(one.session, "GET", "/0.2/user/friends", "")
}

func namesSwapped(x *tour) {
	u := x.create("fills in the wrong box", text("first_name", "Meyer"), text("last_name", "Ida"))
	x.update(u, text("first_name", "Ida"), text("last_name", "Meyer"))
}

func wideBlanks(x *tour) { x.create("types in haste", text("first_name", "Anna  Lena")) }

func tagOfEmail(x *tour) {
	u := x.create("sorts mail")
	for _, email := range []string{"sorts@example.com", "sorts+feed@example.com"} {
		x.send(u.session, "PUT", "/0.2/user", `{"user_name":"sorts mail",`+text("email", email)+`}`)
	}
	x.send(u.session, "GET", "/0.2/user", "")
}

func metadataAlone(x *tour) {
	u := x.create("sets a theme", `"metadata":{"theme":"light"}`)
	x.update(u, `"metadata":{"theme":"dark"}`)
}

func urlWithPort(x *tour) {
	x.create("runs a server", text("url", "https://home.example:443/me"))
}

func urls(x *tour) {
	u := x.create("has a home page", text("url", "https://ida.example"))
	x.update(u, text("url", "https://ida.example/me?tab=1"))
	x.update(u, text("url", "https://ida.example/me?tab=2"))
}

func passwordOfOtherCase(x *tour) {
	u := x.create("holds shift")
	x.update(u, text("password", strings.ToUpper(password)))
	x.byName(u.name, strings.ToUpper(password))
	x.byName(u.name, password)
}

func joinedEmoji(x *tour) {
	x.update(x.create("has a profession"), text("first_name", "Ida \U0001f469\u200d\U0001f4bb"))
}

func firstNamesOfTwoWords(x *tour) { x.create("has two first names", text("first_name", "Anna Lena")) }

func urlBeyondASCII(x *tour) { x.create("lives in Köln", text("url", "https://a.example/köln")) }

func newIDOnTheSameNetwork(x *tour) {
	x.update(x.create("has a new number", `"social_ids":{"phone":"1"}`), `"social_ids":{"phone":"2"}`)
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

func linkWithTwoParameters(x *tour) {
	x.update(x.create("has a long link too"), text("url", "https://a.example/?tab=posts&page=2"))
}

func surnameInCapitals(x *tour) {
	u := x.create("shouted once", text("last_name", "LOWENSTEIN"))
	x.update(u, text("last_name", "Lowenstein"))
}

func deepLink(x *tour) {
	x.create("has a deep link", text("url", "https://a.example/profile?tab=posts&id=7#top"))
}

func bornOnADay(x *tour) {
	x.update(x.create("has a birthday"), `"metadata":{"birthday":"1990-02-28"}`)
}

func keyInCamelCase(x *tour) { x.create("comes from Cork", `"metadata":{"homeTown":"Cork"}`) }

func plusInNewEmail(x *tour) { x.update(x.create("adds a plus"), text("email", "o+hara@example.com")) }

func idsInCapitals(x *tour) {
	u := x.create("has an id in capitals", text("custom_id", "0A0B0C0D-1111-2222-3333-4444555566FF"))
	x.update(u, text("custom_id", "0A0B0C0D-1111-2222-3333-44445555AAAA"))
}

func linkToAScreen(x *tour) {
	x.update(x.create("links to a screen"), text("url", "https://example.com/app#/users/7"))
}

func idWithExponent(x *tour) { x.create("has an id like a number", text("custom_id", "12e5")) }

func seenInSummer(x *tour) {
	x.update(x.create("was seen in summer"), `"metadata":{"seen":"2024-05-01T10:00:00+02:00"}`)
}
