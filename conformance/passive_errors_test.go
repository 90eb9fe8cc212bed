package conformance

import "testing"

func TestJSONErrors(t *testing.T) {
	checkPassive(t, "errors.json-error", passiveTable{
		kept: cases{"an object": answered(GetMe, 401, `{"errors":[]}`), "a text": answered(GetMe, 404, `"no"`), "a 429": answered(Feed, 429, `{}`)},
		broken: cases{
			"no body": answered(GetMe, 401, ""), "text": answered(NoEndpoint, 404, "404 page not found", typed("text/plain")),
			"HTML": answered(GetMe, 405, "<p>", typed("text/html")), "half": answered(GetMe, 403, `{"a`),
		},
		irrelevant: cases{"success": answered(GetMe, 200, "no"), "a 500": answered(GetMe, 500, "no"), "a 304": answered(GetMe, 304, "")},
	})
}

func TestEmptyBadRequests(t *testing.T) {
	checkPassive(t, "errors.bad-request-empty", passiveTable{
		kept:       cases{"{}": answered(CreateUser, 400, `{}`), "with spaces": answered(Login, 400, " { }\n")},
		broken:     cases{"a message": answered(CreateUser, 400, `{"error":"x"}`), "no body": answered(Login, 400, ""), "a list": answered(Login, 400, `[]`), "text": answered(Login, 400, "bad")},
		irrelevant: cases{"a 422": answered(CreateUser, 422, `{"a":1}`), "a 200": answered(GetMe, 200, testUser)},
	})
}

func TestNo5xx(t *testing.T) {
	checkPassive(t, "errors.no-5xx", passiveTable{
		kept:   cases{"a 200": answered(GetMe, 200, testUser), "a 404": answered(NoEndpoint, 404, `{}`), "a 429": answered(Feed, 429, `{}`)},
		broken: cases{"a 500": answered(GetMe, 500, `{}`), "a 503": answered(GetMe, 503, ""), "a 599": answered(GetMe, 599, `{}`)},
	})
}

func TestNoContentEmpty(t *testing.T) {
	behind := func(raw string) func(*exchange) {
		return func(x *exchange) { x.stray = &capture{data: []byte(raw)} }
	}
	const head = "HTTP/1.1 204 No Content\r\nDate: today\r\n\r\n"
	checkPassive(t, ruleNoContent, passiveTable{
		kept: cases{
			"nothing":      answered(Logout, 204, "", behind(head)),
			"length 0":     answered(DeleteMe, 204, "", func(x *exchange) { x.answer.Set("Content-Length", "0") }),
			"no chunk":     answered(DeleteMe, 204, "", behind(head+"0\r\n\r\n")),
			"a line's end": answered(DeleteMe, 204, "", behind(head+"\r\n")),
			"interim":      answered(DeleteMe, 204, "", behind("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"+head)),
			"unknown":      answered(DeleteMe, 204, ""),
		},
		broken: cases{
			"an object":     answered(Logout, 204, "", behind(head+"{}")),
			"a chunk":       answered(Logout, 204, "", behind(head+"2\r\n{}\r\n0\r\n\r\n")),
			"after interim": answered(Logout, 204, "", behind("HTTP/1.1 100 Continue\r\n\r\n"+head+"null")),
			"a length":      answered(Logout, 204, "", func(x *exchange) { x.answer.Set("Content-Length", "2") }),
		},
		irrelevant: cases{"a 200": answered(Logout, 200, "", behind(head+"{}")), "a 404": answered(DeleteMe, 404, `{}`)},
	})
}

func TestNoSecretEcho(t *testing.T) {
	const password = `pass"word<1>`
	sent := sending(`{"password":"pass\"word<1>","user_name":"ada"}`)
	checkPassive(t, "errors.no-secret-echo", passiveTable{
		kept: cases{
			"a refusal":       answered(GetMe, 401, `{"errors":"bad token"}`),
			"the user's name": answered(CreateUser, 409, `{"errors":"ada exists"}`, sent),
			"a short app":     answered(GetMe, 401, `{"errors":"app"}`, func(x *exchange) { x.header.Set("Authorization", Basic{"app", ""}.authorization()) }),
		},
		broken: cases{
			"the app token":     answered(GetMe, 401, `{"errors":"`+testApp+` is unknown"}`),
			"the session token": answered(GetMe, 403, `{"errors":["session-token-1"]}`),
			"the password":      answered(CreateUser, 422, `{"errors":"pass\"word<1> is weak"}`, sent),
			"in other escapes":  answered(CreateUser, 422, `{"errors":"pass\"word\u003c1\u003e is weak"}`, sent),
			"as it stands":      answered(CreateUser, 500, password+" is weak", sent, typed("text/plain")),
		},
		irrelevant: cases{
			"a login":   answered(Login, 200, `{"session_token":"session-token-1"}`),
			"no body":   answered(GetMe, 401, ""),
			"a success": answered(GetMe, 200, `{"first_name":"`+testApp+`"}`),
		},
	})
}
