package faults_test

import (
	"fmt"
	"strings"
)

func inputTour(x *tour) {
	ann, bob := x.create("ann"), x.create("bob")
	event := x.post(ann, `"verb":"v","object":{"id":"1"}`)
	x.post(ann, `"verb":"\ud83d\udc4d"`)
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
	inputOfUsers(x)
	inputOfEventsAndContacts(x)
}
