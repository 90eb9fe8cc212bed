package faults_test

import (
	"fmt"
	"net/url"
)

// concurrencyOfUsers takes the part of the concurrency tour that is about users, their
// sessions, lists and contacts.
func concurrencyOfUsers(x *tour) {
	contactsAtOnce(x)
	updateDuringLogin(x)
	updateDuringDeletion(x)
	followsAndReadingAtOnce(x)
	createsAtOnce(x)
	followsAtOnce(x)
	logoutsAtOnce(x)
	deletionsAtOnce(x)
	ownRecordsAtOnce(x)
	followsOfEachOther(x)
	followDuringUpdate(x)
	followDuringEndOfAnother(x)
	searchesAtOnce(x)
	searchesOfOneUserAtOnce(x)
	listsAtOnce(x)
	updatesOfOneUserAtOnce(x)
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

func updateDuringDeletion(x *tour) {
	looker, gone := x.create("looks meanwhile"), x.create("tapir")
	x.together(request{gone.session, "PUT", "/0.2/user", `{"user_name":"tapir","first_name":"Updated"}`}, request{gone.session, "DELETE", "/0.2/user", ""})
	x.shown(looker, "/0.2/users/search?q=tapir", `"user_name":"\w+"`)
}

func followsAndReadingAtOnce(x *tour) {
	reader, one, other := x.create("follows both"), x.create("one_of_both"), x.create("other_of_both")
	follow := func(to user) request {
		return request{reader.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"follow"}`}
	}
	x.together(follow(one), follow(other))
	x.shown(reader, "/0.2/user/follows", `"user_name":"\w+"`)
	x.post(one, `"verb":"left"`)
	x.together(request{one.session, "DELETE", "/0.2/user", ""}, request{reader.session, "GET", "/0.2/user/feed", ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func createsAtOnce(x *tour) {
	looker, names := x.create("looks for both"), []string{"twin1", "twin2"}
	var creates []request
	for _, name := range names {
		creates = append(creates, request{"", "POST", "/0.2/users", fmt.Sprintf(`{"user_name":%q}`, name)})
	}
	x.together(creates...)
	for _, name := range names {
		x.shown(looker, "/0.2/users/search?q="+name, `"user_name":"\w+"`)
	}
}

// followsAtOnce has two users follow a third at once, and one user follow two others
// and end both follows at once.
func followsAtOnce(x *tour) {
	one, other, star := x.create("fan1"), x.create("fan2"), x.create("star2")
	follow := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"follow"}`}
	}
	x.together(follow(one, star), follow(other, star))
	x.shown(star, "/0.2/user/followers", `"user_name":"\w+"`)
	x.connect(star, one, "follow")
	x.connect(star, other, "follow")
	x.together(request{star.session, "DELETE", "/0.2/user/connections/" + one.id, ""},
		request{star.session, "DELETE", "/0.2/user/connections/" + other.id, ""})
	x.shown(star, "/0.2/user/follows", `"user_name":"\w+"`)
}

func logoutsAtOnce(x *tour) {
	u := x.create("leaves2")
	sessions := []string{u.session, x.byName(u.name, password)}
	var logouts []request
	for _, session := range sessions {
		logouts = append(logouts, request{session, "DELETE", "/0.2/user/logout", ""})
	}
	x.together(logouts...)
	for _, session := range sessions {
		x.shown(user{session: session}, "/0.2/user", `"user_name":"\w+"`)
	}
}

func deletionsAtOnce(x *tour) {
	reader := x.create("follows2")
	var deletions []request
	for _, name := range []string{"gone1", "gone2"} {
		gone := x.create(name)
		x.connect(reader, gone, "follow")
		x.post(gone, `"verb":"left"`)
		deletions = append(deletions, request{gone.session, "DELETE", "/0.2/user", ""})
	}
	x.together(deletions...)
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

// ownRecordsAtOnce writes down whose record each was given, which the order of the
// two has no part in.
func ownRecordsAtOnce(x *tour) {
	var reads []request
	for _, name := range []string{"self1", "self2"} {
		reads = append(reads, request{x.create(name).session, "GET", "/0.2/user", ""})
	}
	for i, answer := range x.atOnce(reads...) {
		x.say("reader %d is %s", i, shownName.FindString(answer))
	}
}

func followsOfEachOther(x *tour) {
	one, other := x.create("mutual1"), x.create("mutual2")
	follow := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"follow"}`}
	}
	x.together(follow(one, other), follow(other, one))
	x.shown(one, "/0.2/user/follows", `"user_name":"\w+"`)
	x.shown(other, "/0.2/user/follows", `"user_name":"\w+"`)
}

func followDuringUpdate(x *tour) {
	reader, one, other := x.create("busy1"), x.create("busy2"), x.create("busy3")
	x.connect(reader, one, "follow")
	x.connect(reader, other, "follow")
	x.together(request{one.session, "POST", "/0.2/user/events", `{"verb":"one"}`}, request{other.session, "POST", "/0.2/user/events", `{"verb":"other"}`})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(request{one.session, "PUT", "/0.2/user", `{"user_name":"busy2","first_name":"F"}`},
		request{one.session, "POST", "/0.2/user/connections", `{"user_to_id":` + other.id + `,"type":"follow"}`})
	x.shown(one, "/0.2/user/follows", `"user_name":"\w+"`)
}

func followDuringEndOfAnother(x *tour) {
	u, one, other := x.create("mover1"), x.create("mover2"), x.create("mover3")
	x.connect(u, one, "follow")
	x.together(request{u.session, "POST", "/0.2/user/connections", `{"user_to_id":` + other.id + `,"type":"follow"}`},
		request{u.session, "DELETE", "/0.2/user/connections/" + one.id, ""})
	x.shown(u, "/0.2/user/follows", `"user_name":"\w+"`)
}

func searchesAtOnce(x *tour) {
	u := x.create("seeker1")
	x.create("seeker2")
	var found []int
	for _, answer := range x.atOnce(searchFor(u, "seeker1"), searchFor(u, "seeker")) {
		found = append(found, len(shownName.FindAllString(answer, -1)))
	}
	x.say("two searches at once find %v", found)
}

func searchesOfOneUserAtOnce(x *tour) {
	u := x.create("seeks at once")
	x.create("hides at once")
	search := func(term string) request {
		return request{u.session, "GET", "/0.2/users/search?q=" + url.QueryEscape(term), ""}
	}
	for _, found := range x.atOnce(search("seeks at once"), search("hides at once")) {
		x.say("found at once: %v", shownName.FindAllString(found, -1))
	}
}

func listsAtOnce(x *tour) {
	reader, one, other, fan := x.create("reads two lists"), x.create("has a follower"), x.create("has none"), x.create("fan of one")
	x.connect(fan, one, "follow")
	var reads []request
	for _, u := range []user{one, other} {
		reads = append(reads, request{reader.session, "GET", "/0.2/users/" + u.id + "/followers", ""})
	}
	for _, list := range x.atOnce(reads...) {
		x.say("%v", shownName.FindAllString(list, -1))
	}
}

func searchFor(u user, term string) request {
	return request{u.session, "GET", "/0.2/users/search?q=" + url.QueryEscape(term), ""}
}

func updatesOfOneUserAtOnce(x *tour) {
	u := x.create("updates twice at once")
	update := func(name string) request {
		return request{u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"first_name":%q}`, u.name, name)}
	}
	x.together(update("One"), update("Two"))
}
