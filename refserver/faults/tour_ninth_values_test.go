package faults_test

import (
	"fmt"
	"strings"
)

func ninthData(x *tour) {
	backslashInPassword(x)
	firstNamesOfTwoWords(x)
	urlBeyondASCII(x)
	newIDOnTheSameNetwork(x)
	caretInTerm(x)
	zeroInMetadata(x)
	unfollowedWithObjects(x)
	strangerNextDoor(x)
}

func backslashInPassword(x *tour) {
	x.created("escapes", `{"user_name":"escapes","password":"back\\slash"}`)
	x.byName("escapes", `back\slash`)
}

func firstNamesOfTwoWords(x *tour) { x.create("has two first names", text("first_name", "Anna Lena")) }

func urlBeyondASCII(x *tour) { x.create("lives in Köln", text("url", "https://a.example/köln")) }

func newIDOnTheSameNetwork(x *tour) {
	x.update(x.create("has a new number", `"social_ids":{"phone":"1"}`), `"social_ids":{"phone":"2"}`)
}

func caretInTerm(x *tour) {
	u := x.create("looks for a caret")
	x.create("stands behind it", text("last_name", "Zirkumflex"))
	x.search(u, "^zirkum")
}

func zeroInMetadata(x *tour) {
	reader, poster := x.create("reads nothing"), x.create("posts nothing")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","metadata":{"score":"0"}`)
	x.feed(reader)
}

func unfollowedWithObjects(x *tour) {
	reader, poster := x.create("read of objects"), x.create("posted on objects")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","object":{"id":"1"}`)
	x.end(reader, poster)
	x.feed(reader)
}

func strangerNextDoor(x *tour) {
	reader, stranger := x.create("is at home"), x.create("lives next door")
	x.post(reader, `"verb":"v","latitude":48.1,"longitude":11.5`)
	x.post(stranger, `"verb":"v","latitude":48.12,"longitude":11.49`)
	x.feed(reader)
}

func ninthEndpoints(x *tour) {
	u, common, looker := x.create("ninth of endpoints"), x.create("is everybody's friend"), x.create("looks at the ninth")
	x.befriend(u, common)
	x.befriend(looker, common)
	x.lists(u, looker)
	x.connect(u, looker, "follow")
	x.send(u.session, "DELETE", "/0.2/user/connections/"+looker.id, "", headers{"User-Agent": ""})
	x.lists(u, looker)
	x.send(u.session, "GET", "/0.2/users/"+u.id, "")
	x.change(u, x.post(u, `"verb":"v"`), fmt.Sprintf(`"metadata":{"k":%q}`, strings.Repeat("ü", 500)))
}

func ninthInput(x *tour) {
	u := x.create("ninth of inputs")
	x.send(u.session, "POST", "/0.2/user/events", `{"verb":"v"}`, headers{"Content-Type": "application/json; charset=unheard-of"})
	x.change(u, x.post(u, `"verb":"v"`), `"object":{"id":7}`)
	x.update(u, `"custom_id":7`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":[{"id":"1","name":"Ida"}]}`)
}
