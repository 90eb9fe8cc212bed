package faults_test

import "fmt"

// in does something in another application.
func (x *tour) in(app string, do func()) {
	was := x.app
	x.app = app
	defer func() { x.app = was }()
	do()
}

// twoApplications tours two users of the same name, each with a reader, in two
// applications: what each does, and tries in the other.
func (x *tour) twoApplications() {
	var heroes, readers [2]user
	apps := [2]string{firstApp, secondApp}
	for i, app := range apps {
		x.in(app, func() {
			heroes[i] = x.create("hero", fmt.Sprintf(`"social_ids":{"n":"own %d"}`, i), text("last_name", app[:5]))
			readers[i] = x.create(fmt.Sprint("reader of ", i))
			x.connect(readers[i], heroes[i], "follow")
			x.connect(heroes[i], readers[i], "follow")
			x.post(heroes[i], `"verb":"first"`)
			x.post(readers[i], `"verb":"second"`)
			x.byName("hero", password)
		})
	}
	look := func() {
		for i, app := range apps {
			x.in(app, func() {
				for _, u := range []user{heroes[i], readers[i]} {
					x.send(u.session, "GET", "/0.2/user", "")
					x.feed(u)
				}
				x.lists(heroes[i], readers[i])
				x.search(readers[i], "hero")
				x.search(readers[i], "hero")
			})
		}
	}
	look()
	event := x.post(heroes[0], `"verb":"third"`)
	second := x.byName("hero", password)
	x.in(secondApp, func() {
		for _, session := range []string{heroes[0].session, second} {
			x.send(session, "GET", "/0.2/user", "")
			x.feed(user{session: session})
			x.send(session, "POST", "/0.2/user/events", `{"verb":"elsewhere"}`)
			x.send(session, "DELETE", "/0.2/user/logout", "")
		}
		x.byName("reader of 0", password)
		x.byEmail("reader of 0@example.com", password)
		x.connect(readers[1], readers[0], "follow")
		x.send(readers[1].session, "POST", "/0.2/user/connections/social", `{"platform":"n","type":"follow","platform_user_id":"1","connection_ids":["own 0"]}`)
		x.lists(readers[1], heroes[1])
		x.change(heroes[1], event, `"verb":"changed"`)
		x.send(heroes[1].session, "DELETE", "/0.2/user/events/"+event, "")
		x.send("", "POST", "/0.2/users", `{"user_name":"mail","email":"reader of 0@example.com","password":"p"}`)
	})
	look()
	x.update(heroes[0], text("last_name", "Renewed"))
	look()
	x.rename(&readers[0], "renamed")
	x.in(secondApp, func() { x.rename(&readers[1], "renamed") })
	x.remove(heroes[0])
	x.byName("hero", password)
	x.in(secondApp, func() {
		x.send(heroes[0].session, "GET", "/0.2/user", "")
		x.send(readers[1].session, "GET", "/0.2/users/"+heroes[0].id, "")
		x.feed(readers[1])
	})
}
