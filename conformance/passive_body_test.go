package conformance

import (
	"strings"
	"testing"
)

func TestJSONBody(t *testing.T) {
	checkPassive(t, "transport.json-body", passiveTable{
		kept: cases{
			"JSON":         answered(GetMe, 200, testUser),
			"a charset":    answered(GetMe, 401, `{}`, typed("application/json;charset=utf-8")),
			"white space":  answered(GetMe, 200, " \n{}\t"),
			"a JSON value": answered(GetMe, 404, `"not found"`),
		},
		broken: cases{
			"HTML":              answered(GetMe, 404, "<html>", typed("text/html")),
			"mislabelled JSON":  answered(GetMe, 200, testUser, typed("text/json")),
			"no type":           answered(GetMe, 200, testUser, func(x *exchange) { x.answer.Del("Content-Type") }),
			"a problem type":    answered(GetMe, 404, `{}`, typed("application/problem+json")),
			"half a document":   answered(GetMe, 200, testUser[:20]),
			"two documents":     answered(GetMe, 200, `{}{}`),
			"a trailing word":   answered(GetMe, 200, `{} ok`),
			"white space alone": answered(GetMe, 200, "\n"),
			"a comment":         answered(GetMe, 200, "/**/{}"),
			"a mark in front":   answered(GetMe, 200, "\ufeff{}"),
			"a depth of 100000": answered(GetMe, 200, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)),
		},
		irrelevant: cases{
			"no body":       answered(Logout, 204, ""),
			"an empty 401":  answered(GetMe, 401, ""),
			"an empty type": answered(GetMe, 200, "", typed("text/html")),
		},
	})
	for name, x := range (cases{
		"HTML from a gateway": answered(GetMe, 504, "<html>", typed("text/html")),
		"text from a proxy":   answered(GetMe, 502, "bad gateway"),
	}) {
		if f := ruled(t, "transport.json-body", x); !f.relevant || f.problem == "" || !f.lenient {
			t.Errorf("%s should only warn: %+v", name, f)
		}
	}
}

func TestUTF8(t *testing.T) {
	checkPassive(t, "transport.utf8", passiveTable{
		kept: cases{
			"ASCII": answered(GetMe, 200, testUser), "beyond the BMP": answered(GetMe, 200, `{"id":1,"first_name":"𝒜 🦉"}`),
		},
		broken: cases{
			"Latin-1":        answered(GetMe, 200, "{\"id\":1,\"first_name\":\"Zo\xe9\"}"),
			"half a letter":  answered(GetMe, 404, "{\"a\":\"\xc3\"}"),
			"a surrogate":    answered(GetMe, 200, "\"\xed\xa0\x80\""),
			"an overlong /":  answered(GetMe, 200, "\"\xc0\xaf\""),
			"UTF-16 at last": answered(GetMe, 500, "\xff\xfe{\x00}\x00"),
		},
		irrelevant: cases{"no body": answered(GetMe, 401, ""), "a 204": answered(Logout, 204, "")},
	})
}

func TestNoNull(t *testing.T) {
	checkPassive(t, "transport.no-null", passiveTable{
		kept: cases{
			"no null":          answered(GetMe, 200, testUser),
			"the word in text": answered(GetMe, 200, `{"id":1,"first_name":"null","null":1}`),
			"an empty list":    answered(Feed, 200, `[]`),
			"an error":         answered(GetMe, 401, `{"errors":[]}`),
		},
		broken: cases{
			"a field":         answered(GetMe, 200, `{"id":1,"email":null}`),
			"a nested field":  answered(Feed, 200, `[{"id":1},{"id":2,"object":{"url":null}}]`),
			"in a list":       answered(Feed, 200, `[null]`),
			"in metadata":     answered(GetMe, 200, `{"id":1,"metadata":{"a":null}}`),
			"the whole body":  answered(Feed, 200, `null`),
			"an error's data": answered(GetMe, 404, `{"errors":null}`),
			"very deep":       answered(GetMe, 200, strings.Repeat(`{"a":[`, 500)+"null"+strings.Repeat("]}", 500)),
		},
		irrelevant: cases{"no body": answered(Logout, 204, ""), "no JSON": answered(GetMe, 500, "null pointer", typed("text/plain"))},
	})
}

func TestPasswordHidden(t *testing.T) {
	password := testMark + "00ff"
	checkPassive(t, "users.password-hidden", passiveTable{
		kept: cases{
			"no password":             answered(GetMe, 200, testUser),
			"an error naming it":      answered(CreateUser, 422, `{"password":["is too short"]}`),
			"the client's metadata":   answered(GetMe, 200, `{"id":1,"metadata":{"password":"x"},"social_ids":{"password":"y"}}`),
			"a word that contains it": answered(GetMe, 200, `{"id":1,"password_set":true}`),
		},
		broken: cases{
			"the field":            answered(GetMe, 200, `{"id":1,"password":"*****"}`),
			"a blank field":        answered(CreateUser, 201, `{"id":1,"password":""}`),
			"in a list":            answered(SearchUsers, 200, `[{"id":1},{"id":2,"password":"hash"}]`),
			"nested":               answered(Feed, 200, `[{"id":1,"user":{"password":"hash"}}]`),
			"its text":             answered(GetMe, 200, `{"id":1,"first_name":"`+password+`"}`),
			"its text in an error": answered(CreateUser, 422, `{"errors":"`+password+` is weak"}`),
			"its text in no JSON":  answered(CreateUser, 500, "panic: "+password, typed("text/plain")),
		},
		irrelevant: cases{"no body": answered(CreateUser, 422, ""), "a 204": answered(DeleteMe, 204, "")},
	})
}

func TestTokenConfined(t *testing.T) {
	const answer = `{"id":"1","session_token":"fresh"}`
	checkPassive(t, "sessions.token-confined", passiveTable{
		kept: cases{
			"a user":                 answered(GetMe, 200, testUser),
			"the client's metadata":  answered(GetMe, 200, `{"id":1,"metadata":{"session_token":"x"}}`),
			"a create without login": answered(CreateUser, 201, testUser),
		},
		broken: cases{
			"reading the user":         answered(GetMe, 200, answer),
			"a create without login":   answered(CreateUser, 201, answer),
			"a create withLogin=false": answered(CreateUser, 201, answer, asking("withLogin=false")),
			"a list":                   answered(SearchUsers, 200, `[{"id":1},`+answer+`]`),
			"a feed":                   answered(Feed, 200, `[{"id":1,"user":`+answer+`}]`),
			"an unknown path":          answered(NoEndpoint, 200, answer),
		},
		irrelevant: cases{
			"a login":             answered(Login, 200, answer),
			"a create with login": answered(CreateUser, 201, answer, asking("withLogin=true")),
			"a refusal":           answered(GetMe, 401, `{"session_token":"is missing"}`),
			"a 204":               answered(Logout, 204, ""),
		},
	})
}
