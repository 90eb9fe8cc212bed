package faults_test

import (
	"fmt"
	"strings"
)

// scaleOfFeeds takes the part of the scale tour that is about events and feeds.
func scaleOfFeeds(x *tour) {
	changeOfOldEvent(x)
	manyFriends(x)
	turnsOfFollowing(x)
	deletionOfOlder(x)
	feedOfSeven(x)
	purgeOfSix(x)
	sevenNamesAndTenPosts(x)
	elevenPostsAndTenContacts(x)
	nineDeletionsAndElevenFollows(x)
	tenChangesOfAnEvent(x)
	elevenFollowersAndSixteenPosts(x)
	elevenFollowersAndElevenNames(x)
	sixNames(x)
	elevenPostsOfAFriend(x)
}

func changeOfOldEvent(x *tour) {
	u := x.create("eleven events")
	oldest := x.post(u, `"verb":"oldest"`)
	for range 10 {
		x.post(u, `"verb":"v"`)
	}
	x.change(u, oldest, `"location":"x"`)
}

func manyFriends(x *tour) {
	reader := x.create("many friends")
	for i := range 9 {
		friend := x.create(fmt.Sprint("friend ", i))
		x.befriend(reader, friend)
		x.post(friend, `"verb":"v"`)
	}
	x.feed(reader)
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

func sevenNamesAndTenPosts(x *tour) {
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

func elevenPostsAndTenContacts(x *tour) {
	reader, poster, gone := x.create("reads eleven posts"), x.create("posts eleven"), x.create("posts none")
	x.connect(reader, poster, "follow")
	x.connect(reader, gone, "follow")
	first := x.post(poster, `"verb":"first"`)
	x.change(poster, first, `"location":"changed"`)
	for range 10 {
		x.post(poster, `"verb":"later"`)
	}
	x.feed(reader)
	x.remove(gone)
	x.feed(reader)
	var ids []string
	for i := range 10 {
		ids = append(ids, fmt.Sprintf("chunk %d", i))
	}
	x.create("bears the last", `"social_ids":{"edge":"chunk 9"}`)
	x.socially(reader, strings.Join(ids, `","`))
}

func nineDeletionsAndElevenFollows(x *tour) {
	reader, poster, looker := x.create("reads after nine deletions"), x.create("deletes nine"), x.create("counts follows")
	x.connect(reader, poster, "follow")
	for range 9 {
		x.send(poster.session, "DELETE", "/0.2/user/events/"+x.post(poster, `"verb":"v"`), "")
	}
	x.feed(reader)
	for i := range 11 {
		x.connect(poster, x.create(fmt.Sprint("one of eleven ", i)), "follow")
	}
	x.lists(poster, looker)
}

func tenChangesOfAnEvent(x *tour) {
	reader, poster := x.create("reads what changed"), x.create("cannot decide")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	for i := range 10 {
		x.change(poster, event, fmt.Sprintf(`"location":"place %d"`, i))
	}
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(reader)
	x.befriend(reader, poster)
	for range 11 {
		x.post(poster, `"verb":"v"`)
	}
	x.feed(reader)
}

func elevenFollowersAndSixteenPosts(x *tour) {
	gone, poster := x.create("has eleven followers"), x.create("posts sixteen")
	var last user
	for i := range 11 {
		last = x.create(fmt.Sprintf("follower of the cleaned %d", i))
		x.connect(last, gone, "follow")
	}
	x.remove(gone)
	x.lists(last, poster)
	x.connect(last, poster, "follow")
	first := x.post(poster, `"verb":"first"`)
	for range 15 {
		x.post(poster, `"verb":"later"`)
	}
	x.send(poster.session, "DELETE", "/0.2/user/events/"+first, "")
	x.feed(last)
}

func elevenFollowersAndElevenNames(x *tour) {
	poster, last := x.create("has eleven followers too"), user{}
	for i := range 11 {
		last = x.create(fmt.Sprint("follower of eleven ", i))
		x.connect(last, poster, "follow")
	}
	event := x.post(poster, `"verb":"v"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	x.feed(last)
	names := `"l0":"n"`
	for i := range 10 {
		names += fmt.Sprintf(`,"l%d":"n"`, i+1)
	}
	x.post(poster, `"verb":"v","object":{"id":"o","display_name":{`+names+`}}`)
}

func sixNames(x *tour) {
	var names []string
	for _, language := range strings.Fields("de en es fr it pt") {
		names = append(names, text(language, "name"))
	}
	x.post(x.create("names in six languages"), `"verb":"v","object":{"id":"1","display_name":{`+strings.Join(names, ",")+`}}`)
}

func elevenPostsOfAFriend(x *tour) {
	fan, friend, leaver := x.create("follows who leaves"), x.create("is a friend of who leaves"), x.create("posts eleven and leaves")
	x.connect(fan, leaver, "follow")
	x.befriend(friend, leaver)
	for range 11 {
		x.post(leaver, `"verb":"goes"`)
	}
	x.remove(leaver)
	x.feed(friend)
	x.feed(fan)
}
