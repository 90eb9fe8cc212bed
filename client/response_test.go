package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// badBody is a success that is not what the call expects.
type badBody struct {
	call func(context.Context, *Session) error
	body string
}

func badBodies() map[string]badBody {
	me := func(ctx context.Context, s *Session) error { _, err := s.Me(ctx); return err }
	follows := func(ctx context.Context, s *Session) error { _, err := s.Follows(ctx); return err }
	feed := func(ctx context.Context, s *Session) error { _, err := s.Feed(ctx); return err }
	connect := func(ctx context.Context, s *Session) error {
		_, err := s.Connect(ctx, ParseID("2"), Follow)
		return err
	}
	login := func(ctx context.Context, s *Session) error { _, err := s.client.Login(ctx, Credentials{}); return err }
	create := func(ctx context.Context, s *Session) error {
		_, _, err := s.client.CreateUserWithLogin(ctx, UserFields{})
		return err
	}
	return map[string]badBody{
		"empty":              {me, ``},
		"html":               {me, `<html>`},
		"null":               {me, `null`},
		"an array":           {me, `[]`},
		"two values":         {me, `{"id":1} {}`},
		"no id":              {me, `{"user_name":"a"}`},
		"id null":            {me, `{"id":null}`},
		"id fractional":      {me, `{"id":1.5}`},
		"time":               {me, `{"id":1,"created_at":"yesterday"}`},
		"list null":          {follows, `null`},
		"list of null":       {follows, `[null]`},
		"list object":        {follows, `{}`},
		"event without id":   {feed, `[{"verb":"like"}]`},
		"event time":         {feed, `[{"id":1,"updated_at":5}]`},
		"connection time":    {connect, `{"confirmed_at":"2014"}`},
		"no token":           {login, `{"id":"1"}`},
		"no login id":        {login, `{"session_token":"fresh-token"}`},
		"login id":           {login, `{"id":true,"session_token":"fresh-token"}`},
		"create, no token":   {create, `{"id":"1"}`},
		"create, broken one": {create, `{"id":"1","image":{},"session_token":"fresh-token"}`},
	}
}

func TestUnexpectedBodies(t *testing.T) {
	for name, tc := range badBodies() {
		t.Run(name, func(t *testing.T) {
			_, c := serve(t, answer{status: 200, body: tc.body})
			err := tc.call(t.Context(), c.Session(testSession))
			e, ok := errors.AsType[*DecodeError](err)
			if !ok {
				t.Fatalf("%T: %v", err, err)
			}
			if e.Status != 200 || e.Method == "" || e.Path == "" || string(e.Body) != tc.body || e.Err == nil {
				t.Errorf("%+v", *e)
			}
			if strings.Contains(err.Error()+e.GoString(), "fresh-token") {
				t.Errorf("%v shows a token", err)
			}
		})
	}
}

func TestDoHandsOverAnyBody(t *testing.T) {
	s, c := serve(t, answer{status: 299, body: "not JSON"})
	var raw json.RawMessage
	r := Request{Method: "PATCH", Path: "/0.3/x%2Fy", Query: url.Values{"a": {"1", "2"}}, Body: map[string]any{"new": nil}}
	if err := c.Do(t.Context(), r, &raw); err != nil || string(raw) != "not JSON" {
		t.Errorf("%s, %v", raw, err)
	}
	if err := c.Session(testSession).Do(t.Context(), r, nil); err != nil {
		t.Error(err)
	}
	for i, auth := range []string{appAuth, sessionAuth} {
		got := s.seen()[i]
		if got.method != "PATCH" || got.uri != "/0.3/x%2Fy?a=1&a=2" || got.body != `{"new":null}` || got.header.Get("Authorization") != auth {
			t.Errorf("%+v", got)
		}
	}
}

