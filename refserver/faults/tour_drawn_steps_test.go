package faults_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// encoded is a value as JSON.
func encoded(value any) string {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(body)
}

func drawnSequences(x *tour) {
	updateAfterRefusal(x)
	passwordAfterEmail(x)
	socialIDsLeft(x)
	followAfterFriendEnds(x)
	vainEnd(x)
	unfollowAmongOthers(x)
	deletionAfterWhoLeft(x)
	purgeAfterDeletedFollower(x)
	firstFollowAfterChanges(x)
}

func updateAfterRefusal(x *tour) {
	u := x.create("is refused once", text("first_name", "Old"))
	x.update(u, `"first_name":5`)
	x.update(u, text("first_name", "New"), text("url", "https://a.example/new"))
}

func passwordAfterEmail(x *tour) {
	u := x.create("changes both")
	for _, more := range []string{"", `,"password":"the next"`} {
		x.send(u.session, "PUT", "/0.2/user", `{"user_name":"changes both","email":"both@example.org"`+more+`}`)
	}
	x.byName(u.name, "the next")
}

func socialIDsLeft(x *tour) {
	u, changed := x.create("has old contacts"), x.create("changes its contact", `"social_ids":{"net":"former"}`)
	gone := x.create("takes its contact along", `"social_ids":{"net":"gone"}`)
	x.update(changed, `"social_ids":{"net":"current"}`)
	x.contacts(u, "net", "former")
	x.remove(gone)
	x.contacts(u, "net", "gone")
}

func followAfterFriendEnds(x *tour) {
	u, other := x.create("follows a former friend"), x.create("is a former friend")
	x.befriend(u, other)
	x.end(u, other)
	x.connect(u, other, "follow")
	x.lists(u, other)
}

func vainEnd(x *tour) {
	followed, follower := x.create("is followed all along"), x.create("follows all along")
	x.connect(follower, followed, "follow")
	x.end(x.create("ends in vain"), followed)
	x.lists(followed, follower)
}

func unfollowAmongOthers(x *tour) {
	reader, one, other := x.create("unfollows one"), x.create("posts around"), x.create("posts between")
	x.connect(reader, one, "follow")
	x.connect(reader, other, "follow")
	for _, u := range []user{one, other, one} {
		x.post(u, `"verb":"v"`)
	}
	x.end(reader, one)
	x.feed(reader)
}

func deletionAfterWhoLeft(x *tour) {
	stays, leaves, poster := x.create("stays with it"), x.create("has left it"), x.create("deletes after that")
	x.connect(leaves, poster, "follow")
	x.connect(stays, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.end(leaves, poster)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(stays)
}

func purgeAfterDeletedFollower(x *tour) {
	stays, leaves, poster := x.create("outlives both"), x.create("goes first"), x.create("goes second")
	x.connect(leaves, poster, "follow")
	x.connect(stays, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.remove(leaves)
	x.remove(poster)
	x.feed(stays)
}

func firstFollowAfterChanges(x *tour) {
	reader, poster := x.create("follows at last"), x.create("has changed things")
	changed, deleted := x.post(poster, `"verb":"v","location":"old"`), x.post(poster, `"verb":"deleted"`)
	x.change(poster, changed, `"location":"new"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+deleted, "")
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func drawnRepetition(x *tour) {
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

func drawnScale(x *tour) {
	for i := range 12 {
		x.create(fmt.Sprintf("wombat%02d", i))
	}
	looker := x.create("last of its name", text("last_name", "Wombat"))
	x.search(looker, "wombat")
	poster := x.create("posts thirteen")
	x.connect(looker, poster, "follow")
	for range 13 {
		x.post(poster, `"verb":"v"`)
	}
	x.feed(looker)
	x.remove(poster)
	x.send(looker.session, "GET", "/0.2/users/"+poster.id, "")
}

func drawnConcurrency(x *tour) {
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
