package traffic

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// stream builds the traffic of users, each of whom has a session, one second after the other.
type stream struct {
	seen
	users, events int
}

const createdAt = "2030-01-01T00:00:00.5Z"

// join creates a user with a session that is named after it.
func (s *stream) join(name string) string {
	s.users++
	id := fmt.Sprint(s.users)
	s.as("", rules.CreateUser, 201, value.Fields{"user_name": name}, value.Fields{"id": id, "user_name": name, "created_at": createdAt, "session_token": name})
	return id
}

func (s *stream) as(session string, at rules.Endpoint, status int, sent, answer any) *Observation {
	x := s.add(at, status, sent, answer)
	x.Session, x.Changes = session, at.Method() != "GET"
	return x
}

func (s *stream) follow(who, to string) {
	from := map[string]string{"ada": "1", "bob": "2", "eve": "3"}[who]
	s.as(who, rules.CreateConnection, 201, value.Fields{"user_to_id": to, "type": "follow"}, value.Fields{"user_from_id": from, "user_to_id": to, "type": "follow"})
}

// end ends a connection by a request that is under way for so much longer.
func (s *stream) end(who, to string, status int, longer time.Duration) {
	x := s.as(who, rules.DeleteConnection, status, nil, nil)
	x.ID, x.To = to, x.To.Add(longer)
}

// post creates an event, and returns how it is shown.
func (s *stream) post(who, id string) value.Fields {
	s.events++
	event := value.Fields{"id": fmt.Sprint("e", s.events), "user_id": id, "verb": "like", "created_at": createdAt}
	s.as(who, rules.CreateEvent, 201, value.Fields{"verb": "like"}, event)
	return event
}

func (s *stream) feed(who string, events ...any) { s.as(who, rules.Feed, 200, nil, events) }

// blamed returns the rules that a follower finds broken in the stream, one after the other. It sees the exchanges
// in the order of their ends.
func (s *stream) blamed(p Presumptions) string {
	f := NewFollower(p)
	var found []string
	for _, d := range f.seeAll(s.all) {
		found = append(found, d.Rule)
	}
	return strings.Join(found, " ")
}

func (f *Follower) seeAll(all []Observation) []blame.Difference {
	for i, x := range all {
		next := x.To
		if i+1 < len(all) {
			next = all[i+1].From
		}
		f.See(x, next)
	}
	f.Finish()
	return f.Differences()
}

