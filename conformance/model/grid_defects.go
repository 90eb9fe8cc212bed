package model

import (
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// defects returns the inputs to an endpoint that have the right types and must be refused all
// the same: something is missing, is no JSON, or is beyond a limit.
func defects(at rules.Endpoint) []Case {
	var cases []Case
	add := func(c Case) {
		c.Endpoint = at
		cases = append(cases, c)
	}
	refused := []int{422, 400}
	if at == rules.Login {
		refused = []int{400, 422, 401, 404} // or as insufficient credentials
	}
	for field, rule := range required(at) {
		add(Case{Field: field, Class: "nothing", Rule: rule, Missing: field, Refused: refused})
		add(Case{Field: field, Class: "null", Rule: rule, Defect: Fields{field: nil}, Refused: refused})
		for other, v := range optional(at) {
			add(Case{Field: field, Class: "nothing beside " + other + " alone", Rule: rule, Defect: Fields{other: v}, Alone: true, Refused: refused})
		}
		if others := optional(at); others != nil { // which a default may be made of
			add(Case{Field: field, Class: "nothing beside other fields", Rule: rule, Missing: field, Defect: others, Refused: refused})
			add(Case{Field: field, Class: "null beside other fields", Rule: rule, Defect: merged(others, Fields{field: nil}), Refused: refused})
		}
	}
	switch at {
	case rules.Login:
		for class, behind := range map[string]string{"a further emoji": "🎉", "a further accent": "\u0301", "a percent sign behind it": "%", "a zero byte behind it": "\x00"} {
			add(Case{Field: "user_name", Class: class, Rule: "sessions.login.unknown-user", Suffix: behind, Refused: []int{401, 400, 403, 404, 422}})
		}
		add(Case{Field: "password", Class: "a condition of a query", Rule: "sessions.login.wrong-password", Defect: Fields{"password": "x' OR '1'='1"}, Refused: []int{401, 400, 403, 404, 422}})
		for class, names := range map[string]Fields{"null for both names": {"user_name": nil, "email": nil}, "blank names": {"user_name": "", "email": ""}} {
			add(Case{Class: class, Rule: identifierRequired, Defect: names, Refused: []int{400, 422, 401, 404}})
		}
	case rules.CreateUser:
		malformed("users.create.malformed-json", "user_name", add)
		add(Case{Field: "user_name", Class: "all within another object", Rule: required(at)["user_name"], Missing: "user_name", Defect: Fields{"user": Fields{"user_name": "a"}}, Refused: refused})
		for class, body := range map[string]string{"a list": `[]`, "a list of an object": `[{"user_name":"a"}]`, "a text": `"a"`, "a number": `7`, "true": `true`, "false": `false`, "an object in a text": `"{\"user_name\":\"a\"}"`} {
			add(Case{Class: class + " as the body", Rule: "users.create.not-an-object", Raw: body, Refused: []int{400, 422}})
		}
	case rules.CreateEvent:
		malformed("events.create.malformed-json", "verb", add)
		add(Case{Field: "verb", Class: "all within another object", Rule: required(at)["verb"], Missing: "verb", Defect: Fields{"event": Fields{"verb": "like"}}, Refused: refused})
		for class, object := range map[string]Fields{"an object with a type alone": {"type": "picture"}, "an object with a name alone": {"display_name": Fields{"en": "A picture"}},
			"an object with null for its id": {"id": nil}, "an object with a type and null for its id": {"id": nil, "type": "picture"}, "an object without fields": {}} {
			add(Case{Field: "object", Class: class, Rule: "events.create.object-id-required", Defect: Fields{"object": object}, Refused: []int{422, 400}})
		}
	case rules.CreateConnection:
		idsWithSuffix(add)
		wrongKinds("connections.create.type-invalid", add)
	case rules.ConnectSocial:
		wrongKinds("social.type-invalid", add)
	}
	switch at {
	case rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent:
		beyondLimits(add)
	}
	otherContentTypes(add)
	return cases
}

// otherContentTypes adds bodies whose Content-Type is another one, some of which resemble the right one.
func otherContentTypes(add func(Case)) {
	for _, contentType := range []string{"text/plain", "text/json", "text/html", "application/x-json", "application/json5", "application/vnd.api+json", "application/merge-patch+json", "application/ld+json", "application/xml", "application/octet-stream",
		"application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		add(Case{Class: "a body labelled " + contentType, Rule: "transport.content-type-415", ContentType: contentType, Refused: []int{415, 400, 406, 422}})
	}
}

// idsWithSuffix adds ids of a user with something appended, which are nobody's.
func idsWithSuffix(add func(Case)) {
	for class, behind := range map[string]string{"an id and a letter": "a", "an id and a fraction": ".7", "an id and a zero byte": "\x00", "an id and more words": " or 1"} {
		add(Case{Field: "user_to_id", Class: class, Rule: "connections.create.unknown-target", Suffix: behind, Refused: []int{404, 400, 422}})
	}
	add(Case{Field: "user_to_id", Class: "an id with a minus", Rule: "connections.create.unknown-target", Prefix: "-", Refused: []int{404, 400, 422}})
}

// wrongKinds adds types that no connection has.
func wrongKinds(rule string, add func(Case)) {
	for _, typ := range []string{"enemy", "followed", "follows", "friends", "follower", "fol", "follow,friend", " follow", "friend ", "Follow", "FRIEND", "1", "0", "true", "null"} {
		add(Case{Field: "type", Class: typ, Rule: rule, Defect: Fields{"type": typ}, Refused: []int{422, 400}})
	}
}

const identifierRequired = "sessions.login.identifier-required"

// wrongLogin returns a login with a value of a wrong type: the status of the refusal is open,
// but the login must not succeed.
func wrongLogin(field, class string, v any) Case {
	rule := "sessions.login.unknown-user"
	if field == "password" {
		rule = "sessions.login.wrong-password"
	}
	c := Case{Endpoint: rules.Login, Field: field, Class: class, Rule: rule, Defect: Fields{field: v}, Refused: []int{401, 400, 403, 404, 422}}
	if field == "email" {
		c.Missing = "user_name"
	}
	return c
}

// required returns the fields that an endpoint requires, with their rules.
func required(at rules.Endpoint) map[string]string {
	switch at {
	case rules.CreateUser:
		return map[string]string{"user_name": "users.create.user-name-required"}
	case rules.Login:
		return map[string]string{"password": "sessions.login.password-required", "user_name": identifierRequired}
	case rules.UpdateMe:
		return map[string]string{"user_name": "users.me.update.user-name-required"}
	case rules.CreateEvent:
		return map[string]string{"verb": "events.create.verb-required"}
	case rules.CreateConnection:
		return map[string]string{"user_to_id": "connections.create.target-required"}
	case rules.ConnectSocial:
		const rule = "social.required"
		return map[string]string{"platform": rule, "type": rule, "platform_user_id": rule, "connection_ids": rule}
	}
	return nil
}

// optional returns further fields of what an endpoint creates, nil for none.
func optional(at rules.Endpoint) Fields {
	switch at {
	case rules.CreateUser:
		return Fields{"first_name": "Ada", "last_name": "Byron", "url": "https://a.example/u", "metadata": Fields{"mood": "good"}}
	case rules.UpdateMe:
		return Fields{"last_name": "Byron", "metadata": Fields{"mood": "other"}, "email": "other@refused.example", "activated": "true"}
	case rules.CreateEvent:
		return Fields{"object": Fields{"id": "picture-7", "type": "picture"}, "location": "Berlin", "language": "en", "priority": "high"}
	}
	return nil
}

// malformed adds bodies that are no JSON.
func malformed(rule, field string, add func(Case)) {
	for class, body := range map[string]string{
		"a body cut off":       `{"` + field + `":"a`,
		"a missing brace":      `{"` + field + `":"a"`,
		"a comma too many":     `{"` + field + `":"a",}`,
		"single quotes":        `{'` + field + `':'a'}`,
		"a key without quotes": `{` + field + `:"a"}`,
		"a comment":            `{"` + field + `":"a" /* b */}`,
		"a missing colon":      `{"` + field + `" "a"}`,
		"a word":               `{"` + field + `":undefined}`,
		"form fields":          field + `=a`,
		"no number":            `{"` + field + `":"a","latitude":NaN}`,
		"a hexadecimal number": `{"` + field + `":"a","latitude":0x1F}`,
		"an escape of none":    `{"` + field + `":"it\'s"}`,
		"a plus":               `{"` + field + `":"a","latitude":+1}`,
		"no digit in front":    `{"` + field + `":"a","latitude":.5}`,
		"a comment behind":     `{"` + field + `":"a"} // b`,
		"two bodies":           `{"` + field + `":"a"}{}`,
		"a leading zero":       `{"` + field + `":"a","latitude":01}`,
		"a line break inside":  "{\"" + field + "\":\"a\nb\"}",
	} {
		add(Case{Class: class, Rule: rule, Raw: body, Refused: []int{400, 422}})
	}
}

// beyondLimits adds metadata one beyond each of the contract's Limits, in characters of one
// byte and of several.
func beyondLimits(add func(Case)) {
	const keys, keyLength, valueLength = 11, 41, 501
	many := Fields{}
	for i := range keys {
		many[string(rune('a'+i))] = "v"
	}
	for _, beyond := range []struct {
		class, rule string
		metadata    Fields
	}{
		{"eleven keys", "limits.metadata.keys", many},
		{"a key of 41", "limits.metadata.key-length", Fields{strings.Repeat("k", keyLength): "v"}},
		{"a wide key of 41", "limits.metadata.key-length", Fields{strings.Repeat("é", keyLength): "v"}},
		{"a key of 41 beside another", "limits.metadata.key-length", Fields{"a": "v", strings.Repeat("k", keyLength): "v"}},
		{"a value of 501", "limits.metadata.value-length", Fields{"a": strings.Repeat("v", valueLength)}},
		{"a wide value of 501", "limits.metadata.value-length", Fields{"a": strings.Repeat("界", valueLength)}},
		{"a value of 501 beside another", "limits.metadata.value-length", Fields{"a": "v", "b": strings.Repeat("v", valueLength)}},
		{"null in it", "limits.metadata.strings-only", Fields{"a": nil}},
	} {
		add(Case{Field: "metadata", Class: beyond.class, Rule: beyond.rule, Defect: Fields{"metadata": beyond.metadata}, Refused: []int{422, 400}})
	}
}
