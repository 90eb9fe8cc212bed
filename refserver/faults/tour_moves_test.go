package faults_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// befriend makes two users friends, as both wish.
func (x *tour) befriend(one, other user) {
	x.connect(one, other, "friend")
	x.connect(other, one, "friend")
}

// encoded is a value as JSON.
func encoded(value any) string {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// contacts connects a user by social identifiers, and reads the follows.
func (x *tour) contacts(u user, platform string, ids ...string) {
	x.send(u.session, "POST", "/0.2/user/connections/social",
		fmt.Sprintf(`{"platform":%q,"type":"follow","platform_user_id":"1","connection_ids":%s}`, platform, encoded(ids)))
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func (x *tour) socially(u user, ids ...string) {
	x.send(u.session, "POST", "/0.2/user/connections/social",
		fmt.Sprintf(`{"platform":"edge","type":"follow","platform_user_id":"1","connection_ids":["%s"]}`, strings.Join(ids, `","`)))
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

// rename updates a user's name, and keeps its email.
func (x *tour) rename(u *user, name string) {
	x.send(u.session, "PUT", "/0.2/user", fmt.Sprintf(`{"user_name":%q,"email":%q}`, name, u.name+"@example.com"))
	u.name = name
}

// text is a member of JSON with a text.
func text(name, value string) string { return fmt.Sprintf("%q:%s", name, quoted(value)) }

func quoted(value string) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func basic(app, session string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(app+":"+session))
}
