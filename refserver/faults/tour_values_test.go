package faults_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// text is a member of JSON with a text.
func text(name, value string) string { return fmt.Sprintf("%q:%s", name, quoted(value)) }

func quoted(value string) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func dataTour(x *tour) {
	x.twoApplications()
	long := strings.Repeat("abcdefghij", 30)
	ann := x.create("ann", text("custom_id", "0012"), text("url", "https://a.example/x%2Fy#z"), text("first_name", long), text("last_name", "O'Brien"),
		`"metadata":{"a":"true","b":"null","a.b":"x","$set":"y","e\u0301":"k","r":"a\u200fb"}`,
		`"social_ids":{"Facebook":"12345678901234567","twitter":"007","x":"a,b"}`)
	bob := x.create("bob+tag", text("custom_id", "0A0B0C0D-1111-2222-3333-444455556666"), text("url", "https://b.example/"+long),
		text("first_name", `a "b"`), text("last_name", "Strauß"), `"metadata":{"é":"k"}`, `"social_ids":{"twitter":"7"}`)
	x.update(ann, `"metadata":{"a":"x\\\\y","b":"c\r\nd"}`, text("first_name", "Zoë 😀 x"), text("last_name", strings.Repeat("l", 100)))
	x.update(ann, text("first_name", "zoé"), text("last_name", "Andre"))
	x.update(ann, text("first_name", "ZOÉ"), text("last_name", "André"))
	x.rename(&ann, "Ann")
	x.search(ann, "ann")
	x.update(bob, text("password", "half % of it"))
	x.byName("bob+tag", "half % of it")
	x.update(bob, text("password", long[:80]))
	x.byName("bob+tag", long[:80])
	for i, secret := range []string{"with:colon", "pässwörd", " blanks "} {
		name := fmt.Sprint("secret", i)
		x.created(name, fmt.Sprintf(`{"user_name":%q,"email":"Mixed%d+x@Example.com","password":%q}`, name, i, secret))
		x.byName(name, secret)
		x.byEmail(fmt.Sprintf("Mixed%d+x@Example.com", i), secret)
	}
	for _, name := range []string{"at@home", "20250101", strings.Repeat("long", 20)} {
		x.create(name)
		x.byName(name, password)
	}
	x.created("987654", `{"user_name":"987654","email":"number@example.com","password":"p"}`)
	x.create("cy", text("first_name", "明日香"), text("last_name", "van Gogh'"), `"metadata":{}`)
	x.create("nobody", text("last_name", "Null"))
	x.create("gr", text("first_name", "Anne-Marie"), text("last_name", "Привет Ωμέγα"))
	x.create("wild", text("first_name", `%41 \\ x`))
	x.create("same", text("first_name", "Same"))
	for _, term := range []string{"明日", "ne-Mar", "Gogh'", "van Go", "8765", "ixed1+x", strings.Repeat("long", 12), "bob+", "%41", `\\`, "ПРИВЕТ", "ΩΜΈΓΑ", "x", "same"} {
		x.search(ann, term)
	}
	x.connect(bob, ann, "follow")
	x.connect(bob, x.create("dan"), "follow")
	events := []string{
		`"verb":"like","latitude":0,"longitude":0`, `"verb":"like","latitude":0,"longitude":-180`, `"verb":"like","latitude":89.5,"longitude":139.7`,
		`"verb":"like","latitude":1e-7,"longitude":0.1234567899`, `"verb":"check in now"`, `"verb":"12"`, text("verb", long),
		`"verb":"v","priority":"007","language":"en-US","location":" a%20b "`, `"verb":"v","priority":"true","language":"zh-Hant"`,
		`"verb":"v","object":{"id":"0012","type":"null","display_name":{"en-US":"a","en-GB":"b"}}`, `"verb":"v","object":{"id":"a/b","display_name":{"zh-Hant":"c"}}`,
		`"verb":"v","object":{"id":"a/b"}`, `"verb":"v",` + text("location", long), `"verb":"v",` + text("location", "a 😀 b"),
		`"verb":"v","metadata":{"a":"off","b":"2024-01-02","c":"🇩🇪 \"q\""}`,
	}
	for _, body := range events {
		x.post(ann, body)
		x.feed(bob)
	}
	event := x.post(ann, `"verb":"v","latitude":5.5,"location":"Home","priority":"low"`)
	x.change(ann, event, `"latitude":0`)
	x.change(ann, event, `"location":"HOME"`)
	x.change(ann, event, `"priority":"9"`)
	x.feed(bob)
	astral, values := strings.Repeat("😀", 400), []string{}
	for i := range 10 {
		values = append(values, fmt.Sprintf(`"k%d":%q`, i, long+long[:199]))
	}
	x.post(ann, `"verb":"v","metadata":{"a":"`+astral+`"}`)
	x.post(ann, `"verb":"v","metadata":{`+strings.Join(values, ",")+`}`)
	x.create("keys", `"metadata":{"`+strings.Repeat("é", 40)+`":"x"}`)
	for _, ids := range []string{`"007"`, `"12345678901234567"`, `"a,b"`, `"7","7"`, `"1234"`} {
		for _, platform := range []string{"twitter", "Facebook", "x"} {
			y := x.create("social" + platform + strings.Trim(ids, `"`))
			x.send(y.session, "POST", "/0.2/user/connections/social", fmt.Sprintf(`{"platform":%q,"type":"follow","platform_user_id":"1","connection_ids":[%s]}`, platform, ids))
			x.send(y.session, "GET", "/0.2/user/follows", "")
		}
	}
	blindData(x)
	blindTexts(x)
	blindActivities(x)
	blindConversions(x)
	drawnData(x)
	edgeData(x)
	thirdData(x)
	fourthData(x)
	fifthData(x)
	sixthData(x)
	seventhData(x)
	eighthData(x)
	ninthData(x)
	tenthData(x)
	eleventhData(x)
	twelfthData(x)
	thirteenthData(x)
	fourteenthData(x)
}

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
	blindEndpoints(x)
	blindAnswers(x)
	blindExits(x)
	drawnEndpoints(x)
	edgeEndpoints(x)
	thirdEndpoints(x)
	fourthEndpoints(x)
	fifthEndpoints(x)
	sixthEndpoints(x)
	seventhEndpoints(x)
	eighthEndpoints(x)
	ninthEndpoints(x)
	tenthEndpoints(x)
	eleventhEndpoints(x)
	twelfthEndpoints(x)
	thirteenthEndpoints(x)
	fourteenthEndpoints(x)
}

