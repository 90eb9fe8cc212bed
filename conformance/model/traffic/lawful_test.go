package traffic

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestLawfulTrafficIsNotBlamed follows what other devices, intermediaries and servers may lawfully do.
func TestLawfulTrafficIsNotBlamed(t *testing.T) {
	const uuid, upper = "6f9619ff-8b86-4011-b42d-00c04fc964ff", "6F9619FF-8B86-4011-B42D-00C04FC964FF"
	for name, play := range map[string]func(*stream){
		"a deletion in a session whose login had no whole answer here": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.as("", rules.Login, 0, value.Fields{"user_name": "bob"}, nil).Doubtful = true
			s.as("unread", rules.DeleteMe, 204, nil, nil)
			s.as("ada", rules.GetUser, 404, nil, nil).ID = bob
		},
		"an update without an answer in a session whose login could not be read": func(s *stream) {
			ada := s.join("ada")
			s.as("", rules.Login, 200, value.Fields{"user_name": "ada"}, nil).Doubtful = true
			s.as("unread", rules.UpdateMe, 504, value.Fields{"user_name": "ada", "first_name": "late"}, nil).Doubtful = true
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "late"})
		},
		"a connection that ends in a session whose user's creation could not be read": func(s *stream) {
			s.as("", rules.CreateUser, 0, value.Fields{"user_name": "old"}, nil).Doubtful = true
			ada, bob := s.join("ada"), s.join("bob")
			s.follow("ada", bob)
			s.as("", rules.Login, 0, value.Fields{"user_name": "ada"}, nil).Doubtful = true
			s.as("unread", rules.DeleteConnection, 204, nil, nil).ID = bob
			s.as("bob", rules.MyFollowers, 200, nil, []any{})
			s.as("ada", rules.GetUser, 200, nil, value.Fields{"id": ada, "user_name": "ada"}).ID = ada
		},
		"an event that is deleted by its id in upper case": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.as("bob", rules.CreateEvent, 201, value.Fields{"verb": "like"}, value.Fields{"id": uuid, "user_id": bob, "verb": "like", "created_at": createdAt})
			s.as("bob", rules.DeleteEvent, 204, nil, nil).ID = upper
			s.feed("ada")
		},
		"a connection to an id in upper case, and its end": func(s *stream) {
			s.join("ada")
			s.as("", rules.CreateUser, 201, value.Fields{"user_name": "bob"}, value.Fields{"id": uuid, "user_name": "bob", "created_at": createdAt, "session_token": "bob"})
			s.as("ada", rules.CreateConnection, 201, value.Fields{"user_to_id": upper, "type": "follow"}, value.Fields{"user_from_id": "1", "user_to_id": uuid, "type": "follow"})
			s.feed("ada", s.post("bob", uuid))
			s.as("ada", rules.MyFollows, 200, nil, []any{value.Fields{"id": uuid, "user_name": "bob"}})
			s.as("ada", rules.DeleteConnection, 204, nil, nil).ID = upper
			s.feed("ada")
			s.as("ada", rules.GetUser, 200, nil, value.Fields{"id": uuid, "user_name": "bob"}).ID = upper
		},
		"a number with leading zeros for an id": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.as("bob", rules.CreateEvent, 201, value.Fields{"verb": "like"}, value.Fields{"id": json.Number("17"), "user_id": bob, "verb": "like", "created_at": createdAt})
			s.as("bob", rules.DeleteEvent, 204, nil, nil).ID = "0017"
			s.feed("ada")
		},
		"a connection whose request could not be read": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.as("ada", rules.CreateConnection, 201, nil, value.Fields{"user_from_id": "1", "user_to_id": bob, "type": "follow"})
			s.feed("ada", s.post("bob", bob))
		},
		"a connection whose request could not be read, and whose answer does not tell": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.as("ada", rules.CreateConnection, 201, nil, value.Fields{"type": "follow"})
			s.feed("ada", s.post("bob", bob))
		},
		"an update that is under way while a deletion fails and another update succeeds": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			event := s.post("bob", bob)
			long := s.as("bob", rules.UpdateEvent, 200, value.Fields{"verb": "long"}, value.Merge(event, value.Fields{"verb": "long"}))
			long.ID, long.To = "e1", long.To.Add(5*time.Second)
			end := s.as("bob", rules.DeleteEvent, 0, nil, nil)
			end.ID, end.Doubtful = "e1", true
			s.as("bob", rules.UpdateEvent, 200, value.Fields{"verb": "see"}, value.Merge(event, value.Fields{"verb": "see"})).ID = "e1"
			s.now = s.now.Add(10 * time.Second)
			s.feed("ada", value.Merge(event, value.Fields{"verb": "long"}))
		},
		"an update of a user that is under way while a deletion fails and another update succeeds": func(s *stream) {
			ada := s.join("ada")
			long := s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "long"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "long"})
			long.To = long.To.Add(5 * time.Second)
			s.as("ada", rules.DeleteMe, 0, nil, nil).Doubtful = true
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "a"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "a"})
			s.now = s.now.Add(10 * time.Second)
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "long"})
		},
		"an update whose request could not be read": func(s *stream) {
			ada := s.join("ada")
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "before"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "before"})
			s.as("ada", rules.UpdateMe, 201, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "by a form"}).Unread = true
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "by a form"})
		},
		"an update of a field whose name a server takes in upper case": func(s *stream) {
			ada := s.join("ada")
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "first_name": "before"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "before"})
			s.as("ada", rules.UpdateMe, 201, value.Fields{"user_name": "ada", "First_Name": "a"}, value.Fields{"id": ada, "user_name": "ada", "first_name": "a"})
			s.as("ada", rules.GetMe, 200, nil, value.Fields{"id": ada, "user_name": "ada", "first_name": "a"})
		},
		"another event with the id and the second of one that was deleted within it": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			short := value.Fields{"id": "9", "user_id": bob, "verb": "like", "created_at": "2030-01-01T00:00:00Z"}
			s.as("bob", rules.CreateEvent, 201, value.Fields{"verb": "like"}, short)
			x := s.as("bob", rules.DeleteEvent, 204, nil, nil)
			x.ID, x.From, x.To = "9", s.all[len(s.all)-2].To.Add(time.Millisecond), s.all[len(s.all)-2].To.Add(2*time.Millisecond)
			s.as("bob", rules.CreateEvent, 504, value.Fields{"verb": "like"}, nil).Doubtful = true
			s.feed("ada", short)
		},
		"another user with the id and the second of one that was deleted within it": func(s *stream) {
			s.join("ada")
			created := value.Fields{"id": "9", "user_name": "bob", "created_at": "2030-01-01T00:00:00Z"}
			s.as("", rules.CreateUser, 201, value.Fields{"user_name": "bob"}, value.Merge(created, value.Fields{"session_token": "bob"}))
			x := s.as("bob", rules.DeleteMe, 204, nil, nil)
			x.From, x.To = s.all[len(s.all)-2].To.Add(time.Millisecond), s.all[len(s.all)-2].To.Add(2*time.Millisecond)
			s.as("", rules.CreateUser, 504, value.Fields{"user_name": "bob"}, nil).Doubtful = true
			s.as("ada", rules.GetUser, 200, nil, created).ID = "9"
		},
		"events that an intermediary created twice push one out of a feed": func(s *stream) {
			s.join("ada")
			bob := s.join("bob")
			s.follow("ada", bob)
			s.post("bob", bob)
			var shown []any
			for range 12 {
				event := s.post("bob", bob)
				shown = append(shown, event, value.Merge(event, value.Fields{"id": "again" + event["id"].(string)}))
			}
			shown = shown[4:] // it has the latest 20 alone, and does not show older ones again
			s.feed("ada", shown...)
			for i := range 5 {
				s.as("bob", rules.DeleteEvent, 204, nil, nil).ID = fmt.Sprint("e", 13-i)
			}
			s.feed("ada", slices.DeleteFunc(shown, func(event any) bool {
				id, _ := event.(value.Fields)["id"].(string)
				return slices.Contains([]string{"e9", "e10", "e11", "e12", "e13"}, id)
			})...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, all := range []bool{true, false} {
				s := &stream{seen: seen{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}}
				play(s)
				if blamed := s.blamed(Presumptions{AllTraffic: all, Remembered: 100}); blamed != "" {
					t.Errorf("with all traffic %v, blamed is %q", all, blamed)
				}
			}
		})
	}
}
