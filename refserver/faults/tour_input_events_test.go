package faults_test

import (
	"fmt"
	"strings"
)

// inputOfEventsAndContacts takes the part of the input tour that is about events,
// connections and contacts, and odd requests.
func inputOfEventsAndContacts(x *tour) {
	lineBreakInText(x)
	halfAPlace(x)
	oddReferences(x)
	lenience(x)
	commentsAndSigns(x)
	patternsAndPairs(x)
	missingFields(x)
	brokenEscapes(x)
	cutOffBodies(x)
	foreignIDs(x)
	wordForAnID(x)
	listsForObjects(x)
	emptyLists(x)
	openQuotes(x)
	mapForAList(x)
	falsyTexts(x)
	contactsAsForm(x)
	oddBodiesOfEvents(x)
	typesByNumber(x)
	followsOfNoNumber(x)
	coordinatesAsText(x)
	commentInEvent(x)
}

func lineBreakInText(x *tour) {
	x.post(x.create("breaker"), "\"verb\":\"li\nke\"")
}

func halfAPlace(x *tour) {
	reader, poster := x.create("place reader"), x.create("place poster")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.change(poster, event, `"latitude":9.5,"longitude":"x"`)
	x.feed(reader)
}

// oddReferences has an id with a sign before it, and one that some languages take for none.
func oddReferences(x *tour) {
	reader, other := x.create("refers oddly"), x.create("referred to")
	x.send(reader.session, "POST", "/0.2/user/connections", `{"user_to_id":-`+other.id+`,"type":"follow"}`)
	x.connect(reader, other, "follow")
	x.send(reader.session, "GET", "/0.2/users/0/follows", "")
	x.send(reader.session, "GET", "/0.2/users/search?q=refer&q=other", "")
}

func lenience(x *tour) {
	u := x.create("is lenient", `"social_ids":{"t":"1"}`)
	x.byName(u.name, `x' OR '1'='1`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"p","type":"follow","platform_user_id":"1","connection_ids":[["1"]]}`)
	x.update(u, `"social_ids":{"t":5}`)
	x.update(u, `"created_at":"2001-02-03T04:05:06Z"`)
	x.post(u, `"verb":"v"`, `"object":{"type":"t","url":"https://a.example/1"}`)
}

func commentsAndSigns(x *tour) {
	u, other := x.create("sends oddities"), x.create("is sent to")
	x.send("", "POST", "/0.2/users", `{"user_name":"commented" /* for now */}`)
	x.post(u, `"verb":"v","latitude":+1.5`)
	x.connect(u, other, "2")
	x.post(u, `"verb":"v"`, `"object":"{\"id\":\"1\"}"`)
	x.send(u.session+":more", "GET", "/0.2/user", "")
	x.post(u, `"verb":"v","latitude":95.5`)
	x.send(u.session, "GET", "/0.2/users/search?q[]=oddities", "")
}

func patternsAndPairs(x *tour) {
	u := x.create("edge login")
	x.byName("edge log%", password)
	x.post(u, `"verb":"v","location":"Joe\'s"`)
	x.post(u, `"verb":"v","metadata":[{"key":"a","value":"b"}]`)
	keys := []string{`"Color":"v"`, `"color":"v"`}
	for i := range 9 {
		keys = append(keys, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.post(u, `"verb":"v"`, `"metadata":{`+strings.Join(keys, ",")+`}`)
}

func missingFields(x *tour) {
	u, other := x.create("missing fields", `"social_ids":{"net":"own"}`), x.create("has an event")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","connection_ids":["contact"]}`)
	event := x.post(other, `"verb":"v"`)
	x.change(u, event)
	x.send(other.session, "PUT", "/0.2/user/events/"+event, `{"verb":`)
	x.post(u, `"verb":"v","latitude":-.5`)
	x.send("", "POST", "/0.2/users", `{"user_name":"has no password","email":"none@example.com"}`)
	x.login(`{"user_name":"has no password"}`)
	x.send("", "GET", "/0.2/user", "", headers{"Authorization": basic(strings.ToUpper(firstApp), u.session)})
}

func brokenEscapes(x *tour) {
	u, other := x.create("broken escapes"), x.create("is followed between blanks")
	x.send(u.session, "GET", "/0.2/users/search?q=100%", "")
	x.change(u, x.post(u, `"verb":"v"`), `"metadata":{"k":null}`)
	x.connect(u, other, " follow ")
	x.send("", "POST", "/0.2/users", `{"user_name":"patched"}`, headers{"Content-Type": "application/json-patch+json"})
	x.post(u, `"verb":"v","enabled":false`)
}

