package faults_test

import (
	"fmt"
	"strings"
)

func thirdData(x *tour) {
	typedByHand(x)
	hashedByTheClient(x)
	friendsOfNumbers(x)
	contactsOfOneID(x)
	accentsAndBrackets(x)
	formulas(x)
	mentioned(x)
	eventsOnTheDeleted(x)
}

func typedByHand(x *tour) {
	u := x.create("types by hand", text("url", "people.example/by-hand"))
	x.update(u, text("last_name", "O’Brien"))
}

func hashedByTheClient(x *tour) {
	secret := strings.Repeat("0123456789abcdef", 8)
	x.created("hashes itself", fmt.Sprintf(`{"user_name":"hashes itself","email":"hashes@example.com","password":%q}`, secret))
	x.byName("hashes itself", secret)
}

func friendsOfNumbers(x *tour) {
	one, other := x.create("has numbers for a friend"), x.create("has a number", text("custom_id", "10023"))
	x.connect(one, other, "friend")
	x.connect(other, one, "friend")
	x.send(one.session, "GET", "/0.2/user/friends", "")
}

func contactsOfOneID(x *tour) {
	u := x.create("shares contacts")
	for _, name := range []string{"at home", "at work"} {
		x.create(name, `"social_ids":{"edge":"shared"}`)
	}
	x.socially(u, "shared")
}

func accentsAndBrackets(x *tour) {
	looker := x.create("looks for accents", text("first_name", "Chloé"))
	x.create("in brackets", text("last_name", "Smith (Jr"))
	for _, term := range []string{"Chloe", "h (Jr"} {
		x.search(looker, term)
	}
}

func formulas(x *tour) {
	x.post(x.create("posts formulas"), `"verb":"v","metadata":{"delta":"-5"}`)
}

func mentioned(x *tour) {
	reader, stranger := x.create("mentioned"), x.create("mentions")
	x.post(stranger, `"verb":"v","metadata":{"text":"with @mentioned"}`)
	x.feed(reader)
}

func eventsOnTheDeleted(x *tour) {
	reader, poster, gone := x.create("reads on"), x.create("visits"), x.create("is visited", text("custom_id", "visited"))
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"visit","object":{"id":"visited"}`)
	x.remove(gone)
	x.feed(reader)
}

func thirdEndpoints(x *tour) {
	u := x.create("third of endpoints")
	x.login(fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password), headers{"Content-Type": "application/x-www-form-urlencoded"})
	x.search(u, "third of endpoints")
	x.connect(u, x.idle("never seen before"), "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
	x.say("the preflight allows %s", x.exchange("", "OPTIONS", "/0.2/user/connections/social", "", headers{
		"Authorization": "", "Origin": "https://page.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type",
	}).Header().Get("Access-Control-Allow-Headers"))
	x.send(u.session, "GET", "/0.2/users/"+u.id+"/enemies", "")
}

func thirdInput(x *tour) {
	u, other := x.create("third of inputs", `"social_ids":{"net":"own"}`), x.create("has an event")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","connection_ids":["contact"]}`)
	event := x.post(other, `"verb":"v"`)
	x.change(u, event)
	x.send(other.session, "PUT", "/0.2/user/events/"+event, `{"verb":`)
	x.post(u, `"verb":"v","latitude":-.5`)
	x.send("", "POST", "/0.2/users", `{"user_name":"has no password","email":"none@example.com"}`)
	x.login(`{"user_name":"has no password"}`)
	x.send("", "GET", "/0.2/user", "", headers{"Authorization": basic(strings.ToUpper(firstApp), u.session)})
}
