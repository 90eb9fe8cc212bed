package faults_test

import (
	"fmt"
	"strings"
)

func edgeData(x *tour) {
	reader, poster := x.create("reads the edge"), x.create("posts at the edge", text("last_name", "JOHNSON"))
	x.update(poster, `"metadata":{"version":"1.10"}`)
	x.create("has no plural", text("first_name", "Runner"))
	x.created("at@handle", `{"user_name":"at@handle","email":"handle@example.com","password":"p"}`)
	for _, term := range []string{"Runners", "at@han"} {
		x.search(reader, term)
	}
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v"`, text("location", "a\u2028b"))
	x.post(poster, `"verb":"v","location":"here","metadata":{"location":"there"}`)
	x.post(poster, `"verb":"follow"`)
	onObject := x.post(poster, `"verb":"v","object":{"id":"1"}`)
	x.feed(reader)
	x.send(poster.session, "DELETE", "/0.2/user/events/"+onObject, "")
	x.feed(reader)
	x.change(poster, x.post(poster, `"verb":"v","metadata":{"stars":"4"}`), `"metadata":{"stars":"5"}`)
}

func edgeEndpoints(x *tour) {
	u, fan := x.create("edge of endpoints"), x.create("edge fan")
	x.update(u, `"activated":"true"`)
	x.search(u, "edge fan")
	x.connect(fan, u, "follow")
	x.send(fan.session, "GET", "/0.2/users/"+u.id+"/followers", "")
	x.say("the preflight allows %s", x.exchange("", "OPTIONS", "/0.2/user/connections/"+u.id, "", headers{
		"Authorization": "", "Origin": "https://page.example", "Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "authorization",
	}).Header().Get("Access-Control-Allow-Methods"))
}

func edgeInput(x *tour) {
	u := x.create("edge login")
	x.byName("edge log%", password)
	x.post(u, `"verb":"v","location":"Joe\'s"`)
	x.post(u, `"verb":"v","metadata":[{"key":"a","value":"b"}]`)
	keys := []string{`"Color":"v"`, `"color":"v"`}
	for i := range 9 {
		keys = append(keys, fmt.Sprintf(`"k%d":"v"`, i))
	}
	x.post(u, `"verb":"v"`, `"metadata":{`+strings.Join(keys, ",")+`}`)
}
