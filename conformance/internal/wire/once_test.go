package wire

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// shownTwice is an exchange whose texts both the request and the command show.
func shownTwice(err error) *Exchange {
	return &Exchange{Method: "POST", URL: &url.URL{Scheme: "https", Host: "host", Path: "/0.2/user", RawQuery: "t=the-session"},
		Header: http.Header{"Authorization": {basicAuth("the-app-token", "the-session")}, "X-Probe": {"the-session"}}, Body: []byte(`{"password":"the-password"}`),
		Status: 200, RespHeader: http.Header{"Authorization": {basicAuth("the-app-token", "the-session")}, "Location": {"/the-session"}}, RespBody: []byte(`{"session_token":"the-session"}`), Err: err}
}

// A secret that stands in a variable's name tells a text that is redacted again.
func TestNoTextIsRedactedAgain(t *testing.T) {
	for _, app := range []string{"SESSION", "TOKEN", "PASSWORD"} {
		r := NewRedactor(app, "")
		r.Learn("the-session", "SESSION_TOKEN")
		r.Learn("the-password", "PASSWORD")
		for _, err := range []error{nil, errors.New("broke off behind the-session")} {
			_, shown := rendered(t, r, shownTwice(err))
			if !strings.Contains(shown, "$SESSION_TOKEN") || !strings.Contains(shown, "$PASSWORD") {
				t.Errorf("secrets are not told by their variables in %s", shown)
			}
			if strings.Contains(shown, "$$") || strings.Contains(shown, "_$") {
				t.Errorf("with the app token %s what was redacted is redacted again: %s", app, shown)
			}
		}
	}
}

func TestTextsOfAnExchangeAreCutOnce(t *testing.T) {
	c := knowing().cutting()
	cuts, cut := map[string]int{}, c.cut
	c.cut = func(s string) []piece {
		cuts[s]++
		return cut(s)
	}
	c.exchange(shownTwice(nil))
	if cuts["{\"password\":\"the-password\"}"] == 0 || cuts["the-session"] == 0 {
		t.Errorf("the texts were not cut: %v", cuts)
	}
	for text, times := range cuts {
		if times > 1 {
			t.Errorf("%q is cut %d times", text, times)
		}
	}
}

// Many exchanges are shown as each one alone is.
func TestManyExchangesAreShownAsOne(t *testing.T) {
	r := knowing()
	shown := r.Exchanges()
	for range 2 {
		for _, err := range []error{nil, errors.New("broke off behind the-session")} {
			x := shownTwice(err)
			if got, want := shown(x), r.Exchange(x); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		}
	}
}
