package faults_test

import (
	"fmt"
	"strings"
)

func fourthData(x *tour) {
	namesSwapped(x)
	longPassword(x)
	namesWithEntities(x)
	namesakesButForEmoji(x)
	contactsByCase(x)
	flagsAndLines(x)
	justWest(x)
	onTheSameObject(x)
	eventsLeftBehind(x)
}

func namesSwapped(x *tour) {
	u := x.create("fills in the wrong box", text("first_name", "Meyer"), text("last_name", "Ida"))
	x.update(u, text("first_name", "Ida"), text("last_name", "Meyer"))
}

func longPassword(x *tour) {
	x.created("has a phrase", fmt.Sprintf(`{"user_name":"has a phrase","password":%q}`, strings.Repeat("nine char", 9)))
}

func namesWithEntities(x *tour) {
	u := x.create("shopkeeper", text("last_name", "Hill & Daughters"))
	x.search(u, "amp;")
}

func namesakesButForEmoji(x *tour) {
	x.created("chef 🍺", `{"user_name":"chef 🍺","password":"p"}`)
	x.byName("chef 🍣", "p")
}

func contactsByCase(x *tour) {
	u := x.create("has a channel for a contact")
	x.create("has that channel", `"social_ids":{"edge":"UCxYz"}`)
	x.create("has another", `"social_ids":{"edge":"UCXyZ"}`)
	x.socially(u, "UCxYz")
}

func flagsAndLines(x *tour) {
	reader, poster := x.create("reads flags"), x.create("posts flags")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","metadata":{"public":"true"}`)
	x.post(poster, `"verb":"v","metadata":{"address":"1 High Street\nTown"}`)
	x.feed(reader)
}

func justWest(x *tour) {
	x.post(x.create("is in London"), `"verb":"v","latitude":51.5,"longitude":-0.1276`)
}

func onTheSameObject(x *tour) {
	reader, stranger := x.create("commented once"), x.create("comments as well")
	for _, u := range []user{reader, stranger} {
		x.post(u, `"verb":"comment","object":{"id":"thread 4"}`)
	}
	x.feed(reader)
}

func eventsLeftBehind(x *tour) {
	follower, friend, gone := x.create("followed to the end"), x.create("friend to the end"), x.create("leaves all behind")
	x.connect(follower, gone, "follow")
	x.befriend(friend, gone)
	x.post(gone, `"verb":"v","language":"fr"`)
	x.post(gone, `"verb":"v","metadata":{"a":"b"}`)
	x.remove(gone)
	x.feed(follower)
	x.feed(friend)
}

func fourthEndpoints(x *tour) {
	u, fan, other := x.create("fourth of endpoints", `"social_ids":{"net":"own"}`), x.create("follows the fourth"), x.create("looks at both")
	x.send(u.session, "PATCH", "/versions", "{}")
	challenge := x.exchange("", "POST", "/0.2/user/login", `{"user_name":"fourth of endpoints","password":"wrong"}`).Header().Get("WWW-Authenticate")
	x.say("a wrong password is asked for %q", challenge)
	x.send(fan.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["own","nobody's"]}`)
	x.lists(u, other)
}

func fourthInput(x *tour) {
	u, other := x.create("fourth of inputs"), x.create("is aimed at")
	entries := []string{`"blank":""`}
	for i := range 10 {
		entries = append(entries, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.post(u, `"verb":"v"`, `"metadata":{`+strings.Join(entries, ",")+`}`)
	x.post(u, `"verb":"v"`, `"metadata":{"k":"`+strings.Repeat("v", 500)+`\n"}`)
	x.send(u.session, "POST", "/0.2/user/events", `{"verb":"v"}`, headers{"Content-Type": "text/json"})
	x.send(u.session, "GET", "/0.20/user", "")
	x.send(strings.ToLower(u.session), "GET", "/0.2/user", "")
	x.send(u.session, "POST", "/0.2/user/connections", `{"user_to_id":`+other.id+`.5,"type":"follow"}`)
}
