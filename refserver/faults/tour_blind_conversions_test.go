package faults_test

import (
	"fmt"
	"strings"
)

func blindConversions(x *tour) {
	deactivated(x)
	nameBeyondASCII(x)
	partOfAnEmail(x)
	followersOfOneName(x)
	phoneNumbers(x)
	capitalLeaves(x)
	eventsInTheEast(x)
	objectRenamed(x)
	x.post(x.create("pads"), `"verb":"v"`, `"metadata":{"k":"`+strings.Repeat("v", 499)+`  "}`)
}

func deactivated(x *tour) {
	u := x.create("no longer active", `"activated":"true"`)
	x.update(u, `"activated":"false"`)
}

func nameBeyondASCII(x *tour) {
	x.create("Zoë of the north")
	x.byName("Zoë of the north", password)
}

// partOfAnEmail has the domain, which all emails of a tour have, in no term: the results
// would be long.
func partOfAnEmail(x *tour) {
	u := x.create("tapirus")
	x.search(u, "pirus@exa")
	x.search(u, "tapirus@example.com")
}

func followersOfOneName(x *tour) {
	followed := x.create("followed by two of a name")
	for _, name := range []string{"first of a name", "second of a name"} {
		x.connect(x.create(name, text("first_name", "Kim"), text("last_name", "Lee")), followed, "follow")
	}
	x.send(followed.session, "GET", "/0.2/user/followers", "")
}

func phoneNumbers(x *tour) {
	x.create("has a phone", `"social_ids":{"phone":"+491234"}`)
	u := x.create("has an address book")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"phone","type":"follow","platform_user_id":"+1","connection_ids":["+491234"]}`)
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func capitalLeaves(x *tour) {
	reader, leaver := x.create("reads a capital"), x.create("Capital")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.remove(leaver)
	x.feed(reader)
}

func eventsInTheEast(x *tour) {
	reader, poster := x.create("reads the east"), x.create("is in the east")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","latitude":35.5,"longitude":139.5`)
	x.post(poster, `"verb":"v","language":"ja","object":{"id":"1","display_name":{"ja":"a","en":"b"}}`)
	x.feed(reader)
}

func objectRenamed(x *tour) {
	u := x.create("renames an object")
	x.change(u, x.post(u, `"verb":"v","object":{"id":"1","type":"a"}`), `"object":{"id":"1","type":"b"}`)
}

func blindExits(x *tour) {
	u := x.create("goes out")
	x.send("", "DELETE", "/0.2/user/logout", "")
	login := fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password)
	x.send("", "POST", "/0.2/user/login", login, headers{"User-Agent": ""})
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", login)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"p","type":"follow","platform_user_id":"1"}`)
}

func blindLenience(x *tour) {
	u := x.create("is lenient", `"social_ids":{"t":"1"}`)
	x.byName(u.name, `x' OR '1'='1`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"p","type":"follow","platform_user_id":"1","connection_ids":[["1"]]}`)
	x.update(u, `"social_ids":{"t":5}`)
	x.update(u, `"created_at":"2001-02-03T04:05:06Z"`)
	x.post(u, `"verb":"v"`, `"object":{"type":"t","url":"https://a.example/1"}`)
}
