package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestErrorOfEveryStatus(t *testing.T) {
	statuses := map[int]error{
		400: ErrBadRequest, 401: ErrUnauthorized, 403: ErrForbidden, 404: ErrNotFound, 405: ErrMethodNotAllowed,
		406: ErrNotAcceptable, 409: ErrConflict, 415: ErrUnsupportedMediaType, 422: ErrUnprocessable,
		429: ErrTooManyRequests, 500: ErrInternal, 503: ErrUnavailable, 504: ErrGatewayTimeout, 302: nil, 599: nil,
	}
	for status, sentinel := range statuses {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			const body = `{"errors":[{"code":1,"message":"no good"},{"code":"x","message":"at all"}]}`
			s, _ := serve(t, answer{status: status, header: map[string]string{"X-Trace": "1", "Location": "/elsewhere"}, body: body})
			_, err := dial(t, s.Server, Config{MaxRetries: -1}).Session(testSession).CreateEvent(t.Context(), EventFields{Verb: "v"})
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("%T: %v", err, err)
			}
			if e.Status != status || e.Method != "POST" || e.Path != "/0.2/user/events" || e.Header.Get("X-Trace") != "1" || string(e.Body) != body {
				t.Errorf("%d %s %s %v %s", e.Status, e.Method, e.Path, e.Header, e.Body)
			}
			if e.Message != "no good; at all" {
				t.Errorf("message %q", e.Message)
			}
			for other, known := range statuses {
				if known != nil && errors.Is(err, known) != (other == status) {
					t.Errorf("errors.Is(%v, %v) is wrong", err, known)
				}
			}
			if sentinel != nil && !errors.Is(fmt.Errorf("wrapped: %w", err), sentinel) {
				t.Errorf("%v is not %v", err, sentinel)
			}
			if n := len(s.seen()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	long := strings.Repeat("é", 300)
	for name, tc := range map[string]struct{ body, want, message string }{
		"the empty object": {`{}`, `GET /0.2/user: 400 Bad Request`, ""},
		"no body":          {``, `GET /0.2/user: 400 Bad Request`, ""},
		"html":             {"<html>\n<p>no</p>", `GET /0.2/user: 400 Bad Request: "<html>\n<p>no</p>"`, ""},
		"another shape":    {`{"errors":"no"}`, `GET /0.2/user: 400 Bad Request: "{\"errors\":\"no\"}"`, ""},
		"the shape":        {`{"errors":[{"message":"no"}]}`, `GET /0.2/user: 400 Bad Request: "no"`, "no"},
		"not UTF-8":        {"\xff\xfe", `GET /0.2/user: 400 Bad Request: "\xff\xfe"`, ""},
		"long":             {long, `GET /0.2/user: 400 Bad Request: "` + strings.Repeat("é", 100) + `…"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, c := serve(t, answer{status: 400, body: tc.body})
			_, err := c.Session(testSession).Me(t.Context())
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("%T: %v", err, err)
			}
			if err.Error() != tc.want || e.Message != tc.message || string(e.Body) != tc.body {
				t.Errorf("got %s, message %q, body %q\nwant %s", err, e.Message, e.Body, tc.want)
			}
		})
	}
}

func TestErrorsNeverShowSecrets(t *testing.T) {
	quoted, err := json.Marshal(testPassword)
	if err != nil {
		t.Fatal(err)
	}
	const fields = `{"errors":[{"message":"PASS is bad for app-token-7f3a with session-token-91cc"}]}`
	for name, body := range map[string]string{
		"message":       strings.Replace(fields, "PASS", strings.Trim(string(quoted), `"`), 1),
		"json":          `{"password":` + string(quoted) + `,"s":"session-token-91cc"}`,
		"json as it is": `{"password":"pass\"word<51>","s":"session-token-91cc"}`,
		"plain":         "bad: " + testPassword + " app-token-7f3a",
		"query":         "bad: pass%22word%3C51%3E",
		"authorization": "bad: " + sessionAuth,
	} {
		t.Run(name, func(t *testing.T) {
			_, c := serve(t, answer{status: 422, body: body})
			_, err := c.Session(testSession).UpdateMe(t.Context(), UserFields{UserName: "a", Password: testPassword})
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("%T: %v", err, err)
			}
			encoded, failure := json.Marshal(err)
			if failure != nil {
				t.Fatal(failure)
			}
			shown := fmt.Sprintf("%v %+v %#v %s %s", err, err, err, e.Message, encoded)
			if !strings.Contains(shown, "[REDACTED]") {
				t.Errorf("nothing is redacted in %s", shown)
			}
			for _, part := range []string{"7f3a", "91cc", "51", "YXBwLX"} {
				if strings.Contains(shown, part) {
					t.Errorf("%s shows %s", shown, part)
				}
			}
		})
	}
}

func FuzzErrorBody(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"errors":[{"message":"a"}]}`, `{"errors":[null]}`, "\xbf\xbf", `null`, testSession,
		strings.Repeat("\x80", 400), `{"errors":[{"message":"\u0061pp-token-7f3a"}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		call := &call{Request: Request{Method: "GET", Path: "/p"}, tokens: tokens{hide(testApp), hide(testSession)}}
		e := newError(call, &http.Response{StatusCode: 400}, body)
		text := e.Error()
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n") || len(text) > 1100 {
			t.Errorf("not one short line of text: %q", text)
		}
		if strings.Contains(text+e.Message, testApp) || strings.Contains(text+e.Message, testSession) {
			t.Errorf("%q shows a token", text)
		}
		if string(e.Body) != string(body) {
			t.Error("the body changed")
		}
	})
}
