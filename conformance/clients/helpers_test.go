package clients

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

const (
	appToken = "app-token-0123456789"
	ada      = "session-of-ada-0123456789"
	bob      = "session-of-bob-0123456789"
	hash     = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// step is one exchange of a sequence, as a lawful client has it; options change it.
type step struct {
	*Exchange
	wait time.Duration // before it, since the answer before
}

type option func(*step)

func do(method, target, session, body string, status int, answer string, options ...option) step {
	s := step{Exchange: &Exchange{
		Conn: "c1", Serial: true, Client: "127.0.0.1", Scheme: "https", Host: "feeds.example", Method: method, Target: target,
		Header: http.Header{"User-Agent": {"feedreader/1.0"}, "Accept": {"application/json"}},
		Body:   []byte(body), BodySize: len(body), Status: status, RespHeader: http.Header{"Content-Type": {"application/json"}},
		RespBody: []byte(answer), RespSize: len(answer),
	}, wait: 200 * time.Millisecond}
	s.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(appToken+":"+session)))
	if body != "" {
		s.Header.Set("Content-Type", "application/json")
	}
	for _, o := range options {
		o(&s)
	}
	return s
}

func header(name, value string) option {
	return func(s *step) {
		s.Header.Del(name)
		if value != "" {
			s.Header.Set(name, value)
		}
	}
}

func answerHeader(name, value string) option {
	return func(s *step) { s.RespHeader.Set(name, value) }
}

func credentialsAre(pair string) option {
	return header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair)))
}

func after(d time.Duration) option { return func(s *step) { s.wait = d } }

func onConn(name string) option { return func(s *step) { s.Conn = name } }

// The steps that most sequences begin with.
func createAda(options ...option) step {
	return do("POST", "/0.2/users?withLogin=true", "", `{"user_name":"ada","password":"`+hash+`"}`, 201, `{"id":7,"session_token":"`+ada+`"}`, options...)
}

func loginAda(options ...option) step {
	return do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"`+hash+`"}`, 200, `{"id":"7","session_token":"`+ada+`"}`, options...)
}

func me(session string, options ...option) step {
	return do("GET", "/0.2/user", session, "", 200, `{"id":7}`, options...)
}

func logout(options ...option) step {
	return do("DELETE", "/0.2/user/logout", ada, "", 204, "", options...)
}

func like(status int, options ...option) step {
	return do("POST", "/0.2/user/events", ada, `{"verb":"liked"}`, status, `{"id":9}`, options...)
}

const took = 5 * time.Millisecond

// judged judges a sequence, the exchanges in the order in which they ended.
func judged(t *testing.T, o Options, steps ...step) []result.CheckResult {
	t.Helper()
	c := rules.LoadClient()
	j := New(c, o)
	at := noon
	var exchanges []*Exchange
	for i, s := range steps {
		x := *s.Exchange
		x.Number = i + 1
		x.Start = at.Add(s.wait)
		if x.End.IsZero() {
			x.End = x.Start.Add(took)
		} else {
			x.End = x.Start.Add(x.End.Sub(time.Time{}))
		}
		at = x.End
		exchanges = append(exchanges, &x)
	}
	slices.SortStableFunc(exchanges, func(a, b *Exchange) int { return a.End.Compare(b.End) })
	for _, x := range exchanges {
		j.See(x)
	}
	return j.Results("")
}

// lasting lets an answer take its time; what comes next may begin before.
func lasting(d time.Duration) option {
	return func(s *step) { s.End = time.Time{}.Add(d) }
}

func blamed(checks []result.CheckResult) []string {
	var broken []string
	for _, c := range checks {
		if c.Status == result.Fail || c.Status == result.Warn {
			broken = append(broken, strings.TrimPrefix(c.Rule, "client."))
		}
	}
	slices.Sort(broken)
	return slices.Compact(broken)
}
