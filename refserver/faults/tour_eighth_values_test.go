package faults_test

import (
	"fmt"
	"strings"
)

func eighthData(x *tour) {
	passwordOfOtherCase(x)
	emailWithUnderscore(x)
	passwordWithBackslash(x)
	nameWithPercent(x)
	joinedEmoji(x)
	movedToTheSouth(x)
	longValueInFeed(x)
	unfollowedWithPriority(x)
}

func passwordOfOtherCase(x *tour) {
	u := x.create("holds shift")
	x.update(u, text("password", strings.ToUpper(password)))
	x.byName(u.name, strings.ToUpper(password))
	x.byName(u.name, password)
}

func emailWithUnderscore(x *tour) {
	body := fmt.Sprintf(`{"user_name":"underlined","email":"sea_shore@example.com","password":%q}`, password)
	x.search(x.created("underlined", body), "sea_sh")
}

func passwordWithBackslash(x *tour) {
	x.created("slashes back", `{"user_name":"slashes back","email":"slashes@example.com","password":"one\\two"}`)
	x.byEmail("slashes@example.com", `one\two`)
}

func nameWithPercent(x *tour) {
	u := x.create("gives it all", text("last_name", "100% Fun"))
	x.send(x.create("looks at percents").session, "GET", "/0.2/users/"+u.id, "")
}

func joinedEmoji(x *tour) {
	x.update(x.create("has a profession"), text("first_name", "Ida \U0001f469\u200d\U0001f4bb"))
}

func movedToTheSouth(x *tour) {
	u := x.create("sails on")
	x.change(u, x.post(u, `"verb":"v","latitude":12.5,"longitude":3.5`), `"latitude":-12.5`, `"longitude":-3.5`)
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

func eighthEndpoints(x *tour) {
	u := x.create("eighth of endpoints")
	x.send("", "GET", "/0.2/users/"+u.id, "")
	x.search(u, "eighth of")
	preflight := headers{"Origin": "https://www.example", "Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "authorization"}
	x.say("the preflight is answered with %d", x.exchange("", "OPTIONS", "/0.2/user/logout", "", preflight).Code)
	x.send("", "POST", "/9.9/user/login", fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password))
}

func eighthInput(x *tour) {
	u := x.create("eighth of inputs")
	var entries []string
	for i := range 11 {
		entries = append(entries, fmt.Sprintf(`"k%d":"v"`, i))
	}
	event := x.post(u, `"verb":"v"`, `"metadata":{`+strings.Join(entries[:10], ",")+`}`)
	x.change(u, event, `"metadata":{`+strings.Join(entries, ",")+`}`)
	x.created("is numbered", `{"user_name":"is numbered","email":"numbered@example.com","password":"p","last_name":7}`)
	x.send(u.session, "PUT", "/0.2/user", `{"metadata":{"k":"v"}}`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":["1",null]}`)
}
