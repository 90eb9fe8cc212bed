package faults_test

import (
	"fmt"
	"strings"
)

func blindEchoes(x *tour) {
	changeAfterDeletion(x)
	renamedFollower(x)
	followOfFriend(x)
	crossedFollows(x)
	originAfterNone(x)
	emailOfAnother(x)
	refusedFirstLogin(x)
	emailAfterLogin(x)
}

func changeAfterDeletion(x *tour) {
	reader, poster := x.create("reads the deleted"), x.create("changes the deleted")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
	x.change(poster, event, `"location":"l"`)
	x.feed(reader)
}

func renamedFollower(x *tour) {
	reader, leaver := x.create("is renamed and reads"), x.create("leaves the renamed")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.rename(&reader, "was renamed and reads")
	x.remove(leaver)
	x.feed(reader)
}

func followOfFriend(x *tour) {
	one, other := x.create("follows a friend"), x.create("is a followed friend")
	x.befriend(one, other)
	x.connect(one, other, "follow")
}

func crossedFollows(x *tour) {
	one, other := x.create("crosses first"), x.create("crosses last")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.befriend(one, other)
	x.lists(one, other)
	x.lists(other, one)
}

func originAfterNone(x *tour) {
	u := x.create("comes from elsewhere")
	for _, origin := range []string{"https://page.example", "", "https://page.example"} {
		x.send(u.session, "GET", "/0.2/user", "", headers{"Origin": origin})
	}
}

func emailOfAnother(x *tour) {
	x.create("has an email")
	second := x.created("has the same", `{"user_name":"has the same","email":"has an email@example.com","password":"p"}`)
	x.send(second.session, "GET", "/0.2/user", "")
}

func refusedFirstLogin(x *tour) {
	looker, u := x.create("looks at logins"), x.idle("was never in")
	x.byName(u.name, "wrong")
	x.send(looker.session, "GET", "/0.2/users/"+u.id, "")
}

func emailAfterLogin(x *tour) {
	u := x.created("logs in anew", `{"user_name":"logs in anew","email":"quagga@example.org","password":"p"}`)
	x.search(u, "quagga")
	x.byName(u.name, "p")
	x.search(u, "quagga")
}

func blindCounts(x *tour) {
	u, names := x.create("names in seven languages"), []string{}
	for i := range 7 {
		names = append(names, fmt.Sprintf(`"l%d":"n"`, i))
	}
	x.post(u, `"verb":"v"`, `"object":{"id":"1","display_name":{`+strings.Join(names, ",")+`}}`)
	reader, leaver, other := x.create("reads eleven"), x.create("leaves below ten"), x.create("posts ten")
	x.connect(reader, leaver, "follow")
	x.connect(reader, other, "follow")
	x.post(leaver, `"verb":"goes"`)
	for range 10 {
		x.post(other, `"verb":"stays"`)
	}
	x.remove(leaver)
	x.feed(reader)
}

func blindAgain(x *tour) {
	reader, poster := x.create("deletes a foreign one"), x.create("has it deleted")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	for range 2 {
		x.send(reader.session, "DELETE", "/0.2/user/events/"+event, "")
		x.feed(reader)
		x.send(reader.session, "GET", "/0.2/users/999999", "")
	}
}

func blindMeanwhile(x *tour) {
	reader, poster := x.create("reads both"), x.create("posts and deletes")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"deleted"`)
	x.together(request{poster.session, "DELETE", "/0.2/user/events/" + event, ""}, request{poster.session, "POST", "/0.2/user/events", `{"verb":"posted"}`})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}
