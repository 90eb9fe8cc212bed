package faults_test

import "strings"

// dataOfFeeds takes the part of the data tour that is about events, as feeds show them
// and lose them.
func dataOfFeeds(x *tour) {
	activities(x)
	capitalLeaves(x)
	eventsInTheEast(x)
	feedBeforePurge(x)
	mentioned(x)
	eventsOnTheDeleted(x)
	onTheSameObject(x)
	eventsLeftBehind(x)
	usersAsObjects(x)
	likesOfOneThing(x)
	verbWithNamespace(x)
	namesThatBeginAlike(x)
	townAndCountry(x)
	longValueInFeed(x)
	unfollowedWithPriority(x)
	zeroAndDotInMetadata(x)
	unfollowedWithObjects(x)
	strangerNextDoor(x)
	placesLeftBehind(x)
	objectWithoutName(x)
	placeWithComma(x)
	postsOnItsFollower(x)
	heartAndHebrew(x)
	namesByRegion(x)
	onePhotoOfTwo(x)
}

func activities(x *tour) {
	reader, poster := x.create("reads activities", text("custom_id", "reader-1")), x.create("posts activities")
	x.connect(reader, poster, "follow")
	for _, fields := range []string{
		`"verb":"v","metadata":{"a":"{\"b\": 1}","c_d":"e"}`, `"verb":"v","object":{"id":"1","type":"blog:post"}`,
		`"verb":"v","metadata":{"a":"` + strings.Repeat("&", 500) + `"}`,
		`"verb":"v","latitude":1.5`, `"verb":"v","priority":"high"`, `"verb":"v","priority":"low"`,
	} {
		x.post(poster, fields)
		x.feed(reader)
	}
	changesOfParts(x, poster)
	x.post(x.create("a stranger"), `"verb":"v","object":{"id":"reader-1"}`)
	x.feed(reader)
	x.remove(poster)
	x.feed(reader)
}

func capitalLeaves(x *tour) {
	reader, leaver := x.create("reads a capital"), x.create("Capital")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.remove(leaver)
	x.feed(reader)
}

func eventsInTheEast(x *tour) {
	reader, poster := x.create("reads the east"), x.create("is in the east")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","latitude":35.5,"longitude":139.5`)
	x.post(poster, `"verb":"v","language":"ja","object":{"id":"1","display_name":{"ja":"a","en":"b"}}`)
	x.feed(reader)
}

func feedBeforePurge(x *tour) {
	reader, leaver := x.create("reads before the purge"), x.create("leaves with a place")
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v","latitude":1.5,"longitude":2.5,"metadata":{"_a":"b","c":"d"}`)
	x.feed(reader)
	x.remove(leaver)
	x.feed(reader)
}

func mentioned(x *tour) {
	reader, stranger := x.create("mentioned"), x.create("mentions")
	x.post(stranger, `"verb":"v","metadata":{"text":"with @mentioned"}`)
	x.feed(reader)
}

func eventsOnTheDeleted(x *tour) {
	reader, poster, gone := x.create("reads on"), x.create("visits"), x.create("is visited", text("custom_id", "visited"))
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"visit","object":{"id":"visited"}`)
	x.remove(gone)
	x.feed(reader)
}

func onTheSameObject(x *tour) {
	reader, stranger := x.create("commented once"), x.create("comments as well")
	for _, u := range []user{reader, stranger} {
		x.post(u, `"verb":"comment","object":{"id":"thread 4"}`)
	}
	x.feed(reader)
}

func eventsLeftBehind(x *tour) {
	follower, friend, gone := x.create("followed to the end"), x.create("friend to the end"), x.create("leaves all behind")
	x.connect(follower, gone, "follow")
	x.befriend(friend, gone)
	x.post(gone, `"verb":"v","language":"fr"`)
	x.post(gone, `"verb":"v","metadata":{"a":"b"}`)
	x.remove(gone)
	x.feed(follower)
	x.feed(friend)
}

func usersAsObjects(x *tour) {
	reader, poster := x.create("reads of users"), x.create("posts of users")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"u 7","type":"user","display_name":{"en":"Seven"}}`)
	x.feed(reader)
}