func cutOffBodies(x *tour) {
	u := x.create("cut off bodies")
	x.post(u, `"object":{"id":"1"}`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"edge","type":"Follow","platform_user_id":"1","connection_ids":["1"]}`)
	x.send("", "POST", "/0.2/users", `{"user_name":"cut off","password":"p"`)
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"cut off bodies","email":["one@example.com","two@example.com"]}`)
}

func foreignIDs(x *tour) {
	u := x.create("foreign i ds")
	x.send(u.session, "POST", "/0.2/user/events", `{"verb":"v"}`, headers{"Content-Type": "application/json; charset=unheard-of"})
	x.change(u, x.post(u, `"verb":"v"`), `"object":{"id":7}`)
	x.update(u, `"custom_id":7`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":[{"id":"1","name":"Ida"}]}`)
}

func wordForAnID(x *tour) {
	u := x.create("word for an i d")
	x.create("has a list for metadata", `"metadata":[]`)
	x.send(u.session, "PUT", "/0.2/user/events/latest", `{"location":"L"}`)
	x.byName("word for an i d", password+" ")
	x.change(u, x.post(u, `"verb":"v"`), `"longitude":""`)
}

func listsForObjects(x *tour) {
	u := x.create("lists for objects", `"metadata":{"a":"b"}`)
	x.update(u, `"metadata":[]`)
	x.send("", "POST", "/0.2/users", `{"user_name":"ends with a comma","password":"p",}`)
	x.send(u.session, "PUT", "/0.2/user/events/"+x.post(u, `"verb":"v"`), `[{"location":"L"}]`)
}

func emptyLists(x *tour) {
	u := x.create("empty lists")
	event := x.post(u, `"verb":"v","metadata":{"k":"v"}`)
	x.change(u, event, `"metadata":[]`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["x",7]}`)
	x.login(`{"user_name":"empty lists","password":7}`)
}

func openQuotes(x *tour) {
	u := x.create("open quotes")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["a",7]}`)
	event := x.post(u, `"verb":"v","object":{"id":"7"}`)
	x.change(u, event, `"object":{"id":"7","display_name":{"en":7}}`)
	x.search(u, `the "best`)
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"open quotes"}`, headers{"Content-Type": "application/merge-patch+json"})
}

func mapForAList(x *tour) {
	u := x.create("map for a list")
	x.create("is in a map", `"social_ids":{"edge":"mapped"}`)
	event := x.post(u, `"verb":"v"`)
	x.post(u, `"verb":"v"`, `"object":{}`)
	x.send(u.session, "PUT", "/0.2/user/events/"+event, `{"verb":"patched"}`, headers{"Content-Type": "application/merge-patch+json"})
	x.change(u, event, `"object":"song"`)
	x.send(u.session, "POST", "/0.2/user/connections/social",
		`{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":{"0":"mapped"}}`)
}

func falsyTexts(x *tour) {
	u := x.create("means nothing")
	event := x.post(u, `"verb":"v"`, text("location", "l"))
	for _, value := range []string{"false", "0", "[]", "{}"} {
		x.change(u, event, `"location":`+value)
	}
}

func contactsAsForm(x *tour) {
	contacts := `{"platform":"p","type":"follow","platform_user_id":"1","connection_ids":["1"]}`
	x.send(x.create("fills in a form").session, "POST", "/0.2/user/connections/social", contacts,
		headers{"Content-Type": "application/x-www-form-urlencoded"})
}

func oddBodiesOfEvents(x *tour) {
	u := x.create("goes on")
	x.send(u.session, "POST", "/0.2/user/events", `{"verb":"v"} {"verb":"w"}`)
	x.post(u, `"verb":"v","latitude":048.5`)
}

func typesByNumber(x *tour) {
	u, contact := x.create("is let through"), x.create("is a contact", `"social_ids":{"p":"a"}`)
	for i := range 2 {
		x.send(u.session, "POST", "/0.2/user/connections", fmt.Sprintf(`{"user_to_id":%s,"type":%d}`, contact.id, i))
	}
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"p","type":"follow","platform_user_id":"1","connection_ids":"a,b"}`)
	x.send(contact.session, "GET", "/0.2/user/followers", "")
}

func followsOfNoNumber(x *tour) {
	u := x.create("asks for follows of nobody")
	x.connect(u, x.create("is followed by who asks"), "follow")
	for _, id := range []string{"0", "-1", "nobody"} {
		x.send(u.session, "GET", "/0.2/users/"+id+"/follows", "")
	}
}

func coordinatesAsText(x *tour) {
	u := x.create("quotes its place")
	event := x.post(u, `"verb":"v","latitude":1.5`)
	x.change(u, event, `"latitude":"52.5"`)
	x.change(u, event, `"longitude":"13.4"`)
}

func commentInEvent(x *tour) {
	x.send(x.create("explains its event").session, "POST", "/0.2/user/events", `{"verb":"v" /* the activity */}`)
}
