package faults_test

import (
	"fmt"
	"regexp"
	"time"
)

func blindBatches(x *tour) {
	turnsOfFollowing(x)
	deletionOfOlder(x)
	feedOfSeven(x)
	searchAmongSeven(x)
	purgeOfSix(x)
	thirteenLogouts(x)
}

func turnsOfFollowing(x *tour) {
	reader, poster := x.create("turns away"), x.create("posts a dozen")
	x.connect(reader, poster, "follow")
	for range 12 {
		x.post(poster, `"verb":"v","object":{"id":"1"},"metadata":{"a":"b"}`)
	}
	x.feed(reader)
	x.end(reader, poster)
	x.feed(reader)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func deletionOfOlder(x *tour) {
	reader, poster := x.create("reads all nine"), x.create("deletes the first")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"first"`)
	for range 8 {
		x.post(poster, `"verb":"later"`)
	}
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func feedOfSeven(x *tour) {
	reader := x.create("follows seven")
	var posters []user
	for i := range 7 {
		posters = append(posters, x.create(fmt.Sprint("one of seven ", i)))
		x.connect(reader, posters[i], "follow")
	}
	for i := range posters {
		x.post(posters[len(posters)-1-i], `"verb":"v"`)
	}
	x.feed(reader)
}

func searchAmongSeven(x *tour) {
	for i := range 6 {
		x.create(fmt.Sprint("okapi", i))
	}
	x.search(x.create("okapi"), "okapi")
}

func purgeOfSix(x *tour) {
	reader, leaver, other := x.create("loses six"), x.create("leaves with six"), x.create("posted before")
	x.connect(reader, leaver, "follow")
	x.connect(reader, other, "follow")
	for range 2 {
		x.post(other, `"verb":"stays"`)
	}
	for range 6 {
		x.post(leaver, `"verb":"goes"`)
	}
	x.remove(leaver)
	x.feed(reader)
}

func thirteenLogouts(x *tour) {
	u := x.create("logs out often")
	first := u.session
	for range 13 {
		x.send(u.session, "DELETE", "/0.2/user/logout", "")
		u.session = x.byName(u.name, password)
	}
	x.send(first, "GET", "/0.2/user", "")
}

// blindTurns asks for the same several times, as each time another node may answer.
func blindTurns(x *tour) {
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

// blindLater reads and changes what was posted some seconds ago.
func blindLater(x *tour) {
	reader, poster := x.create("reads later"), x.create("changes later")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.post(poster, `"verb":"w"`)
	x.feed(reader)
	time.Sleep(5 * time.Second)
	x.feed(reader)
	x.change(poster, event, `"location":"l"`)
}

func blindOverlaps(x *tour) {
	contactsAtOnce(x)
	updateDuringLogin(x)
	postsOfTwo(x)
	followDuringDeletion(x)
	updateDuringDeletion(x)
}

func contactsAtOnce(x *tour) {
	u := x.create("knows both")
	var connects []request
	for _, id := range []string{"left", "right"} {
		x.create(id, fmt.Sprintf(`"social_ids":{"net":%q}`, id))
		connects = append(connects, request{u.session, "POST", "/0.2/user/connections/social",
			fmt.Sprintf(`{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":[%q]}`, id)})
	}
	x.together(connects...)
	x.shown(u, "/0.2/user/follows", `"user_name":"\w+"`)
}

func updateDuringLogin(x *tour) {
	u := x.create("busy")
	x.together(request{"", "POST", "/0.2/user/login", fmt.Sprintf(`{"user_name":"busy","password":%q}`, password)},
		request{u.session, "PUT", "/0.2/user", `{"user_name":"busy","first_name":"Updated"}`})
	x.shown(u, "/0.2/user", `"first_name":"\w+"`)
}

func postsOfTwo(x *tour) {
	var posts []request
	for _, name := range []string{"posts left", "posts right"} {
		posts = append(posts, request{x.create(name).session, "POST", "/0.2/user/events", `{"verb":"v"}`})
	}
	for i, answer := range x.atOnce(posts...) {
		x.say("the event of poster %d belongs to %s", i, regexp.MustCompile(`"user_id":\d+`).FindString(answer))
	}
}

func followDuringDeletion(x *tour) {
	reader, gone, other := x.create("follows meanwhile"), x.create("goes meanwhile"), x.create("is followed meanwhile")
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"left"`)
	x.together(request{reader.session, "POST", "/0.2/user/connections", `{"user_to_id":` + other.id + `,"type":"follow"}`},
		request{gone.session, "DELETE", "/0.2/user", ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func updateDuringDeletion(x *tour) {
	looker, gone := x.create("looks meanwhile"), x.create("tapir")
	x.together(request{gone.session, "PUT", "/0.2/user", `{"user_name":"tapir","first_name":"Updated"}`}, request{gone.session, "DELETE", "/0.2/user", ""})
	x.shown(looker, "/0.2/users/search?q=tapir", `"user_name":"\w+"`)
}