func TestDoSendsPasswords(t *testing.T) {
	s, c := serve(t, answer{status: 200})
	fields, credentials := UserFields{Password: "p"}, Credentials{Password: "p"}
	for _, body := range []any{fields, &fields, credentials, &credentials} {
		if err := c.Do(t.Context(), Request{Method: "POST", Path: "/x", Body: body}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, got := range s.seen() {
		if got.body != `{"password":"p"}` {
			t.Errorf("sent %s", got.body)
		}
	}
}

func TestRequestsThatAreNotSent(t *testing.T) {
	s, c := serve(t, answer{status: 200, body: `{"id":1}`})
	session := c.Session(testSession)
	for name, call := range map[string]func() error{
		"user without id":   func() error { _, err := session.User(t.Context(), ID{}); return err },
		"lists of no id":    func() error { _, err := session.FollowsOf(t.Context(), ID{}); return err },
		"event without id":  func() error { return session.DeleteEvent(t.Context(), ID{}) },
		"a dot segment":     func() error { return session.Disconnect(t.Context(), ParseID("..")) },
		"connect to no id":  func() error { _, err := session.Connect(t.Context(), ID{}, Follow); return err },
		"no slash":          func() error { return c.Do(t.Context(), Request{Method: "GET", Path: "@other/x"}, nil) },
		"a query":           func() error { return c.Do(t.Context(), Request{Method: "GET", Path: "/x?y"}, nil) },
		"a broken escape":   func() error { return c.Do(t.Context(), Request{Method: "GET", Path: "/%zz"}, nil) },
		"a broken method":   func() error { return c.Do(t.Context(), Request{Method: "G T", Path: "/x"}, nil) },
		"a body, not JSON":  func() error { return c.Do(t.Context(), Request{Method: "POST", Path: "/x", Body: t.Log}, nil) },
		"an escaped dot":    func() error { return c.Do(t.Context(), Request{Method: "GET", Path: "/%2e%2E/x"}, nil) },
		"a trailing slash":  func() error { return c.Do(t.Context(), Request{Method: "GET", Path: "/x/"}, nil) },
		"a cancelled start": func() error { ctx, stop := context.WithCancel(t.Context()); stop(); return session.Logout(ctx) },
	} {
		if err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if n := len(s.seen()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestResponseBound(t *testing.T) {
	s, _ := serve(t, answer{status: 200, body: `{"id":"1234"}`})
	if _, err := dial(t, s.Server, Config{MaxResponseBytes: 13}).Session(testSession).Me(t.Context()); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	_, err := dial(t, s.Server, Config{MaxResponseBytes: 12}).Session(testSession).Me(t.Context())
	if e, ok := errors.AsType[*DecodeError](err); !ok || !errors.Is(err, errTooLarge) || len(e.Body) != 12 {
		t.Errorf("beyond the bound: %v", err)
	}
	_, c := serve(t, answer{status: 500, body: strings.Repeat("x", 100<<10)})
	_, err = c.Session(testSession).Me(t.Context())
	if e, ok := errors.AsType[*Error](err); !ok || len(e.Body) != maxErrorBytes || e.Status != 500 {
		t.Errorf("an error beyond the bound: %v", err)
	}
}

// cutOff answers with the status, and less of a body than it announced.
func cutOff(t *testing.T, status int) (*Client, *atomic.Int32) {
	t.Helper()
	var count atomic.Int32
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		conn, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		if status != 0 {
			announce(buffer, status)
		}
	}))
	t.Cleanup(s.Close)
	return dial(t, s, Config{}), &count
}

func announce(w *bufio.ReadWriter, status int) {
	resp := http.Response{StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, ContentLength: 100, Body: io.NopCloser(strings.NewReader(`{"id":1}`))}
	_ = resp.Write(w) // it complains of the short body, which is the point
	_ = w.Flush()
}

func TestCutOffAnswers(t *testing.T) {
	c, _ := cutOff(t, 409)
	if _, err := c.CreateUser(t.Context(), UserFields{}); !errors.Is(err, ErrConflict) {
		t.Errorf("a status with half a body: %v", err)
	}
	c, _ = cutOff(t, 200)
	_, err := c.CreateUser(t.Context(), UserFields{})
	if _, decoded := errors.AsType[*DecodeError](err); decoded || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a success with half a body: %T %v", err, err)
	}
}

func TestTransportErrorsAreNotRepeated(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "DELETE", "GET"} {
		c, count := cutOff(t, 0)
		err := c.Do(t.Context(), Request{Method: method, Path: "/x", Query: url.Values{"q": {"ada@example.com"}}}, nil)
		u, ok := errors.AsType[*url.Error](err)
		if !ok || !strings.HasSuffix(u.URL, "/x") || strings.Contains(err.Error(), "ada") {
			t.Errorf("%s: %T %v", method, err, err)
		}
		if n := count.Load(); n != 1 {
			t.Errorf("%s: %d requests", method, n)
		}
	}
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	// A handler that returned once its client hung up would answer 200, and
	// that answer can still arrive on the connection being closed.
	returned := make(chan struct{})
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		<-returned
	}))
	t.Cleanup(s.Close)
	defer close(returned)
	if _, err := dial(t, s, Config{}).Session(testSession).Feed(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
