package faults_test

import "fmt"

// sequencesOfConnections takes the part of the sequence tour that is about connections
// and the lists of them.
func sequencesOfConnections(x *tour) {
	friendshipEndsBesideFollow(x)
	followerAfterDeletedOne(x)
	socialFollowEnds(x)
	listsRepeated(x)
	followedBack(x)
	followOfFriend(x)
	crossedFollows(x)
	followAfterFriendEnds(x)
	vainEnd(x)
	nextAfterDeletion(x)
	firstNameCleared(x)
	followsBack(x)
	followAfterTheOtherEnded(x)
	followsOfAChangedMind(x)
	friendshipEndedByTheSecond(x)
	followersOfEachOther(x)
	firstOfThreeUnfollowed(x)
	unfollowedInAnotherSession(x)
	followerUpdated(x)
	askedBeforeLogout(x)
	contactDeleted(x)
	contactFollowedAgain(x)
	followersOfNamesake(x)
	followAfterAnotherLeft(x)
	followedBeforeLogin(x)
}

func friendshipEndsBesideFollow(x *tour) {
	follower, friend := x.create("follower of friend"), x.create("friend who leaves")
	x.connect(follower, friend, "follow")
	x.connect(friend, follower, "friend")
	x.end(friend, follower)
	x.lists(follower, friend)
}

func followerAfterDeletedOne(x *tour) {
	followed, gone, next := x.create("followed by deleted"), x.create("deleted follower"), x.create("next follower")
	x.connect(gone, followed, "follow")
	x.remove(gone)
	x.lists(followed, next)
	x.connect(next, followed, "follow")
	x.lists(followed, next)
}

func socialFollowEnds(x *tour) {
	followed, follower := x.create("socially followed", `"social_ids":{"t":"brief"}`), x.create("social follower")
	x.send(follower.session, "POST", "/0.2/user/connections/social",
		`{"platform":"t","type":"follow","platform_user_id":"1","connection_ids":["brief"]}`)
	x.lists(followed, follower)
	x.end(follower, followed)
	x.lists(followed, follower)
}

func listsRepeated(x *tour) {
	reader, leaver, other := x.create("reads lists"), x.create("leaves the list"), x.create("remains")
	x.connect(reader, leaver, "follow")
	x.lists(reader, other)
	x.remove(leaver)
	x.lists(reader, other)
	x.connect(reader, leaver, "follow")
	x.connect(reader, other, "follow")
	x.rename(&reader, "reads renamed")
	x.end(reader, other)
	x.lists(other, reader)
	x.lists(reader, other)
}

func followedBack(x *tour) {
	one, other := x.create("follows first"), x.create("follows back")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.lists(one, other)
}

func followOfFriend(x *tour) {
	one, other := x.create("follows a friend"), x.create("is a followed friend")
	x.befriend(one, other)
	x.connect(one, other, "follow")
}

func crossedFollows(x *tour) {
	one, other := x.create("crosses first"), x.create("crosses last")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.befriend(one, other)
	x.lists(one, other)
	x.lists(other, one)
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

func nextAfterDeletion(x *tour) {
	fan, gone := x.create("edge fan"), x.create("latest")
	x.connect(fan, gone, "follow")
	x.remove(gone)
	next := x.create("next after the latest")
	x.send(next.session, "GET", "/0.2/user/followers", "")
}

func firstNameCleared(x *tour) {
	star, fan := x.create("shines"), x.create("loses a name", text("first_name", "Lost"))
	x.connect(fan, star, "follow")
	x.update(fan, text("first_name", ""))
	x.send(star.session, "GET", "/0.2/user/followers", "")
}

func followsBack(x *tour) {
	one, other := x.create("is followed back"), x.create("goes back too")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
}

func followAfterTheOtherEnded(x *tour) {
	one, other := x.create("followed first"), x.create("follows later")
	x.connect(one, other, "follow")
	x.end(one, other)
	x.connect(other, one, "follow")
	x.lists(one, other)
}

// followsOfAChangedMind ends a follow and makes another between two readings of the list.
func followsOfAChangedMind(x *tour) {
	u, one, other := x.create("changes its mind"), x.create("is given up"), x.create("is taken up")
	x.connect(u, one, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
	x.end(u, one)
	x.connect(u, other, "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func friendshipEndedByTheSecond(x *tour) {
	one, other := x.create("asks first"), x.create("asks last")
	x.befriend(one, other)
	x.end(other, one)
	x.lists(one, other)
}

func followersOfEachOther(x *tour) {
	one, other := x.create("follows and is followed"), x.create("goes on following")
	x.connect(one, other, "follow")
	x.connect(other, one, "follow")
	x.end(one, other)
	x.lists(one, other)
}

func firstOfThreeUnfollowed(x *tour) {
	u := x.create("follows three")
	var followed []user
	for i := range 3 {
		followed = append(followed, x.create(fmt.Sprint("one of three ", i)))
		x.connect(u, followed[i], "follow")
	}
	x.end(u, followed[0])
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func unfollowedInAnotherSession(x *tour) {
	u, other := x.create("has two phones"), x.create("is unfollowed on the other")
	x.connect(u, other, "follow")
	x.send(x.byName(u.name, password), "DELETE", "/0.2/user/connections/"+other.id, "")
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func followerUpdated(x *tour) {
	star, fan := x.create("has a fan"), x.create("is a fan")
	x.connect(fan, star, "follow")
	x.update(fan, text("first_name", "Ida"))
	x.send(star.session, "GET", "/0.2/user/followers", "")
}

func askedBeforeLogout(x *tour) {
	one, other := x.create("asks and leaves"), x.create("answers later")
	x.connect(one, other, "friend")
	x.send(one.session, "DELETE", "/0.2/user/logout", "")
	x.connect(other, one, "friend")
	x.send(other.session, "GET", "/0.2/user/friends", "")
}

func contactDeleted(x *tour) {
	u, gone := x.create("loses a contact"), x.create("was a contact", `"social_ids":{"edge":"lost contact"}`)
	x.socially(u, "lost contact")
	x.remove(gone)
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func contactFollowedAgain(x *tour) {
	u, contact := x.create("follows a contact"), x.create("is a contact and followed", `"social_ids":{"edge":"followed"}`)
	x.socially(u, "followed")
	x.connect(u, contact, "follow")
	x.send(contact.session, "GET", "/0.2/user/followers", "")
}

func followersOfNamesake(x *tour) {
	follower, star := x.create("follows stars"), x.create("star of theirs")
	x.connect(follower, star, "follow")
	x.remove(star)
	x.lists(x.create("star of theirs"), follower)
}

func followAfterAnotherLeft(x *tour) {
	fan, left, found := x.create("is left"), x.create("is about to leave"), x.create("is found instead")
	x.connect(fan, left, "follow")
	x.remove(left)
	x.connect(fan, found, "follow")
	x.lists(fan, found)
}

func followedBeforeLogin(x *tour) {
	fan, invited := x.create("follows who is invited"), x.idle("is invited")
	x.connect(fan, invited, "follow")
	x.byName("is invited", password)
	x.send(fan.session, "GET", "/0.2/users/"+invited.id+"/followers", "")
}
