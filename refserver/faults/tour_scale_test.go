package faults_test

import (
	"fmt"
	"strings"
)

func scaleTour(x *tour) {
	looker, star, pal := x.create("looker"), x.create("star"), x.create("pal")
	x.connect(star, looker, "follow")
	x.post(looker, `"verb":"looked at"`)
	for range 20 {
		x.post(star, `"verb":"early"`)
	}
	var crowd []user
	var ids []string
	for i := range 35 {
		u := x.create(fmt.Sprintf("crowd%02d", i), fmt.Sprintf(`"social_ids":{"t":"c%d"}`, i))
		crowd, ids = append(crowd, u), append(ids, fmt.Sprintf(`"c%d"`, i))
		x.connect(u, star, "follow")
		if i == 9 {
			x.lists(star, looker)
		}
		x.connect(looker, u, "follow")
		if i < 20 {
			x.connect(pal, u, "friend")
		}
		x.post(u, fmt.Sprintf(`"verb":"v%d"`, i))
	}
	x.send(star.session, "POST", "/0.2/user/connections/social",
		`{"platform":"t","type":"follow","platform_user_id":"1","connection_ids":[`+strings.Join(ids[20:], ",")+`]}`)
	look := func() {
		for _, u := range []user{looker, star, crowd[0], crowd[14], crowd[15], crowd[16], crowd[31], crowd[34]} {
			x.feed(u)
			x.send(u.session, "GET", "/0.2/user/follows", "")
		}
		x.lists(star, looker)
		x.lists(pal, looker)
		x.search(looker, "crowd")
	}
	look()
	x.connect(looker, star, "follow")
	x.feed(looker)
	event := x.post(star, `"verb":"new"`)
	x.change(star, event, `"location":"changed"`)
	look()
	x.send(star.session, "DELETE", "/0.2/user/events/"+event, "")
	look()
	for range 40 {
		x.post(star, `"verb":"later"`)
	}
	look()
	x.end(looker, crowd[30])
	look()
	for range 11 {
		x.send(x.byName("looker", password), "GET", "/0.2/user", "")
	}
	x.post(pal, `"verb":"of a friend"`)
	look()
	x.remove(pal)
	x.remove(star)
	look()
	scaleOfFeeds(x)
	scaleOfUsers(x)
	createdWithLongValues(x)
	sixNetworks(x)
}

// createdWithLongValues creates a user whose values of metadata are long, and ten.
func createdWithLongValues(x *tour) {
	var entries []string
	for i := range 10 {
		entries = append(entries, text(fmt.Sprint("key", i), strings.Repeat("v", 450)))
	}
	x.create("is full at first", `"metadata":{`+strings.Join(entries, ",")+`}`)
}

// sixNetworks creates a user with social ids of six networks.
func sixNetworks(x *tour) {
	x.create("is everywhere", `"social_ids":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}`)
}
