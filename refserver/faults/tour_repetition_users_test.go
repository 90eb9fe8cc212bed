package faults_test

import (
	"fmt"
	"strings"
)

// repetitionOfUsers takes the part of the repetition tour that is about users, their
// sessions, lists and contacts.
func repetitionOfUsers(x *tour) {
	wrongPasswordTwice(x)
	followTwiceAndEnd(x)
	fourTurns(x)
	updatesSaidAgain(x)
	contactsAgain(x)
	vainSearchAgain(x)
	followedTwice(x)
	followersReadOften(x)
	contactsFourTimes(x)
	samePostAgain(x)
	logoutAgain(x)
	threeUpdates(x)
	sameUpdateTwice(x)
	sameContactsAgain(x)
}

func wrongPasswordTwice(x *tour) {
	x.create("insisted on")
	for range 2 {
		x.byName("insisted on", "wrong")
	}
}

func followTwiceAndEnd(x *tour) {
	reader, poster := x.create("follows twice"), x.create("followed twice")
	for range 2 {
		x.connect(reader, poster, "follow")
	}
	x.post(poster, `"verb":"v"`)
	x.feed(reader)
	x.end(reader, poster)
	x.lists(reader, poster)
}

// fourTurns asks for the same several times, as each time another node may answer.
func fourTurns(x *tour) {
	looker, gone, out := x.create("takes turns"), x.create("okapia"), x.create("is out")
	x.remove(gone)
	x.send(out.session, "DELETE", "/0.2/user/logout", "")
	changed := x.create("is changed", text("first_name", "Old"))
	x.connect(looker, changed, "follow")
	x.update(changed, text("first_name", "New"), text("password", "new"))
	event := x.post(changed, `"verb":"v"`)
	for i := range 4 {
		x.search(looker, "okapia")
		x.send(out.session, "GET", "/0.2/user", "")
		x.send(changed.session, "GET", "/0.2/user", "")
		x.byName(changed.name, password)
		x.change(changed, event, fmt.Sprintf(`"location":"%d"`, i))
		x.feed(looker)
	}
}

func updatesSaidAgain(x *tour) {
	u := x.create("says it again", `"social_ids":{"net":"again"}`)
	for i := range 3 {
		var keys []string
		for k := range 4 {
			keys = append(keys, fmt.Sprintf(`"k%d%d":"v"`, i, k))
		}
		x.update(u, `"metadata":{`+strings.Join(keys, ",")+`}`)
	}
	x.update(u, `"social_ids":{"net":"again"}`)
}

func contactsAgain(x *tour) {
	u := x.create("sends contacts twice")
	x.socially(u, "joins later")
	x.create("joins later", `"social_ids":{"edge":"joins later"}`)
	x.socially(u, "joins later")
}

func vainSearchAgain(x *tour) {
	u := x.create("looks in vain")
	for range 2 {
		x.search(u, "nobody is called so")
	}
}

func followedTwice(x *tour) {
	u, other := x.create("follows twice too"), x.create("is followed twice")
	x.connect(u, other, "follow")
	x.connect(u, other, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func followersReadOften(x *tour) {
	star := x.create("counts its fans")
	for i := range 4 {
		x.connect(x.create(fmt.Sprint("a further fan ", i)), star, "follow")
		x.send(star.session, "GET", "/0.2/user/followers", "")
	}
}

func contactsFourTimes(x *tour) {
	u := x.create("asks four times")
	for i := range 4 {
		x.create(fmt.Sprint("contact of four calls ", i), fmt.Sprintf(`"social_ids":{"edge":"call %d"}`, i))
		x.socially(u, fmt.Sprint("call ", i))
	}
}

func samePostAgain(x *tour) {
	reader, poster := x.create("reads the same again"), x.create("posts the same again")
	x.connect(reader, poster, "follow")
	for range 3 {
		x.post(poster, `"verb":"play","object":{"id":"song 12"}`)
	}
	x.feed(reader)
}

func logoutAgain(x *tour) {
	u := x.create("leaves twice")
	for range 2 {
		x.send(u.session, "DELETE", "/0.2/user/logout", "")
	}
}

func threeUpdates(x *tour) {
	u := x.create("updated three times")
	for range 4 {
		x.send(u.session, "GET", "/versions", "")
	}
	for _, name := range []string{"Aster", "Begonia", "Crocus"} {
		x.update(u, text("last_name", name))
	}
	x.search(u, "Crocus")
}

func sameUpdateTwice(x *tour) {
	u := x.create("stays the same")
	for range 2 {
		x.update(u, text("first_name", "Same"))
	}
}

func sameContactsAgain(x *tour) {
	u := x.create("uploads its contacts again")
	x.create("is among the contacts", `"social_ids":{"edge":"was found before"}`)
	for range 2 {
		x.socially(u, "was found before", "is nobody's")
	}
}
