package passive

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestJSONBody(t *testing.T) {
	checkPassive(t, "transport.json-body", passiveTable{
		kept: cases{
			"JSON":         answered(rules.GetMe, 200, testUser),
			"a charset":    answered(rules.GetMe, 401, `{}`, typed("application/json;charset=utf-8")),
			"white space":  answered(rules.GetMe, 200, " \n{}\t"),
			"a JSON value": answered(rules.GetMe, 404, `"not found"`),
		},
		broken: cases{
			"HTML":              answered(rules.GetMe, 404, "<html>", typed("text/html")),
			"HTML with a 200":   answered(rules.SearchUsers, 200, "<html>", typed("text/html"), asking("q=a%zz")),
			"mislabelled JSON":  answered(rules.GetMe, 200, testUser, typed("text/json")),
			"no type":           answered(rules.GetMe, 200, testUser, func(x *wire.Exchange) { x.RespHeader.Del("Content-Type") }),
			"a problem type":    answered(rules.GetMe, 404, `{}`, typed("application/problem+json")),
			"half a document":   answered(rules.GetMe, 200, testUser[:20]),
			"two documents":     answered(rules.GetMe, 200, `{}{}`),
			"a trailing word":   answered(rules.GetMe, 200, `{} ok`),
			"white space alone": answered(rules.GetMe, 200, "\n"),
			"a comment":         answered(rules.GetMe, 200, "/**/{}"),
			"a mark in front":   answered(rules.GetMe, 200, "\ufeff{}"),
			"a depth of 100000": answered(rules.GetMe, 200, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)),
		},
		irrelevant: cases{
			"a URL that is none": answered(rules.SearchUsers, 400, "<p>", typed("text/html"), asking("q=a%zz")),
			"no body":            answered(rules.Logout, 204, ""),
			"an empty 401":       answered(rules.GetMe, 401, ""),
			"an empty type":      answered(rules.GetMe, 200, "", typed("text/html")),
		},
	})
	for name, x := range (cases{
		"HTML from a gateway": answered(rules.GetMe, 504, "<html>", typed("text/html")),
		"text from a proxy":   answered(rules.GetMe, 502, "bad gateway"),
	}) {
		if f := ruled(t, "transport.json-body", x); !f.relevant || f.problem == "" || !f.lenient {
			t.Errorf("%s should only warn: %+v", name, f)
		}
	}
}

func TestUTF8(t *testing.T) {
	checkPassive(t, "transport.utf8", passiveTable{
		kept: cases{
			"ASCII": answered(rules.GetMe, 200, testUser), "beyond the BMP": answered(rules.GetMe, 200, `{"id":1,"first_name":"𝒜 🦉"}`),
		},
		broken: cases{
			"Latin-1":        answered(rules.GetMe, 200, "{\"id\":1,\"first_name\":\"Zo\xe9\"}"),
			"half a letter":  answered(rules.GetMe, 404, "{\"a\":\"\xc3\"}"),
			"a surrogate":    answered(rules.GetMe, 200, "\"\xed\xa0\x80\""),
			"an overlong /":  answered(rules.GetMe, 200, "\"\xc0\xaf\""),
			"UTF-16 at last": answered(rules.GetMe, 500, "\xff\xfe{\x00}\x00"),
		},
		irrelevant: cases{"no body": answered(rules.GetMe, 401, ""), "a 204": answered(rules.Logout, 204, "")},
	})
}

func TestNoNull(t *testing.T) {
	checkPassive(t, "transport.no-null", passiveTable{
		kept: cases{
			"no null":          answered(rules.GetMe, 200, testUser),
			"the word in text": answered(rules.GetMe, 200, `{"id":1,"first_name":"null","null":1}`),
			"an empty list":    answered(rules.Feed, 200, `[]`),
			"an error":         answered(rules.GetMe, 401, `{"errors":[]}`),
		},
		broken: cases{
			"a field":         answered(rules.GetMe, 200, `{"id":1,"email":null}`),
			"a nested field":  answered(rules.Feed, 200, `[{"id":1},{"id":2,"object":{"url":null}}]`),
			"in a list":       answered(rules.Feed, 200, `[null]`),
			"in metadata":     answered(rules.GetMe, 200, `{"id":1,"metadata":{"a":null}}`),
			"the whole body":  answered(rules.Feed, 200, `null`),
			"an error's data": answered(rules.GetMe, 404, `{"errors":null}`),
			"very deep":       answered(rules.GetMe, 200, strings.Repeat(`{"a":[`, 500)+"null"+strings.Repeat("]}", 500)),
		},
		irrelevant: cases{"no body": answered(rules.Logout, 204, ""), "no JSON": answered(rules.GetMe, 500, "null pointer", typed("text/plain"))},
	})
}

func TestPasswordHidden(t *testing.T) {
	password := testMark + "00ff"
	checkPassive(t, "users.password-hidden", passiveTable{
		kept: cases{
			"no password":             answered(rules.GetMe, 200, testUser),
			"an error naming it":      answered(rules.CreateUser, 422, `{"password":["is too short"]}`),
			"the client's metadata":   answered(rules.GetMe, 200, `{"id":1,"metadata":{"password":"x"},"social_ids":{"password":"y"}}`),
			"a word that contains it": answered(rules.GetMe, 200, `{"id":1,"password_set":true}`),
		},
		broken: cases{
			"the field":            answered(rules.GetMe, 200, `{"id":1,"password":"*****"}`),
			"a blank field":        answered(rules.CreateUser, 201, `{"id":1,"password":""}`),
			"in a list":            answered(rules.SearchUsers, 200, `[{"id":1},{"id":2,"password":"hash"}]`),
			"nested":               answered(rules.Feed, 200, `[{"id":1,"user":{"password":"hash"}}]`),
			"its text":             answered(rules.GetMe, 200, `{"id":1,"first_name":"`+password+`"}`),
			"its text in an error": answered(rules.CreateUser, 422, `{"errors":"`+password+` is weak"}`),
			"its text in no JSON":  answered(rules.CreateUser, 500, "panic: "+password, typed("text/plain")),
		},
		irrelevant: cases{"no body": answered(rules.CreateUser, 422, ""), "a 204": answered(rules.DeleteMe, 204, "")},
	})
}

func TestTokenConfined(t *testing.T) {
	const answer = `{"id":"1","session_token":"fresh"}`
	checkPassive(t, "sessions.token-confined", passiveTable{
		kept: cases{
			"a user":                 answered(rules.GetMe, 200, testUser),
			"the client's metadata":  answered(rules.GetMe, 200, `{"id":1,"metadata":{"session_token":"x"}}`),
			"a create without login": answered(rules.CreateUser, 201, testUser),
		},
		broken: cases{
			"reading the user":         answered(rules.GetMe, 200, answer),
			"a create without login":   answered(rules.CreateUser, 201, answer),
			"a create withLogin=false": answered(rules.CreateUser, 201, answer, asking("withLogin=false")),
			"a list":                   answered(rules.SearchUsers, 200, `[{"id":1},`+answer+`]`),
			"a feed":                   answered(rules.Feed, 200, `[{"id":1,"user":`+answer+`}]`),
			"an unknown path":          answered(rules.NoEndpoint, 200, answer),
		},
		irrelevant: cases{
			"a login":             answered(rules.Login, 200, answer),
			"a create with login": answered(rules.CreateUser, 201, answer, asking("withLogin=true")),
			"a refusal":           answered(rules.GetMe, 401, `{"session_token":"is missing"}`),
			"a 204":               answered(rules.Logout, 204, ""),
		},
	})
}
