package faults_test

import (
	"fmt"
	"strconv"
	"strings"
)

// inputOfUsers takes the part of the input tour that is about users, logins,
// credentials and metadata.
func inputOfUsers(x *tour) {
	socialIDAsObject(x)
	idBeyond32Bits(x)
	namelessUpdate(x)
	oddUsers(x)
	oddEvents(x)
	oddLogins(x)
	blanksAndFractions(x)
	namesForNumbers(x)
	namelessChange(x)
	nullAndFalseInMetadata(x)
	emptyListInMetadata(x)
	lineBreakInUser(x)
	passwordBesideList(x)
}

// socialIDAsObject has a text for its id, as the answers of some platforms do.
func socialIDAsObject(x *tour) {
	x.create("flattened", `"social_ids":{"t":{"id":"1"}}`)
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

func blanksAndFractions(x *tour) {
	u, other := x.create("blanks and fractions"), x.create("is aimed at")
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

func namesForNumbers(x *tour) {
	u := x.create("names for numbers")
	x.send("", "POST", "/0.2/users", `{"user_name":"is activated by number","activated":1}`)
	x.update(u, text("metadata", `{"a":"b"}`))
	x.change(u, x.post(u, `"verb":"v"`), `"location":{"name":"Kiel"}`)
	x.post(u, `"verb":"v"`, `"metadata":{"size":{"w":1}}`)
	x.send(u.session, "DELETE", "/0.2/user/connections/"+strings.ReplaceAll(u.name, " ", "-"), "")
}

func namelessChange(x *tour) {
	u := x.create("nameless change")
	var entries []string
	for i := range 11 {
		entries = append(entries, fmt.Sprintf(`"k%d":"v"`, i))
	}
	event := x.post(u, `"verb":"v"`, `"metadata":{`+strings.Join(entries[:10], ",")+`}`)
	x.change(u, event, `"metadata":{`+strings.Join(entries, ",")+`}`)
	x.created("is numbered", `{"user_name":"is numbered","email":"numbered@example.com","password":"p","last_name":7}`)
	x.send(u.session, "PUT", "/0.2/user", `{"metadata":{"k":"v"}}`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":["1",null]}`)
}

func nullAndFalseInMetadata(x *tour) {
	u := x.create("has no texts")
	x.update(u, `"metadata":{"a":"b","c":null}`)
	x.update(u, `"metadata":{"k":false}`)
}

func emptyListInMetadata(x *tour) {
	x.update(x.create("has no tags"), `"metadata":{"k":"v","tags":[]}`)
}

func lineBreakInUser(x *tour) {
	x.send("", "POST", "/0.2/users", "{\"user_name\":\"breaks a line\",\"password\":\"p\",\"first_name\":\"two\nlines\"}")
}

// passwordBesideList looks for the password of a refused update in the logins after it.
func passwordBesideList(x *tour) {
	u := x.create("lists its metadata")
	x.update(u, text("password", "second"), `"metadata":["a"]`)
	x.byName(u.name, password)
	x.byName(u.name, "second")
}
