package faults_test

import (
	"fmt"
	"strings"
)

// endpointsByHeaders takes the part of the endpoint tour that is about credentials,
// headers and errors.
func endpointsByHeaders(x *tour) {
	answersAboutAUser(x)
	waysInAndOut(x)
	answersAboutAnEvent(x)
	preflightOfConnection(x)
	preflightOfContacts(x)
	challengeOfLogin(x)
	endsWithoutCredentials(x)
	preflightOfLogout(x)
	versionsForAnonymous(x)
	contactsForAnonymous(x)
	endOfConnectionWithoutSession(x)
	patches(x)
	logoutForAnonymous(x)
	refusedLoginOfPage(x)
}

func answersAboutAUser(x *tour) {
	reader, poster := x.create("asks for answers"), x.create("answered", text("last_name", "Müller"), `"metadata":{"k":"v"}`)
	event := x.post(poster, `"verb":"v"`)
	x.send("never issued", "GET", "/0.2/users/"+poster.id, "")
	x.connect(reader, poster, "follow")
	x.search(reader, "answered")
	x.change(poster, event, `"priority":"low"`)
	x.send(reader.session, "DELETE", "/0.2/user/events/"+event, "")
	x.login(`{"user_name":`)
	x.update(poster, `"metadata":{"k":"`+strings.Repeat("v", 501)+`"}`)
}

func waysInAndOut(x *tour) {
	u := x.create("goes out")
	x.send("", "DELETE", "/0.2/user/logout", "")
	login := fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password)
	x.send("", "POST", "/0.2/user/login", login, headers{"User-Agent": ""})
	x.send("", "POST", "/0.2/user/login?withUserDetails=true", login)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"p","type":"follow","platform_user_id":"1"}`)
}

func answersAboutAnEvent(x *tour) {
	reader, poster := x.create("asks about an event"), x.create("answers them")
	x.connect(reader, poster, "follow")
	event := x.post(poster, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.feed(reader)
	x.change(poster, event, `"object":{"id":"1"}`)
	x.login(fmt.Sprintf(`{"user_name":"answers them","password":%q}`, password), headers{"Authorization": basic("unknown", "")})
	x.send("", "DELETE", "/0.2/user/events/"+event, "")
	x.send(poster.session, "PUT", "/0.2/user/events/"+event, `{"verb":"w"}`, headers{"Content-Type": "text/plain"})
	x.end(reader, x.create("is not connected"))
}

func preflightOfConnection(x *tour) {
	u, fan := x.create("preflight of connection"), x.create("edge fan")
	x.update(u, `"activated":"true"`)
	x.search(u, "edge fan")
	x.connect(fan, u, "follow")
	x.send(fan.session, "GET", "/0.2/users/"+u.id+"/followers", "")
	x.say("the preflight allows %s", x.exchange("", "OPTIONS", "/0.2/user/connections/"+u.id, "", headers{
		"Authorization": "", "Origin": "https://page.example", "Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "authorization",
	}).Header().Get("Access-Control-Allow-Methods"))
}

func preflightOfContacts(x *tour) {
	u := x.create("preflight of contacts")
	x.login(fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password), headers{"Content-Type": "application/x-www-form-urlencoded"})
	x.search(u, "preflight of contacts")
	x.connect(u, x.idle("never seen before"), "follow")
	x.send(u.session, "GET", "/0.2/user/follows", "")
	x.say("the preflight allows %s", x.exchange("", "OPTIONS", "/0.2/user/connections/social", "", headers{
		"Authorization": "", "Origin": "https://page.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type",
	}).Header().Get("Access-Control-Allow-Headers"))
	x.send(u.session, "GET", "/0.2/users/"+u.id+"/enemies", "")
}

func challengeOfLogin(x *tour) {
	u, fan, other := x.create("challenge of login", `"social_ids":{"net":"own"}`), x.create("follows the challenged"), x.create("looks at both")
	x.send(u.session, "PATCH", "/versions", "{}")
	challenge := x.exchange("", "POST", "/0.2/user/login", `{"user_name":"challenge of login","password":"wrong"}`).Header().Get("WWW-Authenticate")
	x.say("a wrong password is asked for %q", challenge)
	x.send(fan.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["own","nobody's"]}`)
	x.lists(u, other)
}

func endsWithoutCredentials(x *tour) {
	u, other := x.create("ends without credentials"), x.create("friend of who ends it")
	x.befriend(u, other)
	x.send(u.session, "DELETE", "/0.2/user/logout", "", headers{"Authorization": ""})
	x.send("no session", "GET", "/0.2/users/"+u.id+"/friends", "")
	x.send("", "DELETE", "/0.2/user/connections/"+other.id, "", headers{"Authorization": basic("no application", u.session)})
	x.send("", "GET", "/versions", "")
}

func preflightOfLogout(x *tour) {
	u := x.create("preflight of logout")
	x.send("", "GET", "/0.2/users/"+u.id, "")
	x.search(u, "preflight of")
	preflight := headers{"Origin": "https://www.example", "Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "authorization"}
	x.say("the preflight is answered with %d", x.exchange("", "OPTIONS", "/0.2/user/logout", "", preflight).Code)
	x.send("", "POST", "/9.9/user/login", fmt.Sprintf(`{"user_name":%q,"password":%q}`, u.name, password))
}

func versionsForAnonymous(x *tour) {
	u, other := x.create("versions for anonymous"), x.create("is activated", `"activated":"true"`)
	x.send("", "GET", "/versions", "", headers{"User-Agent": ""})
	x.lists(other, u)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["none"]}`,
		headers{"Content-Type": "text/plain"})
	x.send(u.session, "GET", "/0.2/users/"+other.id, "")
}

func contactsForAnonymous(x *tour) {
	u := x.create("contacts for anonymous")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["x"]}`,
		headers{"User-Agent": ""})
	x.send(u.session, "GET", "/versions", "", headers{"Origin": "https://a.example"})
	x.update(u, fmt.Sprintf(`"metadata":{"k":%q}`, strings.Repeat("v", 501)))
}

func endOfConnectionWithoutSession(x *tour) {
	one, other := x.create("is let go"), x.create("is not let go")
	x.befriend(one, other)
	x.send("", "DELETE", "/0.2/user/connections/"+other.id, "")
}

func patches(x *tour) {
	u, other := x.create("patches"), x.create("is patched to")
	x.send(u.session, "PATCH", "/versions", "{}", headers{"Content-Type": "application/json"})
	x.connect(u, other, "follow")
	x.send(u.session, "PATCH", "/0.2/user/connections/"+other.id, "")
}

func logoutForAnonymous(x *tour) {
	u := x.create("leaves unnamed")
	x.send(u.session, "DELETE", "/0.2/user/logout", "", headers{"User-Agent": ""})
	x.send(u.session, "GET", "/0.2/user", "")
}

func refusedLoginOfPage(x *tour) {
	x.create("logs in on a page")
	x.login(`{"user_name":"logs in on a page","password":"wrong"}`, headers{"Origin": "https://page.example"})
}
