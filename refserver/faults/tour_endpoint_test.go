package faults_test

import (
	"fmt"
	"strings"
)

func endpointTour(x *tour) {
	x.twoApplications()
	ann := x.create("ann", text("first_name", "Zoë 😀"))
	bob, cy := x.create("bob"), x.create("cy", `"social_ids":{"t":"1"}`)
	x.lists(cy, bob)
	x.lists(cy, cy)
	x.connect(ann, bob, "follow")
	x.connect(ann, x.idle("idle"), "follow")
	x.lists(ann, bob)
	x.post(ann, `"verb":"v","metadata":{}`)
	x.connect(cy, ann, "friend")
	dan := x.create("dan")
	x.connect(dan, bob, "follow")
	x.connect(bob, dan, "follow")
	x.lists(dan, cy)
	x.send(cy.session, "GET", "/0.2/user/feed/more", "")
	x.send(cy.session, "GET", "/0.2/user/friends/more", "")
	x.update(cy, `"url":"https://c.example/new"`)
	x.search(ann, "cy")
	event := x.post(bob, `"verb":"v"`)
	elsewhere := headers{"Authorization": basic(secondApp, "")}
	x.send("", "POST", "/0.2/users", `{"user_name":"other","email":"o@example.com","password":"p"}`, elsewhere)
	other := x.login(`{"user_name":"other","password":"p"}`, elsewhere)
	x.send("", "GET", "/0.2/users/"+bob.id+"/followers", "", headers{"Authorization": basic(secondApp, other)})
	x.feed(ann)
	endpoints := []string{
		"POST /0.2/users {\"user_name\":\"new\"}", "PUT /0.2/user {\"user_name\":\"ann\"}", "GET /0.2/user", "GET /0.2/users/" + bob.id, "GET /0.2/users/search?q=bob",
		"POST /0.2/user/connections {\"user_to_id\":" + cy.id + ",\"type\":\"follow\"}", "GET /0.2/user/follows", "GET /0.2/user/followers", "GET /0.2/user/friends",
		"GET /0.2/users/" + ann.id + "/follows", "GET /0.2/users/" + bob.id + "/followers", "GET /0.2/users/" + ann.id + "/friends", "GET /0.2/users/999/friends", "GET /0.2/users/999",
		"POST /0.2/user/connections/social {\"platform\":\"t\",\"type\":\"follow\",\"platform_user_id\":\"1\",\"connection_ids\":[\"1\"]}",
		"POST /0.2/user/events {\"verb\":\"v\"}", "PUT /0.2/user/events/" + event + " {\"location\":\"x\"}", "GET /0.2/user/feed",
		"PATCH /0.2/users/1/follows", "PATCH /0.2/user/connections/social", "PATCH /0.2/users/search", "OPTIONS /0.2/user/events/1",
		"DELETE /0.2/user/events/" + event, "DELETE /0.2/user/connections/" + cy.id, "DELETE /0.2/user/logout", "DELETE /0.2/user",
	}
	each := func(session string, change ...headers) {
		for _, endpoint := range endpoints {
			method, rest, _ := strings.Cut(endpoint, " ")
			path, body, _ := strings.Cut(rest, " ")
			x.send(session, method, path, body, change...)
		}
		x.send(ann.session, "GET", "/0.2/user/follows", "")
	}
	each(ann.session, headers{"Authorization": ""})
	each("")
	each("unknown")
	each(ann.session, headers{"Authorization": basic("unknown", ann.session)})
	each(ann.session, headers{"Authorization": basic(secondApp, ann.session)})
	ann.session = x.byName("ann", password)
	each(ann.session, headers{"User-Agent": ""})
	each(ann.session, headers{"Content-Type": "text/plain"})
	ann.session = x.byName("ann", password)
	each(x.byName("bob", password), headers{"Origin": "https://page.example", "Access-Control-Request-Method": "PUT"})
	x.login(`{"user_name":"cy","password":"` + password + `"}`)
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", `{"user_name":"cy","password":"`+password+`"}`)
	ann = x.create("ann2", text("first_name", "Zoë 😀"))
	each(ann.session)
	each(ann.session)
	bob = x.create("bob2")
	x.remove(bob)
	each(bob.session)
	var keys []string
	for i := range 11 {
		keys = append(keys, fmt.Sprintf(`"k%d":"v"`, i))
	}
	cy = x.create("cy2")
	for _, metadata := range []string{strings.Join(keys, ","), `"` + strings.Repeat("k", 41) + `":"v"`, `"k":"` + strings.Repeat("v", 501) + `"`} {
		x.send("", "POST", "/0.2/users", `{"user_name":"m","metadata":{`+metadata+`}}`)
		x.send(cy.session, "PUT", "/0.2/user", `{"user_name":"m","metadata":{`+metadata+`}}`)
		x.change(cy, x.post(cy, `"verb":"v"`), `"metadata":{`+metadata+`}`)
	}
	endpointsByHeaders(x)
	endpointsByAnswers(x)
}
