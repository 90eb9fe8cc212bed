package play

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// altered is a target whose answers are changed by a function.
type altered struct {
	Target
	answer func(exchange.Request, exchange.Response) exchange.Response
}

func (a altered) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	answer, err := a.Target.Do(ctx, r)
	if a.answer != nil {
		answer = a.answer(r, answer)
	}
	return answer, err
}

// TestSweep sweeps existing users: on a right target nothing is found, faults are blamed on
// their rules, and what differs only now and then is not stable.
func TestSweep(t *testing.T) {
	reads := 0
	for name, test := range map[string]struct {
		answer func(exchange.Request, exchange.Response) exchange.Response
		want   string
		stable bool
	}{
		"all is well": {},
		"terms of fewer than three characters find nobody, which they may": {func(r exchange.Request, a exchange.Response) exchange.Response {
			if q, searched := r.Query["q"]; searched && utf8.RuneCountInString(q) < 3 {
				a.Body = []any{}
			}
			return a
		}, "", true},
		"terms of more than 64 characters are refused, which they may be": {func(r exchange.Request, a exchange.Response) exchange.Response {
			if utf8.RuneCountInString(r.Query["q"]) > 64 {
				return refuse(422)
			}
			return a
		}, "", true},
		"a search without hyphens": {func(r exchange.Request, a exchange.Response) exchange.Response {
			if r.Endpoint == rules.SearchUsers && strings.Contains(r.Query["q"], "-") {
				a.Body = []any{}
			}
			return a
		}, "search.last-name", true},
		"a ninth record without an email": {func(r exchange.Request, a exchange.Response) exchange.Response {
			if r.Endpoint == rules.GetMe {
				if reads++; reads == 9 {
					a.Body = value.Fields{"id": a.Object()["id"], "user_name": a.Object()["user_name"]}
				}
			}
			return a
		}, "users.me.get", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(dialect{}, "")
			var users []reuse.User
			for _, last := range []string{"Anna-Lena", strings.Repeat("Lénа Anna ", 7), "Привет", "it's", "plain", "圖書", "ab", "é"} {
				users = append(users, reusableUser(t, f, last))
			}
			findings, _, err := NewPlayer(altered{f, test.answer}, Options{Pause: noPause}).ReadExisting(t.Context(), users, 100)
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, each := range findings {
				found += each.Rule
				if each.Stable != test.stable {
					t.Errorf("%s is stable: %v, want %v", each.Rule, each.Stable, test.stable)
				}
			}
			if found != test.want {
				t.Errorf("found is %q, want %q", found, test.want)
			}
		})
	}
}

// reusableUser creates a user to reuse, with a prefix to its email.
func reusableUser(t *testing.T, f *fake, last string, before ...string) reuse.User {
	t.Helper()
	unique := f.Unique()
	if utf8.RuneCountInString(last) > 2 { // a short name stands alone
		last += " " + unique
	}
	sent := value.Fields{"user_name": unique, "email": strings.Join(before, "") + unique + "@example.com", "password": f.Password(), "last_name": last}
	a, err := f.Do(t.Context(), exchange.Request{Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"}, Body: sent})
	if err != nil {
		t.Fatal(err)
	}
	token, _ := a.Object()["session_token"].(string)
	return reuse.User{Sent: sent, Answer: a.Object(), Session: token}
}

// TestSweepShowsWhatItFound checks that the evidence of each finding ends with the read that
// shows it.
func TestSweepShowsWhatItFound(t *testing.T) {
	f := newFake(dialect{}, "")
	users := []reuse.User{reusableUser(t, f, "Anna-Lena"), reusableUser(t, f, "it's"), reusableUser(t, f, "plain")}
	without := altered{f, func(r exchange.Request, a exchange.Response) exchange.Response {
		if r.Endpoint == rules.SearchUsers && strings.ContainsAny(r.Query["q"], "-'") {
			a.Body, a.Evidence = []any{}, "nobody"
		}
		return a
	}}
	findings, _, err := NewPlayer(without, Options{Pause: noPause}).ReadExisting(t.Context(), users, 100)
	if err != nil || len(findings) == 0 {
		t.Fatalf("%d findings, %v", len(findings), err)
	}
	for _, each := range findings {
		if n := len(each.Evidence); n == 0 || each.Evidence[n-1] != "nobody" {
			t.Errorf("%s is shown by %q", each.Rule, each.Evidence)
		}
	}
}

// TestReadExistingFindsNothingOnceEnded ends ReadExisting while it confirms a difference.
func TestReadExistingFindsNothingOnceEnded(t *testing.T) {
	f := newFake(dialect{}, "")
	users := []reuse.User{reusableUser(t, f, "Anna-Lena"), reusableUser(t, f, "plain")}
	ended := &endedBy{Target: f}
	findings, _, err := NewPlayer(ended, Options{Pause: noPause}).ReadExisting(t.Context(), users, 100)
	if !errors.Is(err, context.Canceled) || len(findings) > 0 {
		t.Errorf("%d findings, %v", len(findings), err)
	}
}

// endedBy is a target that misses users in one search for a hyphen, and then stops answering.
type endedBy struct {
	Target
	over bool
}

func (e *endedBy) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	if e.over {
		return exchange.Response{}, context.Canceled
	}
	a, err := e.Target.Do(ctx, r)
	if r.Endpoint == rules.SearchUsers && strings.Contains(r.Query["q"], "-") {
		a.Body, e.over = []any{}, true
	}
	return a, err
}
