package rules

import (
	"net/url"
	"strings"
	"testing"
)

// TestNumbersOfNoEndpoint has numbers as a report from elsewhere may have them.
func TestNumbersOfNoEndpoint(t *testing.T) {
	for _, e := range []Endpoint{-1, NoEndpoint, Versions + 1} {
		if e.String() != "" || e.Path() != "" || e.BlockingRule() != "" || e.Expand("7") != "" {
			t.Errorf("%d: %q", int(e), e.String())
		}
	}
}

func TestEndpointOf(t *testing.T) {
	for _, tc := range []struct {
		method, path string
		want         Endpoint
	}{
		{"GET", "/0.2/users/search", SearchUsers},
		{"POST", "/0.2/users/search", NoEndpoint},
		{"GET", "/0.2/users/Search", GetUser},
		{"GET", "/0.2/users/search/follows", FollowsOf},
		{"GET", "/0.2/users/7", GetUser},
		{"GET", "/0.2/users/sear%63h", SearchUsers},
		{"POST", "/0.2/user/logi%6E", Login},
		{"GET", "/0.2/users/7/follow%73", FollowsOf},
		{"GET", "/0.2/users/a%2Fb", GetUser},
		{"GET", "/0.2/users/", NoEndpoint},
		{"GET", "/0.2/users", NoEndpoint},
		{"GET", "/0.2/users/7/", NoEndpoint},
		{"GET", "/0.2/users//follows", NoEndpoint},
		{"GET", "/0.2/users/{UserID}", GetUser},
		{"GET", "/0.2/users/7/followed", NoEndpoint},
		{"GET", "/0.2/users/7/follows", FollowsOf},
		{"GET", "/0.2/users/7/followers", FollowersOf},
		{"GET", "/0.2/users/7/friends", FriendsOf},
		{"GET", "/0.2/user/follows", MyFollows},
		{"GET", "/0.2/user/followers", MyFollowers},
		{"GET", "/0.2/user/friends", MyFriends},
		{"POST", "/0.2/user/connections/social", ConnectSocial},
		{"DELETE", "/0.2/user/connections/social", DeleteConnection},
		{"POST", "/0.2/user/connections/7", NoEndpoint},
		{"DELETE", "/0.2/user/connections/7", DeleteConnection},
		{"POST", "/0.2/user/connections", CreateConnection},
		{"POST", "/0.2/users", CreateUser},
		{"POST", "/0.2/user/login", Login},
		{"GET", "/0.2/user/login", NoEndpoint},
		{"DELETE", "/0.2/user/logout", Logout},
		{"GET", "/0.2/user", GetMe},
		{"PUT", "/0.2/user", UpdateMe},
		{"DELETE", "/0.2/user", DeleteMe},
		{"PATCH", "/0.2/user", NoEndpoint},
		{"get", "/0.2/user", NoEndpoint},
		{"POST", "/0.2/user/events", CreateEvent},
		{"POST", "/0.2/users/events", NoEndpoint},
		{"PUT", "/0.2/user/events/e-1", UpdateEvent},
		{"DELETE", "/0.2/user/events/e-1", DeleteEvent},
		{"GET", "/0.2/user/events/e-1", NoEndpoint},
		{"GET", "/0.2/user/feed", Feed},
		{"GET", "/versions", Versions},
		{"GET", "/0.2/versions", NoEndpoint},
		{"GET", "/0.1/user", NoEndpoint},
		{"GET", "", NoEndpoint},
		{"", "/0.2/user", NoEndpoint},
	} {
		if got := EndpointOf(tc.method, tc.path); got != tc.want {
			t.Errorf("endpointOf(%s, %s) = %q, want %q", tc.method, tc.path, got, tc.want)
		}
	}
}

// Whatever id an endpoint's path is filled with, the path leads back to it, and
// to the same id.
func TestExpandedPathsLeadBack(t *testing.T) {
	for _, e := range Endpoints() {
		for _, id := range []string{"7", "12743631303647841", "a/b", "a b", "100%", "ü", "..", "{UserID}", "x?q=1#f"} {
			path := e.Expand(id)
			if got := EndpointOf(e.Method(), path); got != e {
				t.Errorf("%s with the id %q is %s, which leads to %q", e, id, path, got)
			}
			u, err := url.Parse("https://host" + path)
			if err != nil || u.EscapedPath() != path {
				t.Errorf("%s with the id %q is no path of a URL: %v", e, id, err)
			}
		}
	}
}

func TestParseEndpoint(t *testing.T) {
	for text, want := range map[string]Endpoint{"1": CreateUser, "#22": Versions, "7": GetUser} {
		if got, ok := ParseEndpoint(text); !ok || got != want {
			t.Errorf("parseEndpoint(%q) = %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "#", "0", "23", "-1", "seven", "7.0", "##7"} {
		if got, ok := ParseEndpoint(text); ok {
			t.Errorf("parseEndpoint(%q) = %v", text, got)
		}
	}
}

func FuzzEndpointOf(f *testing.F) {
	for _, e := range Endpoints() {
		f.Add(e.Method(), e.Path())
		f.Add(e.Method(), e.Expand("x")+"/")
	}
	f.Add("GET", "/0.2/users/%zz")
	f.Fuzz(func(t *testing.T, method, path string) {
		e := EndpointOf(method, path)
		if e == NoEndpoint {
			return
		}
		if e.Method() != method || strings.Count(e.Path(), "/") != strings.Count(path, "/") {
			t.Errorf("%s %s is taken for %s", method, path, e)
		}
	})
}
