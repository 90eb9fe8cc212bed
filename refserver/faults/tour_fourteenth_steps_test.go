package faults_test

import (
	"fmt"
	"strings"
)

func fourteenthSequences(x *tour) {
	logoutOfDetailed(x)
	nameTakenUpAgain(x)
	deletedAfterSearch(x)
	verbThereAndBack(x)
	deletionOfBeforeFriendship(x)
	friendsOnceMore(x)
}

func logoutOfDetailed(x *tour) {
	u := x.idle("asks for its details")
	var token string
	if said := sessionToken.FindStringSubmatch(x.send("", "POST", "/0.2/user/login?withUserDetails=true", fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password)).Body.String()); said != nil {
		token = said[1]
	}
	x.send(token, "DELETE", "/0.2/user/logout", "")
	x.send(token, "GET", "/0.2/user", "")
}

func nameTakenUpAgain(x *tour) {
	u := x.created("marigold", fmt.Sprintf(`{"user_name":"marigold","email":"flower@example.com","password":%q}`, password))
	for _, name := range []string{"tulip", "marigold"} {
		x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"email":"flower@example.com"}`, name))
	}
	x.search(u, "arigol")
}

func deletedAfterSearch(x *tour) {
	gone, seeker := x.create("found and gone"), x.create("seeks and reads")
	x.search(seeker, "found and gone")
	x.remove(gone)
	x.send(seeker.session, "GET", "/0.2/users/"+gone.id, "")
}

func verbThereAndBack(x *tour) {
	reader, poster := x.create("sees there and back"), x.create("goes there and back")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"here"`)
	x.change(poster, event, `"verb":"there"`)
	x.change(poster, event, `"verb":"here"`)
	x.feed(reader)
}

func deletionOfBeforeFriendship(x *tour) {
	reader, poster := x.create("a friend since then"), x.create("posted before then")
	event := x.post(poster, `"verb":"v"`)
	x.befriend(reader, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
}

func friendsOnceMore(x *tour) {
	one, other := x.create("makes up"), x.create("makes up as well")
	x.befriend(one, other)
	x.end(one, other)
	x.befriend(one, other)
	x.post(other, `"verb":"v"`)
	x.feed(one)
}

func fourteenthScale(x *tour) {
	u, reader := x.create("looks for a fourth id"), x.create("reads large events")
	x.create("has four ids", `"social_ids":{"a":"1","b":"2","c":"3","edge":"fourth"}`)
	x.socially(u, "fourth")
	x.connect(reader, u, "follow")
	var entries []string
	for i := range 10 {
		entries = append(entries, fmt.Sprintf(`"k%d":%q`, i, strings.Repeat("v", 500)))
	}
	x.post(u, `"verb":"v","metadata":{`+strings.Join(entries, ",")+`}`)
	x.feed(reader)
}

func fourteenthRepetition(x *tour) {
	u := x.create("updated three times")
	for range 4 {
		x.send(u.session, "GET", "/versions", "")
	}
	for _, name := range []string{"Aster", "Begonia", "Crocus"} {
		x.update(u, text("last_name", name))
	}
	x.search(u, "Crocus")
}

func fourteenthConcurrency(x *tour) {
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
