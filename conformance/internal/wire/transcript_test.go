package wire

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// What only reads is left out of a transcript, but for the last look at what decides before it
// changed: a target may answer as it did then.
func TestAnEarlierLookIsTold(t *testing.T) {
	const base, feed, own = "https://example.com", "/0.2/user/feed", "/0.2/user"
	began := time.Now()
	at := func(second int, method, path, user string) *Exchange {
		address, err := url.Parse(base + path)
		if err != nil {
			t.Fatal(err)
		}
		x := &Exchange{Endpoint: rules.EndpointOf(method, path), Method: method, URL: address, Header: http.Header{"Authorization": {user}}, Status: 200, RespBody: []byte(`[]`)}
		x.started = began.Add(time.Duration(second) * time.Second)
		return x
	}
	for name, test := range map[string]struct {
		before []*Exchange
		told   []int // seconds
	}{
		"none":             {[]*Exchange{at(1, "POST", "/0.2/user/events", "ann")}, []int{1, 9}},
		"one":              {[]*Exchange{at(1, "GET", feed, "ada"), at(2, "DELETE", own, "ann")}, []int{1, 2, 9}},
		"of many the last": {[]*Exchange{at(1, "GET", feed, "ada"), at(2, "PUT", own, "ann"), at(3, "GET", feed, "ada"), at(4, "GET", feed, "ada"), at(5, "DELETE", own, "ann")}, []int{2, 4, 5, 9}},
		"since the change": {[]*Exchange{at(1, "DELETE", own, "ann"), at(2, "GET", feed, "ada")}, []int{1, 9}},
		"another's":        {[]*Exchange{at(1, "GET", feed, "ann"), at(2, "DELETE", own, "ann")}, []int{2, 9}},
		"of another thing": {[]*Exchange{at(1, "GET", own, "ada"), at(2, "DELETE", own, "ann")}, []int{2, 9}},
	} {
		var transcript Transcript
		for _, x := range test.before {
			transcript.Add(x)
		}
		var told []int
		for _, step := range transcript.before(at(9, "GET", feed, "ada"), "") {
			told = append(told, int(step.started.Sub(began).Seconds()))
		}
		if !slices.Equal(told, test.told) {
			t.Errorf("%s: told are %v, want %v", name, told, test.told)
		}
	}
}

// A part of a transcript has the logins whose sessions its requests are made in, also those that are
// not among its exchanges: without them nobody could tell it.
func TestAPartHasTheLoginsOfItsSessions(t *testing.T) {
	exchange := func(method string, at rules.Endpoint, second int, pair, answer string) *Exchange {
		x := &Exchange{Endpoint: at, Method: method, URL: &url.URL{Scheme: "https", Host: "example.com", Path: at.Path()}, Status: 200,
			Header: http.Header{"Authorization": {basicOf(pair)}}, RespBody: []byte(answer)}
		x.started = x.started.Add(time.Duration(second) * time.Millisecond)
		return x
	}
	all := []*Exchange{
		exchange(http.MethodPost, rules.CreateUser, 0, "app-token:", `{"id":1,"session_token":"first-session"}`),
		exchange(http.MethodPost, rules.Login, 1, "app-token:", `{"id":1,"session_token":"second-session"}`),
		exchange(http.MethodPost, rules.Login, 2, "app-token:", `{"id":1,"session_token":"third-session"}`),
		exchange(http.MethodDelete, rules.Logout, 3, "app-token:second-session", ``),
		exchange(http.MethodGet, rules.GetMe, 4, "app-token:first-session", `{}`),
	}
	var whole Transcript
	for _, x := range all {
		whole.Add(x)
	}
	reproduction := NewRedactor("app-token", "").Reproduction(whole.Of(all[3:]), all[4], "https://example.com", "401")
	if reproduction == nil {
		t.Fatal("nothing tells it")
	}
	var told []string
	for _, step := range reproduction.Steps {
		told = append(told, step.Method+" "+result.Shown(step.User))
	}
	want := []string{"POST $APP_TOKEN:", "POST $APP_TOKEN:", "DELETE $APP_TOKEN:$SESSION_TOKEN_2", "GET $APP_TOKEN:$SESSION_TOKEN_1"}
	if !slices.Equal(told, want) {
		t.Errorf("told is %q, want %q", told, want)
	}
}