// TestFollower follows streams: what contradicts an earlier write is blamed on its rule, with all traffic
// seen and without; what may have another reason is not.
func TestFollower(t *testing.T) {
	for name, test := range map[string]struct {
		play      func(*stream)
		all, some string // the rules to be blamed where all traffic is seen, and where it may not be
	}{
		"a feed as it was written": {func(s *stream) {
			ada, bob := s.join("ada"), s.join("bob")
			s.follow("ada", bob)
			s.feed("ada", s.post("bob", bob))
			s.as("ada", rules.MyFollows, 200, nil, []any{value.Fields{"id": bob, "user_name": "bob"}})
			s.as("bob", rules.MyFollowers, 200, nil, []any{value.Fields{"id": ada, "user_name": "ada"}})
		}, "", ""},
		"a feed that lacks an event": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.post("bob", bob)
			s.feed("ada")
		}, "feed.follow.new-events", ""},
		"a feed after an end of a connection that was asked for before it, without an answer": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			end := s.as("ada", rules.DeleteConnection, 504, nil, nil)
			end.ID, end.Doubtful = bob, true
			s.follow("ada", bob)
			s.post("bob", bob)
			s.feed("ada")
		}, "", ""},
		"a list after an end of a friendship that was asked for before it, without an answer": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			end := s.as("bob", rules.DeleteConnection, 504, nil, nil)
			end.ID, end.Doubtful = "1", true
			s.as("ada", rules.CreateConnection, 201, value.Fields{"user_to_id": bob, "type": "friend"}, value.Fields{"user_from_id": "1", "user_to_id": bob, "type": "friend"})
			s.as("ada", rules.MyFriends, 200, nil, []any{})
		}, "", ""},
		"a feed after a connection that was asked for while a request to end it was under way": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.end("ada", bob, 204, 2*time.Second)
			s.follow("ada", bob)
			s.post("bob", bob)
			s.feed("ada")
		}, "", ""},
		"a feed after a connection that was asked for while the longer one of two requests to end it was under way": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.end("ada", bob, 204, 3*time.Second)
			s.end("ada", bob, 204, 0)
			s.follow("ada", bob)
			s.post("bob", bob)
			s.feed("ada")
		}, "", ""},
		"an update that is answered without what it sent": {func(s *stream) {
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "new"}, value.Fields{"id": "7", "user_name": "ada", "first_name": "old"})
		}, "users.me.update.applies", ""},
		"an update that is answered with nothing of what it sent": {func(s *stream) {
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "new"}, value.Fields{"id": "7", "user_name": "ada"})
		}, "users.me.update.applies", ""},
		"updates of several users that are answered without what they sent": {func(s *stream) {
			for _, id := range []string{"7", "8"} {
				s.as(id, rules.UpdateMe, 201, value.Fields{"user_name": id, "first_name": "new"}, value.Fields{"id": id, "user_name": id})
			}
		}, "users.me.update.applies", "users.me.update.applies"},
		"updates some of which are answered with what somebody else may have written": {func(s *stream) {
			for _, id := range []string{"7", "8", "9", "10", "11"} {
				first := map[bool]string{true: "new", false: "other"}[len(id) == 1]
				s.as(id, rules.UpdateMe, 201, value.Fields{"user_name": id, "first_name": "new"}, value.Fields{"id": id, "user_name": id, "first_name": first})
			}
		}, "users.me.update.applies", ""},
		"updates of one user that are answered with what another one of its devices writes": {func(s *stream) {
			for range 5 {
				s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "here"}, value.Fields{"id": "7", "user_name": "ada", "first_name": "there"})
			}
		}, "users.me.update.applies", ""},
		"an update of an event that is answered without what it sent": {func(s *stream) {
			s.post("bob", s.join("bob"))
			s.as("bob", rules.UpdateEvent, 200, value.Fields{"verb": "share", "priority": "high"}, value.Fields{"id": "e1", "user_id": "1", "verb": "like", "priority": "high"}).ID = "e1"
		}, "events.update.applies", ""},
		"updates of events that are answered without what they sent": {func(s *stream) {
			bob := s.join("bob")
			for _, id := range []string{"e1", "e2"} {
				s.post("bob", bob)
				s.as("bob", rules.UpdateEvent, 200, value.Fields{"verb": "share"}, value.Fields{"id": id, "user_id": "1", "verb": "like"}).ID = id
			}
		}, "events.update.applies", "events.update.applies"},
		"an update that is answered with what another one sent at the same time": {func(s *stream) {
			x := s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "new"}, value.Fields{"id": "7", "user_name": "ada", "first_name": "other"})
			x.To = x.To.Add(2 * time.Second)
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "other"}, value.Fields{"id": "7", "user_name": "ada", "first_name": "other"})
		}, "", ""},
		"an update that is answered as it is, and with what others wrote": {func(s *stream) {
			s.join("ada")
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "new", "metadata": value.Fields{"k": "v"}},
				value.Fields{"id": "1", "user_name": "ada", "first_name": "new", "last_name": "by another client", "metadata": value.Fields{"k": "v", "theirs": "w"}, "created_at": createdAt})
		}, "", ""},
		"a feed that lacks an earlier event": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.post("bob", bob)
			s.follow("ada", bob)
			s.feed("ada")
		}, "feed.follow.earlier-events", ""},
		"a feed of a stranger": {func(s *stream) {
			s.join("ada")
			s.feed("ada", s.post("bob", s.join("bob")))
		}, "feed.only-connected", ""},
		"a feed after the end of a connection": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			e := s.post("bob", bob)
			s.as("ada", rules.DeleteConnection, 204, nil, nil).ID = bob
			s.feed("ada", e)
		}, "feed.unfollow", ""},
		"an event that is back": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			e := s.post("bob", bob)
			s.as("bob", rules.DeleteEvent, 204, nil, nil).ID = "e1"
			s.feed("ada")
			s.feed("ada", e)
		}, "feed.event-delete", "feed.event-delete"},
		"an event of a deleted user": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			e := s.post("bob", bob)
			s.as("bob", rules.DeleteMe, 204, nil, nil)
			s.feed("ada", e)
		}, "feed.purge.followers", "feed.purge.followers"},
		"another event with the id of a deleted one, as it may": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			e := s.post("bob", bob)
			s.as("bob", rules.DeleteEvent, 204, nil, nil).ID = "e1"
			s.feed("ada", value.Merge(e, value.Fields{"created_at": "2030-02-01T00:00:00Z"}))
		}, "", ""},
		"an event of another user than its own": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.feed("ada", value.Merge(s.post("bob", bob), value.Fields{"user_id": "1"}))
		}, "feed.event-shape", "feed.event-shape"},
		"a list that lacks a user": {func(s *stream) {
			s.join("ada")
			s.follow("ada", s.join("bob"))
			s.as("ada", rules.MyFollows, 200, nil, []any{})
		}, "connections.lists.follows", ""},
		"a list that lacks a user who is deleted": {func(s *stream) {
			s.join("ada")
			s.follow("ada", s.join("bob"))
			s.as("bob", rules.DeleteMe, 204, nil, nil)
			s.as("ada", rules.MyFollows, 200, nil, []any{})
		}, "", ""},
		"a list with a user who is deleted": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.as("bob", rules.DeleteMe, 204, nil, nil)
			s.as("ada", rules.MyFollows, 200, nil, []any{value.Fields{"id": bob, "created_at": createdAt}})
		}, "connections.lists.after-user-delete", "connections.lists.after-user-delete"},
		"a list of which a part was asked for": {func(s *stream) {
			s.join("ada")
			s.follow("ada", s.join("bob"))
			s.as("ada", rules.MyFollows, 200, nil, []any{}).Partial = true
		}, "", ""},
		"a session that works after its logout": {func(s *stream) {
			ada := s.join("ada")
			s.as("", rules.Login, 200, value.Fields{"user_name": "ada"}, value.Fields{"id": ada, "session_token": "another"})
			s.as("ada", rules.Logout, 204, nil, nil)
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada"})
		}, "sessions.logout.destroys", "sessions.logout.destroys"},
		"a session that is issued again": {func(s *stream) {
			ada := s.join("ada")
			s.as("ada", rules.Logout, 204, nil, nil)
			s.as("", rules.Login, 200, value.Fields{"user_name": "ada"}, value.Fields{"id": ada, "session_token": "ada"})
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada"})
		}, "", ""},
		"a lost update": {func(s *stream) {
			ada := s.join("ada")
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "b"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "b"})
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "a"})
		}, "users.me.update.applies", ""},
		"a lost update of a user from before": {func(s *stream) {
			s.as("old", rules.UpdateMe, 201, value.Fields{"user_name": "old", "first_name": "b"}, value.Fields{"id": "77", "user_name": "old", "first_name": "b"})
			s.as("old", rules.GetMe, 200, nil, value.Fields{"id": "77", "user_name": "old", "first_name": "a"})
		}, "users.me.get", ""},
		"an update without an answer, which comes into effect late": {func(s *stream) {
			ada := s.join("ada")
			s.as("ada", rules.UpdateMe, 504, value.Fields{"user_name": "ada", "first_name": "late"}, nil).Doubtful = true
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "b"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "b"})
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "late"})
		}, "", ""},
		"a deletion without an answer": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.post("bob", bob)
			x := s.as("bob", rules.DeleteEvent, 0, nil, nil)
			x.ID, x.Doubtful = "e1", true
			s.feed("ada")
		}, "", ""},
		"a feed while an event is created": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.post("bob", bob)
			s.all[len(s.all)-1].To = s.now.Add(5 * time.Second)
			s.feed("ada")
		}, "", ""},
		"an event that was not created": {func(s *stream) {
			bob := s.join("bob")
			s.post("bob", bob)
			s.as("bob", rules.UpdateEvent, 404, value.Fields{"verb": "see"}, value.Fields{}).ID = "e1"
		}, "events.update.status", ""},
		"something that the contract does not tell": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.post("bob", bob)
			s.as("bob", rules.NoEndpoint, 200, nil, nil).Changes = true
			s.feed("ada")
			s.as("ada", rules.GetUser, 404, nil, nil).ID = bob
		}, "", ""},
		"a user who is not active": {func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.post("bob", bob)
			s.as("bob", rules.UpdateMe, 201, value.Fields{"user_name": "bob", "activated": "false"}, value.Fields{"id": bob, "user_name": "bob", "activated": false})
			s.feed("ada")
		}, "", ""},
		"a connection that somebody from before ended in an unknown session": {func(s *stream) {
			s.as("", rules.Login, 200, value.Fields{"user_name": "old"}, value.Fields{"id": "77", "session_token": "old"})
			bob := s.join("bob")
			s.as("old", rules.CreateConnection, 201, value.Fields{"user_to_id": bob, "type": "follow"}, value.Fields{"user_from_id": "77", "user_to_id": bob, "type": "follow"})
			s.as("older", rules.DeleteConnection, 204, nil, nil).ID = bob
			s.as("bob", rules.MyFollowers, 200, nil, []any{})
		}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stream{seen: seen{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}}
			test.play(s)
			if blamed := s.blamed(Presumptions{AllTraffic: true, Remembered: 100}); blamed != test.all {
				t.Errorf("where all traffic is seen, blamed is %q, want %q", blamed, test.all)
			}
			if blamed := s.blamed(Presumptions{Remembered: 100}); blamed != test.some {
				t.Errorf("where it may not be, blamed is %q, want %q", blamed, test.some)
			}
			atOnce := []string{"", "feed.event-shape", "users.me.update.applies", "events.update.applies"} // answers to writes do not lag
			if blamed := s.blamed(Presumptions{AllTraffic: true, Settle: time.Hour, Remembered: 100}); !slices.Contains(atOnce, blamed) {
				t.Errorf("before anything has settled, blamed is %q", blamed)
			}
		})
	}
}

