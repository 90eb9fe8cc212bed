package faults_test

import (
	"fmt"
	"strings"
)

// endpointsByAnswers takes the part of the endpoint tour that is about what answers
// hold.
func endpointsByAnswers(x *tour) {
	tooManyKeysWithLogin(x)
	postToUnknownPath(x)
	changeLeavesPlace(x)
	logoutThenDelete(x)
	friendNotActivated(x)
	followersOfEachOtherListed(x)
	friendInCommon(x)
	followOfNewcomer(x)
	detailsByEmail(x)
	listsInEyesOfAFollower(x)
	friendsOfAnother(x)
	listedAndFound(x)
	friendsOnANetwork(x)
	friendsOfNobody(x)
	emailInAnotherApplication(x)
	firstNameInAnotherApplication(x)
	newPassword(x)
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

func logoutThenDelete(x *tour) {
	u := x.create("left already")
	x.send(u.session, "DELETE", "/0.2/user/logout", "")
	x.remove(u)
	x.byName("left already", password)
}

func friendNotActivated(x *tour) {
	u, friend, other := x.create("friend not activated"), x.create("is not activated", `"activated":"false"`), x.create("looks at friends")
	x.send("no session", "GET", "/0.2/user/friends", "")
	x.befriend(u, friend)
	x.lists(u, other)
	x.send("no session", "POST", "/0.2/user/connections", `{"user_to_id":`+u.id+`,"type":"follow"}`)
	x.change(u, x.post(u, `"verb":"v"`), `"location":"l"`)
}

func followersOfEachOtherListed(x *tour) {
	u, other, looker := x.create("followers of each other listed"), x.create("follows back in turn"), x.create("looks at who follow each other")
	x.connect(u, other, "follow")
	x.connect(other, u, "follow")
	x.lists(u, looker)
	x.send(u.session, "DELETE", "/0.2/user/connections/"+other.id, "", headers{"Origin": "https://www.example"})
	x.change(u, x.post(u, `"verb":"v"`), fmt.Sprintf(`"metadata":{"k":"%s"}`, strings.Repeat("v", 501)))
}

func friendInCommon(x *tour) {
	u, common, looker := x.create("friend in common"), x.create("is everybody's friend"), x.create("looks at the common friend")
	x.befriend(u, common)
	x.befriend(looker, common)
	x.lists(u, looker)
	x.connect(u, looker, "follow")
	x.send(u.session, "DELETE", "/0.2/user/connections/"+looker.id, "", headers{"User-Agent": ""})
	x.lists(u, looker)
	x.send(u.session, "GET", "/0.2/users/"+u.id, "")
	x.change(u, x.post(u, `"verb":"v"`), fmt.Sprintf(`"metadata":{"k":%q}`, strings.Repeat("ü", 500)))
}

func followOfNewcomer(x *tour) {
	u, idle := x.create("follow of newcomer"), x.idle("never came in")
	x.update(u, text("last_name", "Updated"))
	x.connect(u, idle, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
	event := x.post(u, `"verb":"v"`)
	for range 2 {
		x.send(u.session, "DELETE", "/0.2/user/events/"+event, "")
	}
}

func detailsByEmail(x *tour) {
	u, friend, other := x.create("details by email", `"activated":"true"`), x.create("friend of the detailed"), x.create("other friend of it")
	x.befriend(u, friend)
	x.befriend(u, other)
	x.lists(u, friend)
	x.search(friend, "details by email")
	x.login(fmt.Sprintf(`{"email":"details by email@example.com","password":%q}`, password))
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"email":"details by email@example.com","password":%q}`, password))
}

func listsInEyesOfAFollower(x *tour) {
	u, fan, third := x.create("lists in eyes of a follower"), x.create("follows the listed"), x.create("looks at the listed")
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", `{"user_name":"lists in eyes of a follower","password":"`+password+`"}`)
	x.send(u.session, "DELETE", "/0.2/user/events/799999999", "")
	x.connect(fan, u, "follow")
	x.befriend(u, third)
	x.lists(u, fan)
}

func friendsOfAnother(x *tour) {
	one, other := x.create("has a listed friend"), x.create("is a listed friend")
	x.befriend(one, other)
	x.lists(one, x.create("reads of friends"))
}

func listedAndFound(x *tour) {
	u, fan := x.create("is listed", `"metadata":{"k":"v"}`), x.create("reads lists")
	x.connect(fan, u, "follow")
	x.send(fan.session, "GET", "/0.2/user/follows", "")
	x.send(fan.session, "GET", "/0.2/users/"+u.id+"/followers", "")
	x.search(fan, "is listed")
}

func friendsOnANetwork(x *tour) {
	one, other := x.create("has a network", `"social_ids":{"edge":"e1"}`), x.create("asks back")
	x.befriend(one, other)
	x.lists(other, one)
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"user_name":%q,"password":%q}`, one.name, password))
}

func friendsOfNobody(x *tour) {
	x.lists(x.create("has no friend yet"), x.create("asks for friends of another"))
}

func emailInAnotherApplication(x *tour) {
	x.in(secondApp, func() {
		x.createdBy("", "is only there", `{"user_name":"is only there","email":"only.there@example.com","password":"p"}`)
	})
	x.search(x.create("searches by part of an email"), "only.there@")
}

func firstNameInAnotherApplication(x *tour) {
	x.in(secondApp, func() { x.create("lives elsewhere", text("first_name", "Querida")) })
	x.search(x.create("searches by part of a name"), "ueri")
}

func newPassword(x *tour) { x.update(x.create("takes another password"), text("password", "another")) }
