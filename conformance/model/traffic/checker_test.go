package traffic

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// seen builds observations, each one second after the one before.
type seen struct {
	all []Observation
	now time.Time
}

func (s *seen) add(at rules.Endpoint, status int, sent, answer any) *Observation {
	s.now = s.now.Add(time.Second)
	s.all = append(s.all, Observation{Endpoint: at, App: "app", Session: "token", Sent: sent,
		Response: exchange.Response{Status: status, Body: answer, Evidence: len(s.all)}, From: s.now, To: s.now.Add(time.Millisecond)})
	return &s.all[len(s.all)-1]
}

// login adds a login by one field, as the contract asks for it.
func (s *seen) login(status int, field, v, password string) *Observation {
	x := s.add(rules.Login, status, value.Fields{field: v, "password": password}, value.Fields{"id": "7"})
	x.Session, x.Usual = "", true
	return x
}

// TestChecker has a Checker observe scenarios: what is shown otherwise than it was written is
// blamed on its rule, and lawful behaviour is not blamed.
func TestChecker(t *testing.T) {
	user := func(further value.Fields) value.Fields {
		return value.Merge(value.Fields{"id": json.Number("7"), "user_name": "a"}, further)
	}
	event := func(further value.Fields) value.Fields {
		return value.Merge(value.Fields{"id": "9", "verb": "like"}, further)
	}
	created := func(s *seen, fields value.Fields) {
		s.add(rules.CreateUser, 201, value.Merge(value.Fields{"user_name": "a"}, fields), user(value.Merge(fields, value.Fields{"session_token": "token"})))
	}
	for name, test := range map[string]struct {
		play func(*seen)
		want string // the rule to be blamed, "" for none
	}{
		"all as it was written": {func(s *seen) {
			created(s, value.Fields{"first_name": "0"})
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "0"}))
		}, ""},
		"a create that changes": {func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "first_name": "007"}, user(value.Fields{"first_name": "7"}))
		}, "users.create.echo"},
		"a create that loses what is not ASCII": {func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "first_name": "Zoé"}, user(value.Fields{"first_name": "Zo?"}))
		}, "transport.unicode-roundtrip"},
		"two updates at the same time, the first of which comes last": {func(s *seen) {
			created(s, value.Fields{"first_name": "a"})
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "b"}, user(value.Fields{"first_name": "b"})).To = s.now.Add(2 * time.Second)
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "c", "url": "d"}, user(value.Fields{"first_name": "b", "url": "d"}))
			s.now = s.now.Add(time.Minute)
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "b"}))
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "last_name": "e"}, user(value.Fields{"first_name": "b", "last_name": "e"}))
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "b", "last_name": "e"}))
		}, ""},
		"an update after two at the same time that is not shown": {func(s *seen) {
			created(s, nil)
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "b"}, user(value.Fields{"first_name": "b"})).To = s.now.Add(2 * time.Second)
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "c"}, user(value.Fields{"first_name": "c"}))
			s.now = s.now.Add(time.Minute)
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "d"}, user(value.Fields{"first_name": "d"}))
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "b"}))
		}, "users.me.update.applies"},
		"a record that changes": {func(s *seen) {
			created(s, value.Fields{"first_name": "it's"})
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "it''s"}))
		}, "users.me.get"},
		"a list that shows another time of creation": {func(s *seen) {
			created(s, nil)
			s.all[0].Body = user(value.Fields{"session_token": "token", "created_at": "2026-01-02T03:04:05.123456Z"})
			s.add(rules.GetMe, 200, nil, user(value.Fields{"created_at": "2026-01-02T04:04:05.123+01:00"}))
			s.add(rules.MyFollows, 200, nil, []any{user(value.Fields{"created_at": "2026-01-02T04:04:05.123Z"})})
		}, "connections.lists.follows"},
		"an update that renews the time of creation": {func(s *seen) {
			created(s, nil)
			s.all[0].Body = user(value.Fields{"session_token": "token", "created_at": "2026-01-02T03:04:05Z"})
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a"}, user(value.Fields{"created_at": "2026-01-02T03:04:05Z"}))
			s.add(rules.GetMe, 200, nil, user(value.Fields{"created_at": "2026-01-02T03:04:09Z"}))
		}, "users.me.update.keeps-identity"},
		"an update that does nothing": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "ADA"}, user(value.Fields{"first_name": "ada"}))
		}, "users.me.update.applies"},
		"an update that adds to metadata, as it may": {func(s *seen) {
			created(s, value.Fields{"metadata": value.Fields{"a": "1"}})
			both := user(value.Fields{"metadata": value.Fields{"a": "1", "b": "2"}})
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "metadata": value.Fields{"b": "2"}}, both)
			s.add(rules.GetMe, 200, nil, both)
		}, ""},
		"an update that clears a field to what the target gives all events, as it may": {func(s *seen) {
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like"}, event(value.Fields{"id": "8", "language": "en"}))
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like", "language": "de"}, event(value.Fields{"language": "de"}))
			s.add(rules.UpdateEvent, 200, value.Fields{"verb": "watch"}, event(value.Fields{"verb": "watch", "language": "en"}))
		}, ""},
		"an update that sets what it does not send": {func(s *seen) {
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like"}, event(value.Fields{"id": "8"}))
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like", "language": "de"}, event(value.Fields{"language": "de"}))
			s.add(rules.UpdateEvent, 200, value.Fields{"verb": "watch"}, event(value.Fields{"verb": "watch", "language": "en"}))
		}, "events.update.applies"},
		"an update that clears what it does not send, as it may": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a"}, user(nil))
			s.add(rules.GetMe, 200, nil, user(nil))
		}, ""},
		"a list that lags, as it may": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "first_name": "bea"}, user(value.Fields{"first_name": "bea"}))
			s.add(rules.FollowsOf, 200, nil, []any{user(value.Fields{"first_name": "ada"})})
		}, ""},
		"a list that never was": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.FollowsOf, 200, nil, []any{user(value.Fields{"first_name": "a"})})
		}, "connections.lists.of-user"},
		"a create that keeps another value, which is then shown everywhere": {func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "first_name": "ada"}, user(value.Fields{"first_name": "Ada"}))
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "Ada"}))
			s.add(rules.FollowsOf, 200, nil, []any{user(value.Fields{"first_name": "Ada"})})
		}, "users.create.echo"},
		"a create that loses a value": {func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "first_name": "ada"}, user(nil))
			s.add(rules.GetMe, 200, nil, user(nil))
		}, "users.create.echo"},
		"a create and a list that show other values each": {func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "first_name": "ada"}, user(value.Fields{"first_name": "Ada"}))
			s.add(rules.FollowsOf, 200, nil, []any{user(value.Fields{"first_name": "ADA"})})
		}, "users.create.echoconnections.lists.of-user"},
		"a list that hides a field, as it may": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.FollowsOf, 200, nil, []any{user(nil)}).Session = "another's"
		}, ""},
		"a list that hides a field of some": {func(s *seen) {
			created(s, value.Fields{"first_name": "null"})
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "b", "first_name": "bea"}, value.Fields{"id": "8", "user_name": "b", "first_name": "bea"})
			s.add(rules.FollowsOf, 200, nil, []any{user(nil), value.Fields{"id": "8", "user_name": "b", "first_name": "bea"}}).Session = "another's"
		}, "connections.lists.of-user"},
		"an update of which nobody heard": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.UpdateMe, 0, value.Fields{"user_name": "a", "first_name": "bea"}, nil).Doubtful = true
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "bea"}))
		}, ""},
		"an update of which nobody heard, before another": {func(s *seen) {
			created(s, value.Fields{"first_name": "ada"})
			s.add(rules.UpdateMe, 0, value.Fields{"user_name": "a", "first_name": "bea"}, nil).Doubtful = true
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "a", "last_name": "x"}, user(value.Fields{"first_name": "ada", "last_name": "x"}))
			s.add(rules.GetMe, 200, nil, user(value.Fields{"first_name": "ada", "last_name": "x"}))
		}, ""},
		"text that is not composed, of which anything may become": {func(s *seen) {
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "first_name": "Zoe\u0301"}, user(value.Fields{"first_name": "Zo\u00e9"}))
		}, ""},
		"a feed without a zero": {func(s *seen) {
			sent := value.Fields{"verb": "like", "longitude": json.Number("0")}
			s.add(rules.CreateEvent, 201, sent, event(value.Fields{"longitude": json.Number("0")}))
			s.add(rules.Feed, 200, nil, []any{event(nil)})
		}, "feed.event-shape"},
		"a coordinate with fewer digits, as it may": {func(s *seen) {
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like", "latitude": json.Number("10.50")}, event(value.Fields{"latitude": json.Number("10.5")}))
		}, ""},
		"a login that is refused": {func(s *seen) {
			created(s, value.Fields{"email": "Ada@example.com", "password": "secret"})
			s.login(200, "user_name", "a", "secret")
			s.login(401, "email", "Ada@example.com", "secret")
		}, "sessions.login.email"},
		"a login as somebody else": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(200, "user_name", "a", "secret").Body = value.Fields{"id": "8"}
		}, "sessions.login.user-name"},
		"a login that is refused at first, as where copies lag": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(401, "user_name", "a", "secret")
			s.login(200, "user_name", "a", "secret")
		}, ""},
		"a login beside the deletion of its user": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(401, "user_name", "a", "secret").To = s.now.Add(2 * time.Second)
			s.add(rules.DeleteMe, 204, nil, nil)
		}, ""},
		"a login before the deletion of its user": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(401, "user_name", "a", "secret")
			s.add(rules.DeleteMe, 204, nil, nil)
		}, "sessions.login.user-name"},
		"a login beside an update of its user": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(401, "user_name", "a", "secret").To = s.now.Add(2 * time.Second)
			s.add(rules.UpdateMe, 201, value.Fields{"user_name": "b"}, user(value.Fields{"user_name": "b"}))
		}, ""},
		"a login beside a user's creation": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.all[0].To = s.now.Add(2 * time.Second)
			s.login(401, "user_name", "a", "secret")
		}, ""},
		"a login with a wrong password, and a right one after it": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(401, "user_name", "a", "Secret")
			s.login(401, "user_name", "a", "secret")
		}, ""},
		"a login in other case": {func(s *seen) {
			created(s, value.Fields{"email": "Ada@example.com", "password": "secret"})
			s.login(401, "email", "ada@example.com", "secret")
		}, ""},
		"a login labelled as something else": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(415, "user_name", "a", "secret").Usual = false
		}, ""},
		"a login of one of two with one name": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "A", "password": "other"}, value.Fields{"id": "8", "user_name": "A"})
			s.login(401, "user_name", "a", "secret")
		}, ""},
		"a login at another application": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.login(401, "user_name", "a", "secret").App = "other"
		}, ""},
		"a login of a user who is deleted": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.add(rules.DeleteMe, 204, nil, nil)
			s.login(401, "user_name", "a", "secret")
		}, ""},
		"a login after somebody, of whom nothing is known, was changed": {func(s *seen) {
			created(s, value.Fields{"password": "secret"})
			s.add(rules.UpdateMe, 401, value.Fields{"user_name": "b"}, nil).Session = "unknown"
			s.login(401, "user_name", "a", "secret")
		}, ""},
		"an object without its url, as it may": {func(s *seen) {
			s.add(rules.CreateEvent, 201, value.Fields{"verb": "like", "object": value.Fields{"id": "1", "url": "https://example.com"}}, event(value.Fields{"object": value.Fields{"id": "1"}}))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, checker := &seen{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}, NewChecker()
			test.play(s)
			if blamed := s.blamedBy(checker); blamed != test.want {
				t.Errorf("blamed is %q, want %q", blamed, test.want)
			}
		})
	}
}