// TestBorrowedStepsComeFirst borrows users that were created before, the younger one first: whoever
// repeats the steps creates them in the order of their ids, and waits for nothing.
func TestBorrowedStepsComeFirst(t *testing.T) {
	created := func(id string, ago time.Duration) *Exchange {
		x := &Exchange{Endpoint: rules.CreateUser, Method: http.MethodPost, URL: &url.URL{Scheme: "https", Host: "example.com", Path: rules.CreateUser.Path()}, Status: 201,
			Header: http.Header{"Authorization": {basicOf("the-app-token-1:")}}, Body: []byte(`{"user_name":"` + id + `"}`), RespBody: []byte(`{"id":` + id + `}`)}
		x.started = time.Now().Add(-ago)
		return x
	}
	var transcript Transcript
	transcript.Add(created("20003", 2*time.Millisecond))
	transcript.Borrow(created("20002", 5*time.Second))
	transcript.Borrow(created("20001", 9*time.Second))
	deciding := &Exchange{Endpoint: rules.SearchUsers, Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "example.com", Path: "/0.2/users/search"}, Status: 200, RespBody: []byte(`[]`)}
	deciding.started = time.Now()
	reproduction := NewRedactor("the-app-token-1", "").Reproduction(transcript, deciding, "https://example.com", "all")
	if reproduction == nil || len(reproduction.Steps) != 4 {
		t.Fatalf("%+v", reproduction)
	}
	for i, id := range []string{"20001", "20002", "20003"} {
		if got := result.Shown(reproduction.Steps[i].Body); !strings.Contains(got, id) || reproduction.Steps[i].WaitMS > 0 {
			t.Errorf("step %d is %s after %d ms, want user %s", i+1, got, reproduction.Steps[i].WaitMS, id)
		}
	}
}

// TestWhatWasSentAtTheSameTimeIsToldSo has requests that overlap: those of one scenario were meant to,
// but not those of several, and to read at the same time changes nothing.
func TestWhatWasSentAtTheSameTimeIsToldSo(t *testing.T) {
	began := time.Now().Add(-time.Minute)
	sent := func(method string, at rules.Endpoint, from, to int, scenario string) *Exchange {
		x := &Exchange{Endpoint: at, Method: method, URL: &url.URL{Scheme: "https", Host: "example.com", Path: at.Path()}, Status: 200, Scenario: scenario,
			Header: http.Header{"Authorization": {basicOf("the-app-token-1:")}}, Took: time.Duration(to-from) * time.Millisecond}
		x.started = began.Add(time.Duration(from) * time.Millisecond)
		return x
	}
	for name, test := range map[string]struct {
		other *Exchange
		want  bool
	}{
		"beside it":                {sent(http.MethodPost, rules.CreateEvent, 5, 20, "one"), true},
		"after it":                 {sent(http.MethodPost, rules.CreateEvent, 10, 20, "one"), false},
		"beside it, by chance":     {sent(http.MethodPost, rules.CreateEvent, 5, 20, "other"), false},
		"a read, and not a change": {sent(http.MethodGet, rules.Feed, 5, 20, "one"), false},
	} {
		t.Run(name, func(t *testing.T) {
			var transcript Transcript
			transcript.Add(sent(http.MethodPost, rules.CreateEvent, 0, 10, "one"))
			transcript.Add(test.other)
			deciding := sent(http.MethodGet, rules.Feed, 30, 40, "one")
			reproduction := NewRedactor("the-app-token-1", "").Reproduction(transcript, deciding, "https://example.com", "all")
			if reproduction == nil || reproduction.HasConcurrent() != test.want {
				t.Errorf("at once: %+v, want %v", reproduction, test.want)
			}
		})
	}
}
