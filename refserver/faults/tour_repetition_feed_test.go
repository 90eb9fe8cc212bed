package faults_test

// repetitionOfFeeds takes the part of the repetition tour that is about events and
// feeds.
func repetitionOfFeeds(x *tour) {
	fiveFeedsOfFollowed(x)
	threeDeletions(x)
	sameChangeOfTwo(x)
	secondTries(x)
	twiceInARow(x)
	refusedAgain(x)
	sameChangeAgain(x)
	alikeInARow(x)
	changedTwice(x)
}

// fiveFeedsOfFollowed are of one whose follower alone has posted.
func fiveFeedsOfFollowed(x *tour) {
	followed, follower := x.create("reads five times"), x.create("follows who reads")
	x.connect(follower, followed, "follow")
	x.post(follower, `"verb":"v"`)
	for range 5 {
		x.feed(followed)
	}
}

func threeDeletions(x *tour) {
	reader, poster := x.create("reader of deletions"), x.create("deletes three")
	x.connect(reader, poster, "follow")
	var events []string
	for range 3 {
		events = append(events, x.post(poster, `"verb":"v"`))
	}
	for _, event := range events {
		x.send(poster.session, "DELETE", "/0.2/user/events/"+event, "")
	}
	x.feed(reader)
}

func sameChangeOfTwo(x *tour) {
	u := x.create("changes alike")
	for _, event := range []string{x.post(u, `"verb":"v"`), x.post(u, `"verb":"w"`)} {
		x.change(u, event, `"location":"x"`)
	}
}

func secondTries(x *tour) {
	reader, poster := x.create("deletes a foreign one"), x.create("has it deleted")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	for range 2 {
		x.send(reader.session, "DELETE", "/0.2/user/events/"+event, "")
		x.feed(reader)
		x.send(reader.session, "GET", "/0.2/users/999999", "")
	}
}

func twiceInARow(x *tour) {
	reader, poster := x.create("sees it once"), x.create("clicks twice", text("custom_id", "twice"))
	x.connect(reader, poster, "follow")
	x.connect(reader, poster, "friend")
	x.connect(poster, reader, "friend")
	for range 2 {
		x.post(poster, `"verb":"click","object":{"id":"1"}`)
	}
	x.feed(reader)
	for range 3 {
		x.send(reader.session, "GET", "/0.2/user/friends", "")
	}
	x.update(poster, text("custom_id", "twice"))
}

func refusedAgain(x *tour) {
	reader, poster := x.create("reads six times"), x.create("posts once")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`)
	for range 6 {
		x.feed(reader)
	}
	for range 2 {
		x.post(poster, `"verb":"v","location":7`)
	}
}

func sameChangeAgain(x *tour) {
	u := x.create("clicks twice too")
	event := x.post(u, `"verb":"v"`)
	for range 2 {
		x.change(u, event, `"location":"here"`)
	}
}

func alikeInARow(x *tour) {
	reader, poster := x.create("reads of one song"), x.create("plays it thrice")
	x.connect(reader, poster, "follow")
	for range 3 {
		x.post(poster, `"verb":"play","object":{"id":"song"}`)
	}
	x.feed(reader)
}

func changedTwice(x *tour) {
	reader, poster := x.create("reads of two places"), x.create("moves twice")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v"`)
	for _, place := range []string{"here", "there"} {
		x.change(poster, event, text("location", place))
		x.feed(reader)
	}
}
