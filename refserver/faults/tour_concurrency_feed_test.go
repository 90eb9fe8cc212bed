package faults_test

import (
	"fmt"
	"regexp"
)

// concurrencyOfFeeds takes the part of the concurrency tour that is about events and
// feeds.
func concurrencyOfFeeds(x *tour) {
	postsOfTwo(x)
	followDuringDeletion(x)
	postDuringDeletionOfEvent(x)
	postDuringFollow(x)
	postsAndUpdatesAtOnce(x)
	changeDuringDeletionOfAnother(x)
	followDuringDeletionOfEvent(x)
	postDuringUnfollow(x)
	changesOfOneEventAtOnce(x)
	readingDuringPurge(x)
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

func postDuringDeletionOfEvent(x *tour) {
	reader, poster := x.create("reads both"), x.create("posts and deletes")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"deleted"`)
	x.together(request{poster.session, "DELETE", "/0.2/user/events/" + event, ""}, request{poster.session, "POST", "/0.2/user/events", `{"verb":"posted"}`})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func postDuringFollow(x *tour) {
	reader, late, poster := x.create("edge1"), x.create("edge2"), x.create("edge3")
	x.connect(reader, poster, "follow")
	var deletions []request
	for _, verb := range []string{"one", "two"} {
		deletions = append(deletions, request{poster.session, "DELETE", "/0.2/user/events/" + x.post(poster, fmt.Sprintf(`"verb":%q`, verb)), ""})
	}
	x.together(deletions...)
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(request{late.session, "POST", "/0.2/user/connections", `{"user_to_id":` + poster.id + `,"type":"follow"}`},
		request{poster.session, "POST", "/0.2/user/events", `{"verb":"meanwhile"}`})
	x.shown(late, "/0.2/user/feed", `"verb":"\w+"`)
}

func postsAndUpdatesAtOnce(x *tour) {
	reader, one, other := x.create("twin1"), x.create("twin2"), x.create("twin3")
	x.connect(reader, one, "follow")
	x.connect(reader, other, "follow")
	x.together(request{one.session, "POST", "/0.2/user/events", `{"verb":"v","metadata":{"of":"one"}}`},
		request{other.session, "POST", "/0.2/user/events", `{"verb":"v","metadata":{"of":"other"}}`})
	x.shown(reader, "/0.2/user/feed", `"of":"\w+"`)
	x.together(request{one.session, "PUT", "/0.2/user", `{"user_name":"twin2","password":"new"}`},
		request{one.session, "PUT", "/0.2/user", `{"user_name":"twin2","first_name":"F"}`})
	for _, secret := range []string{"new", password} {
		x.say("a login by %s: %d", secret, x.exchange("", "POST", "/0.2/user/login", fmt.Sprintf(`{"user_name":"twin2","password":%q}`, secret)).Code)
	}
	deletion := request{other.session, "DELETE", "/0.2/user", ""}
	x.together(deletion, deletion)
}

func changeDuringDeletionOfAnother(x *tour) {
	reader, poster := x.create("editor1"), x.create("editor2")
	x.connect(reader, poster, "follow")
	one, other := x.post(poster, `"verb":"one"`), x.post(poster, `"verb":"other"`)
	x.together(request{poster.session, "PUT", "/0.2/user/events/" + one, `{"location":"L"}`}, request{poster.session, "DELETE", "/0.2/user/events/" + other, ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func followDuringDeletionOfEvent(x *tour) {
	reader, poster := x.create("copier1"), x.create("copier2")
	event := x.post(poster, `"verb":"going"`)
	x.together(request{reader.session, "POST", "/0.2/user/connections", `{"user_to_id":` + poster.id + `,"type":"follow"}`},
		request{poster.session, "DELETE", "/0.2/user/events/" + event, ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func postDuringUnfollow(x *tour) {
	reader, poster := x.create("leaver1"), x.create("leaver2")
	x.connect(reader, poster, "follow")
	x.together(request{poster.session, "POST", "/0.2/user/events", `{"verb":"beside"}`}, request{reader.session, "DELETE", "/0.2/user/connections/" + poster.id, ""})
	x.shown(reader, "/0.2/user/feed", `"verb":"\w+"`)
}

func changesOfOneEventAtOnce(x *tour) {
	one, other := x.create("joint1"), x.create("joint2")
	ask := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"friend"}`}
	}
	x.together(ask(one, other), ask(other, one))
	x.shown(one, "/0.2/user/friends", `"user_name":"\w+"`)
	x.connect(other, one, "follow")
	event := "/0.2/user/events/" + x.post(one, `"verb":"first"`)
	x.together(request{one.session, "PUT", event, `{"verb":"second"}`}, request{one.session, "PUT", event, `{"location":"L"}`})
	x.shown(other, "/0.2/user/feed", `"verb":"\w+"`)
}

func readingDuringPurge(x *tour) {
	star, one, other, gone := x.create("purged1"), x.create("purged2"), x.create("purged3"), x.create("purged4")
	follow := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", fmt.Sprintf(`{"user_to_id":%s,"type":"follow"}`, to.id)}
	}
	x.together(follow(one, star), follow(other, star))
	x.shown(star, "/0.2/user/followers", `"user_name":"\w+"`)
	x.connect(star, gone, "follow")
	x.post(gone, `"verb":"farewell"`)
	x.together(request{star.session, "GET", "/0.2/user/feed", ""}, request{gone.session, "DELETE", "/0.2/user", ""})
	x.shown(star, "/0.2/user/feed", `"verb":"\w+"`)
}
