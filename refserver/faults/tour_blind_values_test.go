package faults_test

import (
	"fmt"
	"strconv"
	"strings"
)

func blindData(x *tour) {
	metadataWithTellingKeys(x)
	entitiesInUpdatedURL(x)
	passwordsBeyondLatin1(x)
	searchForDottedLetters(x)
	feedOfRareLanguages(x)
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

// passwordsBeyondLatin1 are two of one length, so that they are the same where each
// letter has become the same mark.
func passwordsBeyondLatin1(x *tour) {
	x.created("cyrillic", `{"user_name":"cyrillic","password":"пароль"}`)
	x.byName("cyrillic", "пароль")
	x.byName("cyrillic", "огурец")
}

func searchForDottedLetters(x *tour) {
	x.search(x.create("dotted", text("first_name", "Ingrid")), "ingri")
}

func feedOfRareLanguages(x *tour) {
	reader, poster := x.create("polyglot"), x.create("rarely heard")
	x.connect(reader, poster, "follow")
	for _, tag := range []string{"he-IL", "fil-PH"} {
		x.post(poster, `"verb":"v"`, text("language", tag))
	}
	x.feed(reader)
}

func blindEndpoints(x *tour) {
	tooManyKeysWithLogin(x)
	postToUnknownPath(x)
	changeLeavesPlace(x)
}

func tooManyKeysWithLogin(x *tour) {
	var keys []string
	for i := range 11 {
		keys = append(keys, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.create("eleven keys", `"metadata":{`+strings.Join(keys, ",")+`}`)
}

func postToUnknownPath(x *tour) {
	u := x.create("astray")
	for _, method := range []string{"GET", "POST"} {
		x.send(u.session, method, "/0.2/nowhere", "{}")
	}
}

// changeLeavesPlace changes an event and does not say where it was, which the answer
// has all the same.
func changeLeavesPlace(x *tour) {
	u := x.create("placed")
	x.change(u, x.post(u, `"verb":"v","latitude":1.5,"longitude":2.5`), `"verb":"w"`)
}

func blindInput(x *tour) {
	socialIDAsObject(x)
	lineBreakInText(x)
	idBeyond32Bits(x)
	namelessUpdate(x)
	halfAPlace(x)
}

// socialIDAsObject has a text for its id, as the answers of some platforms do.
func socialIDAsObject(x *tour) {
	x.create("flattened", `"social_ids":{"t":{"id":"1"}}`)
}

func lineBreakInText(x *tour) {
	x.post(x.create("breaker"), "\"verb\":\"li\nke\"")
}

func idBeyond32Bits(x *tour) {
	u := x.create("wrapped")
	id, err := strconv.ParseUint(u.id, 10, 31)
	if err != nil {
		return // a server with such an id has shown its fault where it gave it
	}
	x.send(u.session, "GET", fmt.Sprintf("/0.2/users/%d", id+1<<32), "")
}

// namelessUpdate looks for what a refused update leaves behind where no answer has
// it: in the next login.
func namelessUpdate(x *tour) {
	u := x.create("nameless")
	x.send(u.session, "PUT", "/0.2/user", `{"email":"nameless@example.com","password":"new"}`)
	x.byName("nameless", "new")
}

func halfAPlace(x *tour) {
	reader, poster := x.create("place reader"), x.create("place poster")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.change(poster, event, `"latitude":9.5,"longitude":"x"`)
	x.feed(reader)
}
