package faults_test

import (
	"fmt"
	"strings"
)

func twelfthData(x *tour) {
	emailWithTag(x)
	irishName(x)
	surnameInCapitals(x)
	farEast(x)
	americanName(x)
	placeWithComma(x)
}

func emailWithTag(x *tour) {
	x.created("sorts its mail", `{"user_name":"sorts its mail","email":"sorts+feed@example.com","password":"p"}`)
	x.byEmail("sorts+feed@example.com", "p")
}

func irishName(x *tour) {
	u := x.create("is Irish", text("last_name", "O'Twelfth"))
	x.search(u, "o'twelf")
}

func surnameInCapitals(x *tour) {
	u := x.create("shouted once", text("last_name", "TWELFTH"))
	x.update(u, text("last_name", "Twelfth"))
}

func farEast(x *tour) {
	x.post(x.create("is in Tokyo"), `"verb":"v","latitude":35.6895,"longitude":139.6917`)
}

func americanName(x *tour) {
	x.post(x.create("tells English from English"), `"verb":"v","object":{"id":"o","display_name":{"en-US":"Color","en-GB":"Colour"}}`)
}

func placeWithComma(x *tour) {
	reader, poster := x.create("reads of towns"), x.create("posts from towns")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","location":"Berlin, Germany"`)
	x.feed(reader)
}

func twelfthEndpoints(x *tour) {
	u := x.create("twelfth of endpoints")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["x"]}`,
		headers{"User-Agent": ""})
	x.send(u.session, "GET", "/versions", "", headers{"Origin": "https://a.example"})
	x.update(u, fmt.Sprintf(`"metadata":{"k":%q}`, strings.Repeat("v", 501)))
}

func twelfthInput(x *tour) {
	u := x.create("twelfth of inputs")
	event := x.post(u, `"verb":"v","metadata":{"k":"v"}`)
	x.change(u, event, `"metadata":[]`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"net","type":"follow","platform_user_id":"1","connection_ids":["x",7]}`)
	x.login(`{"user_name":"twelfth of inputs","password":7}`)
}