func basic(app, session string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(app+":"+session))
}

func inputTour(x *tour) {
	ann, bob := x.create("ann"), x.create("bob")
	event := x.post(ann, `"verb":"v","object":{"id":"1"}`)
	wrong := []string{`[]`, `{}`, `false`, `true`, `0`, `7`, `""`, `"text"`, `null`, `["a"]`, `["a",5]`, `{"id":2,"name":"follow"}`, `[[1]]`, `12345678901234567890123`, `-1`, `1e400`}
	for _, value := range wrong {
		for _, field := range []string{"user_name", "first_name", "custom_id", "email", "password", "url", "social_ids", "metadata"} {
			x.send("", "POST", "/0.2/users", fmt.Sprintf(`{"user_name":"new",%q:%s}`, field, value))
			x.send(ann.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":"ann",%q:%s}`, field, value))
			x.send("", "POST", "/0.2/user/login", fmt.Sprintf(`{"user_name":"bob","password":%s}`, value))
		}
		for _, field := range []string{"user_to_id", "type"} {
			x.send(ann.session, "POST", "/0.2/user/connections", fmt.Sprintf(`{"user_to_id":%s,"type":"follow",%q:%s}`, bob.id, field, value))
		}
		for _, field := range []string{"platform", "type", "platform_user_id", "connection_ids"} {
			x.send(ann.session, "POST", "/0.2/user/connections/social",
				fmt.Sprintf(`{"platform":"p","type":"follow","platform_user_id":"1","connection_ids":["1"],%q:%s}`, field, value))
		}
		for _, field := range []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"} {
			x.post(ann, `"verb":"v"`, fmt.Sprintf("%q:%s", field, value))
			x.change(ann, event, fmt.Sprintf("%q:%s", field, value))
		}
		for _, field := range []string{"id", "url", "display_name"} {
			x.post(ann, `"verb":"v"`, fmt.Sprintf(`"object":{"id":"1",%q:%s}`, field, value))
			x.change(ann, event, fmt.Sprintf(`"object":{"id":"1",%q:%s}`, field, value))
		}
		for _, body := range []string{`"metadata":{"k":` + value + `}`, `"social_ids":{"k":` + value + `}`, `"object":{"id":"1","display_name":{"en":` + value + `}}`} {
			x.send("", "POST", "/0.2/users", `{"user_name":"new",`+body+`}`)
			x.send(ann.session, "PUT", "/0.2/user", `{"user_name":"ann",`+body+`}`)
			x.post(ann, `"verb":"v"`, body)
			x.change(ann, event, body)
		}
		x.send("", "POST", "/0.2/users", value)
		x.send("", "POST", "/0.2/user/login", value)
		x.send(ann.session, "POST", "/0.2/user/events", value)
		x.send(ann.session, "PUT", "/0.2/user/events/"+event, value)
	}
	x.send("", "POST", "/0.2/user/login", `{"user_name":null,"email":null,"password":"p"}`)
	x.send("", "POST", "/0.2/user/login?withUserDetails=false", `{"user_name":"bob","password":"`+password+`"}`)
	for _, typ := range []string{"friends", "follows", "follow,friend"} {
		x.connect(ann, bob, typ)
		x.send(ann.session, "POST", "/0.2/user/connections/social", fmt.Sprintf(`{"platform":"p","type":%q,"platform_user_id":"1","connection_ids":["1"]}`, typ))
	}
	for _, body := range []string{`{"user_name":"a","first_name":"b",}`, `{user_name:"a"}`, `{"verb":"v",}`, `{'verb':'v'}`, `{"verb":"v","latitude":NaN}`, "",
		`{"user_name":"a","x":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`, `{"verb":"\ud83d"}`} {
		x.send("", "POST", "/0.2/users", body)
		x.send(ann.session, "PUT", "/0.2/user", body)
		x.send(ann.session, "POST", "/0.2/user/events", body)
		x.send(ann.session, "PUT", "/0.2/user/events/"+event, body)
	}
	x.post(ann, `"verb":"v","location":"a\u0000b"`)
	x.change(ann, event+"a", `"verb":"v"`)
	for _, query := range []string{"%ff", strings.Repeat("x", 1200), "a%00b"} {
		x.send(ann.session, "GET", "/0.2/users/search?q="+query, "")
	}
	x.send(ann.session, "GET", "/0.2/users/123456789012345678901234/followers", "")
	x.send("", "POST", "/0.2/users?withLogin=maybe", `{"user_name":"w"}`)
	var keys []string
	for i := range 12 {
		keys = append(keys, fmt.Sprintf(`"k%d":"v"`, i))
	}
	long := strings.Repeat("v", 500)
	x.change(ann, event, `"metadata":{"k0":"`+strings.Join([]string{long, long, long, long, long, long, long, long, long}, `","k0":"`)+`"}`)
	for _, metadata := range []string{strings.Join(keys, ","), `"` + strings.Repeat("k", 50) + `":"v"`, `"k":"` + strings.Repeat("v", 505) + `"`} {
		x.post(ann, `"verb":"v"`, `"metadata":{`+metadata+`}`)
		x.change(ann, event, `"metadata":{`+metadata+`}`)
		x.send("", "POST", "/0.2/users", `{"user_name":"m","metadata":{`+metadata+`}}`)
	}
	blindInput(x)
	blindParsing(x)
	blindLenience(x)
	drawnInput(x)
	edgeInput(x)
	thirdInput(x)
	fourthInput(x)
	fifthInput(x)
	sixthInput(x)
	seventhInput(x)
	eighthInput(x)
	ninthInput(x)
	tenthInput(x)
	eleventhInput(x)
	twelfthInput(x)
	thirteenthInput(x)
	fourteenthInput(x)
}
