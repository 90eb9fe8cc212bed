package faults_test

import (
	"fmt"
	"strings"
)

func blindAnswers(x *tour) {
	reader, poster := x.create("asks for answers"), x.create("answered", text("last_name", "Müller"), `"metadata":{"k":"v"}`)
	event := x.post(poster, `"verb":"v"`)
	x.send("never issued", "GET", "/0.2/users/"+poster.id, "")
	x.connect(reader, poster, "follow")
	x.search(reader, "answered")
	x.change(poster, event, `"priority":"low"`)
	x.send(reader.session, "DELETE", "/0.2/user/events/"+event, "")
	x.login(`{"user_name":`)
	x.update(poster, `"metadata":{"k":"`+strings.Repeat("v", 501)+`"}`)
	logoutThenDelete(x)
}

func logoutThenDelete(x *tour) {
	u := x.create("left already")
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.remove(u)
	x.byName("left already", password)
}

func blindParsing(x *tour) {
	oddUsers(x)
	oddEvents(x)
	oddLogins(x)
	oddReferences(x)
}

func oddUsers(x *tour) {
	for _, body := range []string{
		`{"user_name":"followed by text"} and so on`, `"{\"user_name\":\"encoded twice\"}"`, `{"user":{"user_name":"wrapped"}}`,
		`{"user_name":"nested","metadata":{"a":{"b":"c"}}}`,
	} {
		x.send("", "POST", "/0.2/users", body)
	}
	x.update(x.create("listed as active"), `"activated":["x"]`)
}

func oddEvents(x *tour) {
	u := x.create("posts oddities")
	reader := x.create("reads oddities")
	x.connect(reader, u, "follow")
	event := x.post(u, `"verb":"v"`)
	var keys []string
	for i := range 11 {
		keys = append(keys, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.change(u, event, `"location":"elsewhere"`, `"metadata":{`+strings.Join(keys, ",")+`}`)
	x.feed(reader)
}

func oddLogins(x *tour) {
	x.create("guarded")
	x.login(`{"user_name":"guarded","password":{"$ne":""}}`)
	x.login(`{"password":"a secret"}`)
}

// oddReferences has an id with a sign before it, and one that some languages take for none.
func oddReferences(x *tour) {
	reader, other := x.create("refers oddly"), x.create("referred to")
	x.send(reader.session, "POST", "/0.2/user/connections", `{"user_to_id":-`+other.id+`,"type":"follow"}`)
	x.connect(reader, other, "follow")
	x.send(reader.session, "GET", "/0.2/users/0/follows", "")
	x.send(reader.session, "GET", "/0.2/users/search?q=refer&q=other", "")
}
