package passive

import (
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestJSONErrors(t *testing.T) {
	checkPassive(t, "errors.json-error", passiveTable{
		kept: cases{"an object": answered(rules.GetMe, 401, `{"errors":[]}`), "a text": answered(rules.GetMe, 404, `"no"`), "a 429": answered(rules.Feed, 429, `{}`)},
		broken: cases{
			"no body": answered(rules.GetMe, 401, ""), "text": answered(rules.NoEndpoint, 404, "404 page not found", typed("text/plain")),
			"HTML": answered(rules.GetMe, 405, "<p>", typed("text/html")), "half": answered(rules.GetMe, 403, `{"a`),
			"a query of whole escapes": answered(rules.SearchUsers, 400, "bad", typed("text/html"), asking("q=a%00%ff")),
		},
		irrelevant: cases{"a URL that is none": answered(rules.SearchUsers, 400, "<p>", typed("text/html"), asking("q=a%zz")),
			"an escape cut off": answered(rules.SearchUsers, 400, "<p>", typed("text/html"), asking("q=a%4")), "a bare percent sign": answered(rules.SearchUsers, 400, "", asking("q=%")),
			"success": answered(rules.GetMe, 200, "no"), "a 500": answered(rules.GetMe, 500, "no"), "a 304": answered(rules.GetMe, 304, "")},
	})
}

func TestEmptyBadRequests(t *testing.T) {
	checkPassive(t, "errors.bad-request-empty", passiveTable{
		kept:       cases{"{}": answered(rules.CreateUser, 400, `{}`), "with spaces": answered(rules.Login, 400, " { }\n")},
		broken:     cases{"a message": answered(rules.CreateUser, 400, `{"error":"x"}`), "no body": answered(rules.Login, 400, ""), "a list": answered(rules.Login, 400, `[]`), "text": answered(rules.Login, 400, "bad")},
		irrelevant: cases{"a URL that is none": answered(rules.SearchUsers, 400, "bad", asking("q=a%zz")), "a 422": answered(rules.CreateUser, 422, `{"a":1}`), "a 200": answered(rules.GetMe, 200, testUser)},
	})
}

func TestNo5xx(t *testing.T) {
	checkPassive(t, "errors.no-5xx", passiveTable{
		kept:   cases{"a 200": answered(rules.GetMe, 200, testUser), "a 404": answered(rules.NoEndpoint, 404, `{}`), "a 429": answered(rules.Feed, 429, `{}`)},
		broken: cases{"a 500": answered(rules.GetMe, 500, `{}`), "a 503": answered(rules.GetMe, 503, ""), "a 599": answered(rules.GetMe, 599, `{}`)},
	})
}

func TestNoContentEmpty(t *testing.T) {
	behind := func(raw string) func(*wire.Exchange) {
		return func(x *wire.Exchange) { x.Stray = &wire.Capture{Data: []byte(raw)} }
	}
	const head = "HTTP/1.1 204 No Content\r\nDate: today\r\n\r\n"
	checkPassive(t, ruleNoContent, passiveTable{
		kept: cases{
			"nothing":      answered(rules.Logout, 204, "", behind(head)),
			"length 0":     answered(rules.DeleteMe, 204, "", func(x *wire.Exchange) { x.RespHeader.Set("Content-Length", "0") }),
			"no chunk":     answered(rules.DeleteMe, 204, "", behind(head+"0\r\n\r\n")),
			"a line's end": answered(rules.DeleteMe, 204, "", behind(head+"\r\n")),
			"interim":      answered(rules.DeleteMe, 204, "", behind("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"+head)),
			"unknown":      answered(rules.DeleteMe, 204, ""),
		},
		broken: cases{
			"an object":     answered(rules.Logout, 204, "", behind(head+"{}")),
			"a chunk":       answered(rules.Logout, 204, "", behind(head+"2\r\n{}\r\n0\r\n\r\n")),
			"after interim": answered(rules.Logout, 204, "", behind("HTTP/1.1 100 Continue\r\n\r\n"+head+"null")),
			"a length":      answered(rules.Logout, 204, "", func(x *wire.Exchange) { x.RespHeader.Set("Content-Length", "2") }),
		},
		irrelevant: cases{"a 200": answered(rules.Logout, 200, "", behind(head+"{}")), "a 404": answered(rules.DeleteMe, 404, `{}`)},
	})
}

func TestNoSecretEcho(t *testing.T) {
	const password = `pass"word<1>`
	sent := sending(`{"password":"pass\"word<1>","user_name":"ada"}`)
	checkPassive(t, "errors.no-secret-echo", passiveTable{
		kept: cases{
			"a refusal":       answered(rules.GetMe, 401, `{"errors":"bad token"}`),
			"the user's name": answered(rules.CreateUser, 409, `{"errors":"ada exists"}`, sent),
			"a short app":     answered(rules.GetMe, 401, `{"errors":"app"}`, func(x *wire.Exchange) { x.Header.Set("Authorization", basicPairOf("app", "")) }),
			"a word as app":   answered(rules.GetMe, 401, `{"errors":"no session"}`, func(x *wire.Exchange) { x.Header.Set("Authorization", basicPairOf("session", "")) }),
		},
		broken: cases{
			"the app token":     answered(rules.GetMe, 401, `{"errors":"`+testApp+` is unknown"}`),
			"the session token": answered(rules.GetMe, 403, `{"errors":["session-token-1"]}`),
			"the password":      answered(rules.CreateUser, 422, `{"errors":"pass\"word<1> is weak"}`, sent),
			"in other escapes":  answered(rules.CreateUser, 422, `{"errors":"pass\"word\u003c1\u003e is weak"}`, sent),
			"as it stands":      answered(rules.CreateUser, 500, password+" is weak", sent, typed("text/plain")),
		},
		irrelevant: cases{
			"a login":   answered(rules.Login, 200, `{"session_token":"session-token-1"}`),
			"no body":   answered(rules.GetMe, 401, ""),
			"a success": answered(rules.GetMe, 200, `{"first_name":"`+testApp+`"}`),
		},
	})
}