// TestWhatIsForgottenIsNotBlamed has a follower that remembers little follow many users: what it knows is
// bounded, and nothing that it has forgotten is judged.
func TestWhatIsForgottenIsNotBlamed(t *testing.T) {
	const users, remembered = 2000, 20
	s := &stream{seen: seen{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}}
	first := s.join("u0")
	s.post("u0", first)
	for i := 1; i < users; i++ {
		name := fmt.Sprint("u", i)
		id := s.join(name)
		s.as(name, rules.CreateConnection, 201, value.Fields{"user_to_id": first, "type": "follow"}, value.Fields{"user_from_id": id, "user_to_id": first, "type": "follow"})
		s.post(name, id)
	}
	s.as("u0", rules.MyFollowers, 200, nil, []any{})
	s.as("u1", rules.Feed, 200, nil, []any{})
	s.as("u1", rules.GetMe, 200, nil, value.Fields{"id": "2", "user_name": "other"})
	f := NewFollower(Presumptions{AllTraffic: true, Remembered: remembered})
	if found := f.seeAll(s.all); len(found) > 0 {
		t.Errorf("blamed is %v", found)
	}
	if n := f.facts.people.Len() + f.facts.events.Len() + f.facts.sessions.Len() + len(f.written.resources); n > 4*remembered {
		t.Errorf("%d users, events and sessions are remembered", n)
	}
}
