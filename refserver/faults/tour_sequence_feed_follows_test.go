package faults_test

// sequencesOfFollowsInFeeds takes the part of the sequence tour that is about feeds as
// follows are made and ended.
func sequencesOfFollowsInFeeds(x *tour) {
	emptyFeedFirst(x)
	changeAfterUnfollow(x)
	purgeOfFormerFriend(x)
	followAfterFriendship(x)
	followOfEarlierPoster(x)
	unfollowAmongOthers(x)
	feedReadBeforeFollow(x)
	eventsOfRefollowed(x)
	postsInTwoSessions(x)
	createdAfterTheEvent(x)
	followBackAfterPost(x)
	likeAgain(x)
	secondFollower(x)
	firstOfTwoUnfollowed(x)
	postAfterLogout(x)
	readerRenamed(x)
	postsAndLogsOut(x)
	unfollowedTwice(x)
	emptyThenPosted(x)
	followedAfterPosts(x)
	postAfterDeletion(x)
	followNoLongerMutual(x)
}

// emptyFeedFirst reads a feed before there is a connection that could fill it.
func emptyFeedFirst(x *tour) {
	reader, poster := x.create("early reader"), x.create("earlier poster")
	x.post(poster, `"verb":"v"`)
	x.feed(reader)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func changeAfterUnfollow(x *tour) {
	reader, poster := x.create("former reader"), x.create("changes later")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	x.feed(reader)
	x.end(reader, poster)
	x.feed(reader)
	x.change(poster, event, `"verb":"w"`)
	x.feed(reader)
}

func purgeOfFormerFriend(x *tour) {
	reader, leaver := x.create("left follower"), x.create("left friend")
	x.befriend(reader, leaver)
	x.connect(reader, leaver, "follow")
	x.post(leaver, `"verb":"v"`)
	x.end(leaver, reader)
	x.feed(reader)
	x.remove(leaver)
	x.feed(reader)
}

func followAfterFriendship(x *tour) {
	reader, poster := x.create("follows after"), x.create("ends friendship")
	x.befriend(reader, poster)
	x.post(poster, `"verb":"before"`)
	x.end(poster, reader)
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"after"`)
	x.feed(reader)
}

func followOfEarlierPoster(x *tour) {
	reader, early, late := x.create("follows two"), x.create("posts early"), x.create("posts late")
	x.post(early, `"verb":"early"`)
	x.connect(reader, late, "follow")
	x.post(late, `"verb":"late"`)
	x.connect(reader, early, "follow")
	x.feed(reader)
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

func feedReadBeforeFollow(x *tour) {
	reader, one, other := x.create("reads on"), x.create("one of two"), x.create("other of two")
	x.post(other, `"verb":"earlier"`)
	x.connect(reader, one, "follow")
	x.post(one, `"verb":"v"`)
	x.feed(reader)
	x.connect(reader, other, "follow")
	x.feed(reader)
}

func eventsOfRefollowed(x *tour) {
	reader, poster := x.create("comes back"), x.create("stayed here")
	x.post(poster, `"verb":"v"`)
	x.connect(reader, poster, "follow")
	x.end(reader, poster)
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func postsInTwoSessions(x *tour) {
	reader, poster := x.create("reads both sessions"), x.create("posts in both")
	x.connect(reader, poster, "follow")
	x.byName(poster.name, password)
	x.post(poster, `"verb":"in the older"`)
	x.feed(reader)
}

func createdAfterTheEvent(x *tour) {
	poster := x.create("was here before")
	x.post(poster, `"verb":"v"`)
	reader := x.create("came after")
	x.connect(reader, poster, "follow")
	x.feed(reader)
}

func followBackAfterPost(x *tour) {
	fan, star := x.create("posts before it is followed"), x.create("goes back to its fan")
	x.post(fan, `"verb":"earlier"`)
	x.connect(fan, star, "follow")
	x.connect(star, fan, "follow")
	x.feed(star)
}

func likeAgain(x *tour) {
	reader, poster := x.create("reads the second like"), x.create("likes again")
	x.connect(reader, poster, "follow")
	like := func() string { return x.post(poster, `"verb":"like","object":{"id":"song 2"}`) }
	x.send(poster.session, "DELETE", "/0.2/user/events/"+like(), "")
	like()
	x.feed(reader)
}

func secondFollower(x *tour) {
	poster := x.create("posts before all")
	x.post(poster, `"verb":"v"`)
	for _, name := range []string{"follows first", "follows second"} {
		reader := x.create(name)
		x.connect(reader, poster, "follow")
		x.feed(reader)
	}
}

func firstOfTwoUnfollowed(x *tour) {
	u, first, next := x.create("keeps the second"), x.create("is given up first"), x.create("is next to it")
	x.connect(u, first, "follow")
	x.connect(u, next, "follow")
	x.end(u, first)
	x.post(next, `"verb":"new"`)
	x.feed(u)
}

func postAfterLogout(x *tour) {
	reader, poster := x.create("comes back for news"), x.create("has news")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"before"`)
	x.send(reader.session, "DELETE", "/0.2/user/logout", "")
	x.post(poster, `"verb":"after"`)
	x.send(x.byName(reader.name, password), "GET", "/0.2/user/feed", "")
}

func readerRenamed(x *tour) {
	reader, poster := x.create("reads under a name"), x.create("posted before")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.rename(&reader, "reads under another")
	x.feed(reader)
}

func postsAndLogsOut(x *tour) {
	reader, poster := x.create("reads what was last"), x.create("posts and goes")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	x.send(poster.session, "DELETE", "/0.2/user/logout", "")
	x.feed(reader)
}

func unfollowedTwice(x *tour) {
	reader, poster := x.create("unfollows twice"), x.create("is unfollowed twice")
	x.post(poster, `"verb":"v"`)
	for range 2 {
		x.connect(reader, poster, "follow")
		x.end(reader, poster)
		x.feed(reader)
	}
}

func emptyThenPosted(x *tour) {
	reader, poster := x.create("looks too early"), x.create("posts after that")
	x.connect(reader, poster, "follow")
	x.feed(reader)
	x.post(poster, `"verb":"v"`)
	x.feed(reader)
}

func followedAfterPosts(x *tour) {
	reader, gone := x.create("comes late"), x.create("leaves early")
	x.post(gone, `"verb":"before"`)
	x.connect(reader, gone, "follow")
	x.post(gone, `"verb":"after"`)
	x.remove(gone)
	x.feed(reader)
}

func postAfterDeletion(x *tour) {
	reader, poster := x.create("reads a correction"), x.create("posts a correction")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"first"`)
	mistake := x.post(poster, `"verb":"mistake"`)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+mistake, "")
	x.post(poster, `"verb":"correction"`)
	x.feed(reader)
}

func followNoLongerMutual(x *tour) {
	one, other := x.create("still follows"), x.create("follows no longer")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.post(other, `"verb":"v"`)
	x.end(other, one)
	x.feed(one)
}
