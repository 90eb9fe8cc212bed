package faults_test

import "fmt"

func blindConcurrency(x *tour) {
	createsAtOnce(x)
	followsAtOnce(x)
	logoutsAtOnce(x)
	deletionsAtOnce(x)
	ownRecordsAtOnce(x)
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