// blamedBy returns the rules that a checker finds broken in what was seen, one after the other.
func (s *seen) blamedBy(checker *Checker) string {
	checker.Observe(s.all, true)
	blamed := ""
	for _, d := range checker.Differences() {
		blamed += d.Rule
	}
	return blamed
}

// TestCheckerOnManyUpdates has a Checker observe thousands of updates of one event, as the
// scenario about rate limits sends them: comparing each answer with each pair of updates would
// take minutes.
func TestCheckerOnManyUpdates(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	const updates = 4000
	s := &seen{now: time.Unix(0, 0)}
	event := func(priority string) value.Fields {
		return value.Fields{"id": "9", "verb": "like", "priority": priority}
	}
	s.add(rules.CreateEvent, 201, value.Fields{"verb": "like", "priority": "low"}, event("low"))
	for range updates {
		s.add(rules.UpdateEvent, 200, value.Fields{"verb": "like", "priority": "high"}, event("high"))
	}
	s.add(rules.UpdateEvent, 200, value.Fields{"verb": "like", "priority": "high"}, event("low"))
	checker := NewChecker()
	checker.Observe(s.all, true)
	found := checker.Differences()
	if len(found) != 1 || found[0].Rule != "events.update.applies" || found[0].Expected != `priority "high"` {
		t.Errorf("%d updates of an event, the last without effect, show %v", updates, found)
	}
}
