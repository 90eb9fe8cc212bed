package traffic

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestReusable checks which users can be reused, and which of those by whom it does not matter what
// else there is of them.
func TestReusable(t *testing.T) {
	const not, untouched, involved = "not", "untouched", "involved"
	sent := value.Fields{"user_name": "a", "email": "a@example.com", "password": "p"}
	answer := value.Fields{"id": "7", "user_name": "a", "email": "a@example.com", "session_token": "token"}
	refused := func(s *seen) { s.add(rules.CreateEvent, 422, value.Fields{"verb": 7}, nil) }
	followed := func(s *seen) {
		s.add(rules.CreateConnection, 201, value.Fields{"user_to_id": "7", "type": "follow"}, nil).Session = "another's"
	}
	for name, test := range map[string]struct {
		after func(*seen)
		right bool // the target, in the scenario
		want  string
	}{
		"who only read":              {func(s *seen) { s.add(rules.Feed, 200, nil, []any{}) }, false, untouched},
		"who wrote":                  {func(s *seen) { s.add(rules.CreateEvent, 201, value.Fields{"verb": "like"}, value.Fields{"id": "9"}) }, true, involved},
		"who was refused":            {refused, true, untouched},
		"whose deletion was refused": {func(s *seen) { s.add(rules.DeleteMe, 401, nil, nil) }, true, not},
		"whose update was refused":   {func(s *seen) { s.add(rules.UpdateMe, 422, value.Fields{"user_name": 7}, nil) }, true, untouched},
		"who wrote, beside another's deletion": {func(s *seen) {
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like"}, value.Fields{"id": "9"})
			s.add(rules.DeleteMe, 204, nil, nil).Session = "another's"
		}, true, not},
		"who was updated":                  {func(s *seen) { s.add(rules.UpdateMe, 201, value.Fields{"user_name": "b"}, nil) }, true, not},
		"who logged out":                   {func(s *seen) { s.add(rules.Logout, 204, nil, nil) }, true, not},
		"who asked for what there is not":  {func(s *seen) { s.add(rules.NoEndpoint, 200, value.Fields{}, nil) }, true, not},
		"who was refused by a broken one":  {refused, false, not},
		"who was paced":                    {func(s *seen) { s.add(rules.CreateEvent, 429, value.Fields{"verb": "like"}, nil) }, true, involved},
		"who may have written":             {func(s *seen) { s.add(rules.CreateEvent, 0, value.Fields{"verb": "like"}, nil).Doubtful = true }, true, not},
		"who was followed":                 {followed, true, involved},
		"who was followed at a broken one": {followed, false, not},
		"who was disconnected": {func(s *seen) {
			x := s.add(rules.DeleteConnection, 204, nil, nil)
			x.Session, x.ID = "another's", "7"
		}, true, involved},
		"who may have been met by social ids": {func(s *seen) { s.add(rules.ConnectSocial, 201, value.Fields{}, value.Fields{}).Session = "another's" }, true, involved},
		"who logged in again": {func(s *seen) {
			s.add(rules.Login, 200, value.Fields{"email": "A@example.com"}, value.Fields{}).Session = ""
		}, true, not},
		"whose password was guessed":    {func(s *seen) { s.add(rules.Login, 401, value.Fields{"user_name": "a"}, nil).Session = "" }, true, not},
		"beside whom another logged in": {func(s *seen) { s.add(rules.Login, 200, value.Fields{"user_name": "b"}, value.Fields{}).Session = "" }, true, untouched},
	} {
		t.Run(name, func(t *testing.T) {
			s := &seen{}
			s.add(rules.CreateUser, 201, sent, answer).Session = ""
			test.after(s)
			got := not
			for _, a := range NewChecker().Observe(s.all, test.right) {
				got = map[bool]string{false: untouched, true: involved}[a.Involved]
			}
			if got != test.want {
				t.Errorf("reusable: %s, want %s", got, test.want)
			}
		})
	}
}

// TestEventsOfReusable checks which events a reusable user is known to have, and when there may be
// others.
func TestEventsOfReusable(t *testing.T) {
	const unknown = "unknown"
	post := func(s *seen) {
		s.add(rules.CreateEvent, 201, value.Fields{"verb": "like"}, value.Fields{"id": "9", "verb": "like"})
	}
	write := func(at rules.Endpoint, status int, session string) func(*seen) {
		return func(s *seen) {
			x := s.add(at, status, value.Fields{"verb": "new"}, value.Fields{"id": "9", "verb": "new"})
			x.ID, x.Session = "9", session
		}
	}
	for name, test := range map[string]struct {
		after []func(*seen)
		want  string // their verbs
	}{
		"none":                             {nil, ""},
		"one":                              {[]func(*seen){post}, "like"},
		"changed":                          {[]func(*seen){post, write(rules.UpdateEvent, 200, "token")}, "new"},
		"deleted":                          {[]func(*seen){post, write(rules.DeleteEvent, 204, "token")}, ""},
		"not a loss":                       {[]func(*seen){post, write(rules.DeleteEvent, 403, "another's")}, "like"},
		"deleted by another, who must not": {[]func(*seen){post, write(rules.DeleteEvent, 204, "another's")}, unknown},
		"changed by two at once": {[]func(*seen){post, write(rules.UpdateEvent, 200, "token"), func(s *seen) {
			x := s.all[len(s.all)-1]
			s.all = append(s.all, x)
		}}, unknown},
		"paced": {[]func(*seen){post, write(rules.UpdateEvent, 429, "token")}, unknown},
		"after it named an id of its own on a network": {[]func(*seen){post, func(s *seen) { s.add(rules.ConnectSocial, 201, value.Fields{}, value.Fields{}) }}, unknown},
		"beside one with the same social id": {[]func(*seen){post, func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "b", "social_ids": value.Fields{"network": "me"}}, value.Fields{"id": "8"}).Session = ""
		}}, unknown},
		"beside one with the same id elsewhere": {[]func(*seen){post, func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "b", "social_ids": value.Fields{"other": "me"}}, value.Fields{"id": "8"}).Session = ""
		}}, "like"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &seen{}
			sent := value.Fields{"user_name": "a", "email": "a@example.com", "password": "p", "social_ids": value.Fields{"network": "me"}}
			s.add(rules.CreateUser, 201, sent, value.Fields{"id": "7", "user_name": "a", "email": "a@example.com", "social_ids": value.Fields{"network": "me"}, "session_token": "token"}).Session = ""
			for _, after := range test.after {
				after(s)
			}
			all := NewChecker().Observe(s.all, true)
			if len(all) != 1 {
				t.Fatalf("%d reusable users", len(all))
			}
			got := ""
			for _, e := range all[0].Events {
				got += value.Text(e.Answer["verb"])
			}
			if !all[0].EventsKnown {
				got = unknown
			}
			if got != test.want {
				t.Errorf("events: %q, want %q", got, test.want)
			}
		})
	}
}
