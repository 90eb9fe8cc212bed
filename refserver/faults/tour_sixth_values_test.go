package faults_test

import (
	"fmt"
	"strings"
)

func sixthData(x *tour) {
	metadataAlone(x)
	urlWithPort(x)
	nameWithColon(x)
	termWithAmpersand(x)
	emailWithHyphen(x)
	wholeDegrees(x)
	verbWithNamespace(x)
	namesThatBeginAlike(x)
}

func metadataAlone(x *tour) {
	u := x.create("sets a theme", `"metadata":{"theme":"light"}`)
	x.update(u, `"metadata":{"theme":"dark"}`)
}

func urlWithPort(x *tour) {
	x.create("runs a server", text("url", "https://home.example:443/me"))
}

func nameWithColon(x *tour) {
	x.created("team:ida", fmt.Sprintf(`{"user_name":"team:ida","password":%q}`, password))
	x.byName("team:ida", password)
}

func termWithAmpersand(x *tour) {
	u := x.create("looks for a shop", text("last_name", "Quill&Ink"))
	x.create("has a quill", text("last_name", "Quillfeather"))
	x.search(u, "quill&ink")
}

func emailWithHyphen(x *tour) {
	x.created("works by the sea", fmt.Sprintf(`{"user_name":"works by the sea","email":"ida@by-the-sea.example.com","password":%q}`, password))
	x.byEmail("ida@by-the-sea.example.com", password)
}

func wholeDegrees(x *tour) {
	u := x.create("goes due north")
	x.change(u, x.post(u, `"verb":"v","latitude":47.5,"longitude":8.5`), `"latitude":48`)
}

func verbWithNamespace(x *tour) {
	reader, poster := x.create("reads verbs of an app"), x.create("posts verbs of an app")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"photos:like"`)
	x.feed(reader)
}

func namesThatBeginAlike(x *tour) {
	reader, gone, stays := x.create("follows two alike"), x.create("annika"), x.create("annika.two")
	x.connect(reader, gone, "follow")
	x.connect(reader, stays, "follow")
	x.post(stays, `"verb":"stays"`)
	x.remove(gone)
	x.feed(reader)
}

func sixthEndpoints(x *tour) {
	u, other := x.create("sixth of endpoints"), x.create("friend of the sixth")
	x.befriend(u, other)
	x.send(u.session, "DELETE", "/0.2/user/logout", "", headers{"Authorization": ""})
	x.send("no session", "GET", "/0.2/users/"+u.id+"/friends", "")
	x.send("", "DELETE", "/0.2/user/connections/"+other.id, "", headers{"Authorization": basic("no application", u.session)})
	x.send("", "GET", "/versions", "")
}

func sixthInput(x *tour) {
	u, other := x.create("sixth of inputs"), x.create("is followed between blanks")
	x.send(u.session, "GET", "/0.2/users/search?q=100%", "")
	x.change(u, x.post(u, `"verb":"v"`), `"metadata":{"k":null}`)
	x.connect(u, other, " follow ")
	x.send("", "POST", "/0.2/users", `{"user_name":"patched"}`, headers{"Content-Type": "application/json-patch+json"})
	x.post(u, `"verb":"v","enabled":false`)
}

func postsWithAnEntry(x *tour, u user, count int) {
	for i := range count {
		x.post(u, fmt.Sprintf(`"verb":"v","metadata":{"%s":"v"}`, strings.Repeat("k", i+1)))
	}
}
