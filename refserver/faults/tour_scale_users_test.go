package faults_test

import (
	"fmt"
	"strings"
)

// scaleOfUsers takes the part of the scale tour that is about users, their sessions,
// lists and contacts.
func scaleOfUsers(x *tour) {
	logoutOfLatestSession(x)
	deletionInLatestSession(x)
	searchBehindDeleted(x)
	searchAmongSeven(x)
	thirteenLogouts(x)
	twelveOfOneName(x)
	elevenFollowed(x)
	elevenFansAndLongPosts(x)
	tenUpdatesAndNineFollowers(x)
	twelvePostsAndNineFriends(x)
	thirteenPosts(x)
	sixteenFollowers(x)
	sixFollowersAndFourNames(x)
	fourSocialIDsAndLargeEvents(x)
	fiveThousandBytes(x)
	elevenFriends(x)
	nineQuokkas(x)
}

// logoutOfLatestSession has the session of the create for the first of four.
func logoutOfLatestSession(x *tour) {
	x.create("four sessions")
	var latest string
	for range 3 {
		latest = x.byName("four sessions", password)
	}
	x.send(latest, "DELETE", "/0.2/user/logout", "")
	x.send(latest, "GET", "/0.2/user", "")
}

func deletionInLatestSession(x *tour) {
	sessions := []string{x.create("six sessions").session}
	for range 5 {
		sessions = append(sessions, x.byName("six sessions", password))
	}
	x.send(sessions[5], "DELETE", "/0.2/user", "")
	for _, session := range sessions {
		x.send(session, "GET", "/0.2/user", "")
	}
}

// searchBehindDeleted finds by the user name alone: the emails do not have the term.
func searchBehindDeleted(x *tour) {
	create := func(name string, i int) user {
		return x.created(name, fmt.Sprintf(`{"user_name":%q,"email":"behind%d@example.com","password":%q}`, name, i, password))
	}
	for i := range 5 {
		x.remove(create(fmt.Sprintf("ann-zork-%d", i), i))
	}
	x.search(create("bob-zork-b", 5), "zork")
}

func searchAmongSeven(x *tour) {
	for i := range 6 {
		x.create(fmt.Sprint("okapi", i))
	}
	x.search(x.create("okapi"), "okapi")
}

func thirteenLogouts(x *tour) {
	u := x.create("logs out often")
	first := u.session
	for range 13 {
		x.send(u.session, "DELETE", "/0.2/user/logout", "")
		u.session = x.byName(u.name, password)
	}
	x.send(first, "GET", "/0.2/user", "")
}

