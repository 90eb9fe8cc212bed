package passive

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

const (
	testMark = "5f0e1d2c3b4a5968" // stands in every password of a run
	testApp  = "app-token-1"
	testUser = `{"id":12743631303647841,"user_name":"ada","enabled":true,"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}`
)

// answered is an exchange as the recorder has it, with a JSON body unless changed.
func answered(e rules.Endpoint, status int, body string, changes ...func(*wire.Exchange)) *wire.Exchange {
	x := &wire.Exchange{
		Endpoint: e, Method: e.Method(), URL: &url.URL{Scheme: "https", Host: "host", Path: e.Path()},
		Header: http.Header{"Authorization": {basicPairOf(testApp, "session-token-1")}},
		Status: status, RespHeader: http.Header{}, RespBody: []byte(body),
	}
	if e == rules.NoEndpoint {
		x.Method, x.URL.Path = "GET", "/nowhere"
	}
	if body != "" {
		x.RespHeader.Set("Content-Type", "application/json")
	}
	for _, change := range changes {
		change(x)
	}
	return x
}

func typed(mediaType string) func(*wire.Exchange) {
	return func(x *wire.Exchange) { x.RespHeader.Set("Content-Type", mediaType) }
}

func sending(body string) func(*wire.Exchange) {
	return func(x *wire.Exchange) { x.Body = []byte(body) }
}

func asking(query string) func(*wire.Exchange) {
	return func(x *wire.Exchange) { x.URL.RawQuery = query }
}

// exchanges by what they are to a rule.
type cases map[string]*wire.Exchange

type passiveTable struct{ kept, broken, irrelevant cases }

// decode is an exchange as a rule looks at it, after none of the judge's own mistakes.
func decode(x *wire.Exchange) *decodedExchange {
	o := &decodedExchange{Exchange: x, mistakes: newMistakes()}
	o.decode()
	return o
}

// ruled judges one exchange by one passive rule.
func ruled(t *testing.T, id string, x *wire.Exchange) finding {
	t.Helper()
	for _, rule := range rulesWith(testMark) {
		if rule.id == id {
			return rule.judge(decode(x))
		}
	}
	t.Fatalf("no passive rule %s", id)
	return finding{}
}

func checkPassive(t *testing.T, id string, table passiveTable) {
	for name, x := range table.kept {
		if f := ruled(t, id, x); !f.relevant || f.problem != "" {
			t.Errorf("%s, kept by %s: got %+v", id, name, f)
		}
	}
	for name, x := range table.broken {
		if f := ruled(t, id, x); !f.relevant || f.problem == "" || f.lenient {
			t.Errorf("%s, broken by %s: got %+v", id, name, f)
		}
	}
	for name, x := range table.irrelevant {
		if f := ruled(t, id, x); f != (finding{}) {
			t.Errorf("%s, which is not about %s: got %+v", id, name, f)
		}
	}
}

// What follows the contract breaks none of the passive rules, however unusual.
func TestValidResponsesAreNeverBlamed(t *testing.T) {
	for name, x := range (cases{
		"a plain user":              answered(rules.GetMe, 200, testUser),
		"a user with a UUID":        answered(rules.GetMe, 200, `{"id":"0b9d7c1e-1111-4222-8333-444455556666","user_name":"ada"}`),
		"a digit string as id":      answered(rules.GetMe, 200, `{"id":"12743631303647841"}`),
		"never logged in":           answered(rules.GetMe, 200, `{"id":1,"last_login":"0000-01-01T00:00:00Z"}`),
		"lower-case time":           answered(rules.GetMe, 200, `{"id":1,"created_at":"2026-01-02t03:04:05z"}`),
		"fraction and offset":       answered(rules.GetMe, 200, `{"id":1,"created_at":"2026-01-02T03:04:05.123456789+05:30","updated_at":"2026-01-02T03:04:05.1-08:00"}`),
		"fields beyond":             answered(rules.GetMe, 200, `{"id":1,"followers_count":3,"x":{"y":[true,1.5]},"links":[]}`),
		"metadata of the client":    answered(rules.GetMe, 200, `{"id":1,"metadata":{"created_at":"yesterday","password":"x","session_token":"y","":"","image":"z","blank":""}}`),
		"social ids of the client":  answered(rules.GetMe, 200, `{"id":1,"social_ids":{"password":"","session_token":"x"}}`),
		"empty collections":         answered(rules.GetMe, 200, `{"id":1,"metadata":{},"social_ids":{},"image":[]}`),
		"an empty list":             answered(rules.SearchUsers, 200, `[]`),
		"an empty feed":             answered(rules.Feed, 200, ` [ ] `),
		"a list":                    answered(rules.MyFollowers, 200, `[`+testUser+`,`+testUser+`]`),
		"a 204":                     answered(rules.Logout, 204, ""),
		"a 204 with a length of 0":  answered(rules.Logout, 204, "", func(x *wire.Exchange) { x.RespHeader.Set("Content-Length", "0") }),
		"a charset":                 answered(rules.GetMe, 200, testUser, typed("application/json; charset=utf-8")),
		"an upper-case media type":  answered(rules.GetMe, 200, testUser, typed("Application/JSON;charset=UTF-8")),
		"the brief login answer":    answered(rules.Login, 200, `{"id":"1","session_token":"fresh-token"}`),
		"the login with details":    answered(rules.Login, 200, `{"id":"1","session_token":"fresh-token","user_name":"ada"}`, asking("withUserDetails=true")),
		"the create with login":     answered(rules.CreateUser, 201, `{"id":1,"session_token":"fresh-token"}`, asking("withLogin=true")),
		"an error naming a field":   answered(rules.CreateUser, 422, `{"errors":[{"code":7,"message":"bad","field":"password"}],"password":"is required","created_at":""}`),
		"a 400":                     answered(rules.CreateUser, 400, `{}`),
		"a social connection":       answered(rules.ConnectSocial, 201, `{}`),
		"a follow":                  answered(rules.CreateConnection, 201, `{"user_from_id":"1","user_to_id":2,"type":"follow","enabled":true}`),
		"a confirmed friend":        answered(rules.CreateConnection, 201, `{"user_from_id":1,"user_to_id":2,"type":"friend","confirmed_at":"2026-01-02T03:04:05Z"}`),
		"an event":                  answered(rules.CreateEvent, 201, `{"id":"e","user_id":1,"verb":"like","latitude":-1e-9,"longitude":13,"object":{"id":"o","display_name":{"en":"","de":"x"}}}`),
		"versions":                  answered(rules.Versions, 200, `[{"version":"0.2","status":"current"}]`),
		"an unknown path":           answered(rules.NoEndpoint, 404, `{"errors":[]}`),
		"an id beyond 64 bits":      answered(rules.GetMe, 200, `{"id":340282366920938463463374607431768211456}`),
		"text that says null":       answered(rules.GetMe, 200, `{"id":1,"first_name":"null","metadata":{"null":"null"}}`),
		"escapes beyond the BMP":    answered(rules.GetMe, 200, `{"id":1,"first_name":"\ud83e\udd89 🦉"}`),
		"a redirect with no body":   answered(rules.NoEndpoint, 308, ""),
		"an array that was sent so": answered(rules.CreateUser, 201, `{"id":1,"social_ids":["a","b"]}`, sending(`{"social_ids":["a","b"]}`)),
	}) {
		for _, rule := range rulesWith(testMark) {
			if f := rule.judge(decode(x)); f.problem != "" {
				t.Errorf("%s blames %s: %s", rule.id, name, f.problem)
			}
		}
	}
}

func basicPairOf(app, session string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(app+":"+session))
}