func likesOfOneThing(x *tour) {
	reader, stays, gone := x.create("reads both likes"), x.create("likes as well"), x.create("likes and leaves")
	for _, u := range []user{stays, gone} {
		x.connect(reader, u, "follow")
		x.post(u, `"verb":"like","object":{"id":"picture 5"}`)
	}
	x.remove(gone)
	x.feed(reader)
}

func verbWithNamespace(x *tour) {
	reader, poster := x.create("reads verbs of an app"), x.create("posts verbs of an app")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"photos:like"`)
	x.feed(reader)
}

func namesThatBeginAlike(x *tour) {
	reader, gone, stays := x.create("follows two alike"), x.create("annika"), x.create("annika.two")
	x.connect(reader, gone, "follow")
	x.connect(reader, stays, "follow")
	x.post(stays, `"verb":"stays"`)
	x.remove(gone)
	x.feed(reader)
}

func townAndCountry(x *tour) {
	reader, poster := x.create("reads of towns"), x.create("is in town")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","location":"Berlin, Germany"`)
	x.feed(reader)
}

func longValueInFeed(x *tour) {
	reader, poster := x.create("reads at length"), x.create("posts at length")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`, `"metadata":{"text":"`+strings.Repeat("long ", 60)+`"}`)
	x.feed(reader)
}

func unfollowedWithPriority(x *tour) {
	reader, poster := x.create("has enough"), x.create("is urgent")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.post(poster, `"verb":"v","priority":"high"`)
	x.end(reader, poster)
	x.feed(reader)
}

func zeroAndDotInMetadata(x *tour) {
	reader, poster := x.create("reads nothing"), x.create("posts nothing")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","metadata":{"score":"0","app.version":"2"}`)
	x.feed(reader)
}

func unfollowedWithObjects(x *tour) {
	reader, poster := x.create("read of objects"), x.create("posted on objects")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"1"}`)
	x.end(reader, poster)
	x.feed(reader)
}

func strangerNextDoor(x *tour) {
	reader, stranger := x.create("is at home"), x.create("lives next door")
	x.post(reader, `"verb":"v","latitude":48.1,"longitude":11.5`)
	x.post(stranger, `"verb":"v","latitude":48.12,"longitude":11.49`)
	x.feed(reader)
}

func placesLeftBehind(x *tour) {
	reader, gone := x.create("follows a traveller"), x.create("travels and leaves")
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.post(gone, `"verb":"v"`)
	x.remove(gone)
	x.feed(reader)
}

func objectWithoutName(x *tour) {
	reader, poster := x.create("reads of a nameless thing"), x.create("likes a nameless thing")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"like","object":{"id":"1","type":"photo"}`)
	x.feed(reader)
}

func placeWithComma(x *tour) {
	reader, poster := x.create("reads of towns too"), x.create("posts from towns")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","location":"Berlin, Germany"`)
	x.feed(reader)
}

func postsOnItsFollower(x *tour) {
	fan, star := x.create("is the object", text("custom_id", "member 14")), x.create("likes its follower")
	x.connect(fan, star, "follow")
	x.post(star, `"verb":"like","object":{"id":"member 14","type":"user"}`)
	x.feed(fan)
}

// changesOfParts leaves the verb out, and one of two coordinates.
func changesOfParts(x *tour, poster user) {
	event := x.post(poster, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.change(poster, event, `"longitude":3.5`)
	x.change(poster, event, `"metadata":{"verb":"w"}`)
}

func heartAndHebrew(x *tour) {
	reader, poster := x.create("reads hearts"), x.create("has a heart")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","location":"I ❤️ it","object":{"id":"1","display_name":{"he":"h","en":"e","de":"d"}}`)
	x.feed(reader)
}

func namesByRegion(x *tour) {
	reader, poster := x.create("reads of colours"), x.create("paints")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"1","display_name":{"en":"Color","en-GB":"Colour","pt-BR":"Cor"}}`)
	x.feed(reader)
}

func onePhotoOfTwo(x *tour) {
	reader := x.create("reads both of a photo")
	for _, name := range []string{"likes a photo", "likes it as well"} {
		u := x.create(name)
		x.connect(reader, u, "follow")
		x.post(u, `"verb":"like","object":{"id":"one photo","type":"photo"}`)
	}
	x.feed(reader)
}
