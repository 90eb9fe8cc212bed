package client

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestNewRefuses(t *testing.T) {
	for name, base := range map[string]string{
		"nothing": "", "no scheme": "example.com", "a path": "/x", "another scheme": "ftp://example.com", "no host": "https:///x",
		"no authority": "https:example.com", "a user": "https://me:hidden@example.com", "a query": "https://example.com?",
		"a fragment": "https://example.com#", "no URL": "https://me:hidden@exa mple.com", "a port alone": "https://:443",
	} {
		if _, err := New(Config{BaseURL: base, AppToken: testApp}); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, token := range map[string]string{"nothing": "", "a colon": "7f3a:x"} {
		if _, err := New(Config{BaseURL: "https://example.com", AppToken: token}); err == nil || strings.Contains(err.Error(), "7f3a") {
			t.Errorf("an app token with %s: %v", name, err)
		}
	}
}

func TestBaseWithPath(t *testing.T) {
	s, _ := serve(t, answer{status: 200, body: `{"id":1}`})
	for _, tail := range []string{"/api/v%2F1", "/api/v%2F1//"} {
		c, err := New(Config{BaseURL: s.URL + tail, AppToken: testApp, UserAgent: " my-app/2.0 ", HTTPClient: s.Client()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Session(testSession).Me(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range s.seen() {
		if r.uri != "/api/v%2F1/0.2/user" || r.header.Get("User-Agent") != "my-app/2.0" {
			t.Errorf("%s as %s", r.uri, r.header.Get("User-Agent"))
		}
	}
}

func TestPrivateHTTPClient(t *testing.T) {
	s, _ := serve(t, answer{status: 200, body: `[]`})
	c, err := New(Config{BaseURL: s.URL, AppToken: testApp})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseIdleConnections()
	if c.http.Timeout != time.Minute || c.http == http.DefaultClient {
		t.Error("the private client has no time-out of its own")
	}
	if _, err := c.Versions(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an unknown certificate is trusted: %v", err)
	}
}

func TestRedirects(t *testing.T) {
	s, c := serve(t, answer{status: 307, header: map[string]string{"Location": "/elsewhere"}})
	if _, err := c.Session(testSession).Me(t.Context()); err == nil || len(s.seen()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.seen()))
	}
	if s.Client().CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}