func twelveOfOneName(x *tour) {
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

func elevenFollowed(x *tour) {
	gone := x.create("follows eleven")
	var last user
	for i := range 11 {
		last = x.create(fmt.Sprint("edge star ", i))
		x.connect(gone, last, "follow")
	}
	var entries []string
	for i := range 9 {
		entries = append(entries, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.post(last, `"verb":"v"`, `"metadata":{`+strings.Join(entries, ",")+`}`)
	x.feed(gone)
	x.remove(gone)
	x.send(last.session, "GET", "/0.2/user/followers", "")
}

func elevenFansAndLongPosts(x *tour) {
	reader, star, other := x.create("reads long posts"), x.create("has eleven followers as well"), x.create("has one follower")
	for i := range 11 {
		x.connect(x.create(fmt.Sprint("one of eleven fans ", i), fmt.Sprintf(`"social_ids":{"net":"fan %d"}`, i)), star, "follow")
	}
	x.connect(reader, other, "follow")
	x.connect(reader, star, "follow")
	x.post(other, `"verb":"older"`)
	x.post(star, `"verb":"newer"`)
	x.feed(reader)
	x.send(reader.session, "POST", "/0.2/user/connections/social",
		`{"platform":"net","type":"friend","platform_user_id":"1","connection_ids":["fan 0","fan 1","fan 2","fan 3","fan 4","fan 5","fan 6"]}`)
	x.send(reader.session, "GET", "/0.2/user/friends", "")
	var entries []string
	for i := range 10 {
		entries = append(entries, fmt.Sprintf(`"k%d":%q`, i, strings.Repeat("v", 500)))
	}
	for range 2 {
		x.post(other, `"verb":"long"`, `"metadata":{`+strings.Join(entries, ",")+`}`)
	}
	x.feed(reader)
}

func tenUpdatesAndNineFollowers(x *tour) {
	u, looker := x.create("updates ten times"), x.create("looks at nine")
	for i := range 10 {
		x.update(u, text("first_name", fmt.Sprint("version ", i)))
	}
	var last user
	for i := range 9 {
		last = x.create(fmt.Sprint("one of nine ", i))
		x.connect(last, looker, "follow")
	}
	x.end(last, looker)
	x.lists(looker, u)
}

func twelvePostsAndNineFriends(x *tour) {
	reader, poster := x.create("reads twelve posts"), x.create("posts twelve")
	x.connect(reader, poster, "follow")
	postsWithAnEntry(x, poster, 12)
	x.feed(reader)
	star := x.create("has nine friends")
	for i := range 9 {
		friend := x.create(fmt.Sprint("one of nine ", i))
		x.befriend(star, friend)
		x.send(friend.session, "GET", "/0.2/user/friends", "")
	}
}

func thirteenPosts(x *tour) {
	reader, seldom, often := x.create("reads thirteen posts"), x.create("posts once before"), x.create("posts thirteen times")
	x.connect(reader, seldom, "follow")
	x.connect(reader, often, "follow")
	x.post(seldom, `"verb":"v"`)
	for i := range 13 {
		x.post(often, fmt.Sprintf(`"verb":"v%d"`, i))
	}
	x.feed(reader)
	x.update(often, text("first_name", "Ida"))
}

func sixteenFollowers(x *tour) {
	star := x.create("star of sixteen")
	var fans []user
	for i := range 16 {
		fans = append(fans, x.create(fmt.Sprint("one of sixteen ", i)))
		x.connect(fans[i], star, "follow")
	}
	x.post(star, `"verb":"v"`)
	for _, fan := range fans {
		x.feed(fan)
	}
	x.remove(star)
	for _, fan := range fans {
		x.send(fan.session, "GET", "/0.2/user/follows", "")
	}
}

func sixFollowersAndFourNames(x *tour) {
	star := x.create("has six followers")
	x.post(star, `"verb":"v","object":{"id":"7","display_name":{"de":"a","en":"b","fr":"c","it":"d"}}`)
	for i := range 6 {
		x.connect(x.create(fmt.Sprint("one of six followers ", i)), star, "follow")
	}
	x.send(star.session, "GET", "/0.2/user/followers", "")
}

func fourSocialIDsAndLargeEvents(x *tour) {
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

func postsWithAnEntry(x *tour, u user, count int) {
	for i := range count {
		x.post(u, fmt.Sprintf(`"verb":"v","metadata":{"%s":"v"}`, strings.Repeat("k", i+1)))
	}
}

func fiveThousandBytes(x *tour) {
	var entries []string
	for i := range 10 {
		entries = append(entries, fmt.Sprintf(`"k%d":%q`, i, strings.Repeat("v", 500)))
	}
	x.update(x.create("has much to say"), `"metadata":{`+strings.Join(entries, ",")+`}`)
}

func elevenFriends(x *tour) {
	var friend user
	u := x.create("leaves eleven friends")
	for i := range 11 {
		friend = x.create(fmt.Sprintf("is left as friend %d", i))
		x.befriend(friend, u)
	}
	x.remove(u)
	x.lists(friend, friend)
}

func nineQuokkas(x *tour) {
	u := x.create("quokka")
	for i := range 8 {
		x.create(fmt.Sprint("quokka", i))
	}
	x.search(u, "quokka")
}
