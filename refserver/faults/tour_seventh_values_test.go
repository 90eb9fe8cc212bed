package faults_test

import (
	"fmt"
	"strings"
)

func seventhData(x *tour) {
	urls(x)
	barInTerm(x)
	deletedWithBlankInName(x)
	camelCase(x)
	townAndCountry(x)
	emojiInChange(x)
}

func urls(x *tour) {
	u := x.create("has a home page", text("url", "https://ida.example"))
	x.update(u, text("url", "https://ida.example/me?tab=1"))
	x.update(u, text("url", "https://ida.example/me?tab=2"))
}

func barInTerm(x *tour) {
	u := x.create("looks for a bar", text("last_name", "Quartz|Flint"))
	x.create("is on one side of it", text("last_name", "Quartzman"))
	x.search(u, "quartz|flint")
}

func deletedWithBlankInName(x *tour) {
	u := x.create("looks for who left")
	x.remove(x.create("left unindexed"))
	x.search(u, "unindexed")
}

func camelCase(x *tour) { x.post(x.create("adds a photo"), `"verb":"addPhoto"`) }

func townAndCountry(x *tour) {
	reader, poster := x.create("reads of towns"), x.create("is in town")
	x.connect(reader, poster, "follow")
	x.post(poster, `"verb":"v","location":"Berlin, Germany"`)
	x.feed(reader)
}

func emojiInChange(x *tour) {
	u := x.create("adds an emoji")
	x.change(u, x.post(u, `"verb":"v"`), `"location":"Beach 🏖"`)
}

func seventhEndpoints(x *tour) {
	u, other, looker := x.create("seventh of endpoints"), x.create("follows the seventh back"), x.create("looks at the seventh")
	x.connect(u, other, "follow")
	x.connect(other, u, "follow")
	x.lists(u, looker)
	x.send(u.session, "DELETE", "/0.2/user/connections/"+other.id, "", headers{"Origin": "https://www.example"})
	x.change(u, x.post(u, `"verb":"v"`), fmt.Sprintf(`"metadata":{"k":"%s"}`, strings.Repeat("v", 501)))
}

func seventhInput(x *tour) {
	u := x.create("seventh of inputs")
	x.post(u, `"object":{"id":"1"}`)
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"edge","type":"Follow","platform_user_id":"1","connection_ids":["1"]}`)
	x.send("", "POST", "/0.2/users", `{"user_name":"cut off","password":"p"`)
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"seventh of inputs","email":["one@example.com","two@example.com"]}`)
}
