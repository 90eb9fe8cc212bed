package store

import (
	"strings"
	"testing"
	"time"
)

// TestRestoreNamesWhatCannotBe has a whole state, and states with one defect each.
func TestRestoreNamesWhatCannotBe(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	whole := func() State {
		return State{
			Users: []User{{App: 1, ID: 1, CreatedAt: now}, {App: 1, ID: 2, CreatedAt: now}}, Sessions: []SessionRow{{App: 1, User: 1, Hash: make([]byte, 32)}},
			Connections: []Connection{{App: 1, From: 1, To: 2, Type: Follow, CreatedAt: now}},
			Events:      []Event{{App: 1, ID: 2, Owner: 2, CreatedAt: now}, {App: 1, ID: 1, Owner: 1, CreatedAt: now.Add(-time.Hour)}},
			LastUser:    2, LastEvent: 2, Now: now,
		}
	}
	for says, spoil := range map[string]func(*State){
		"":                                func(*State) {},
		"LastUser: 18446744":              func(s *State) { s.LastUser = 1<<64 - 1 },
		"LastEvent: 2814749":              func(s *State) { s.LastEvent = 1<<48 + 1 },
		"Now: the year":                   func(s *State) { s.Now = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"Users[1]: the time":              func(s *State) { s.Users[1].CreatedAt = now.Add(time.Second) },
		"Users[1]: user 1 is there twice": func(s *State) { s.Users[1].ID = 1 },
		"Sessions[0]: a session belongs to user 9": func(s *State) { s.Sessions[0].User = 9 },
		"Sessions[1]: a session of user 1":         func(s *State) { s.Sessions = append(s.Sessions, s.Sessions[0]) },
		"Connections[0]: the connection from 1":    func(s *State) { s.Connections[0].To = 9 },
		"Connections[1]: the connection from 1":    func(s *State) { s.Connections = append(s.Connections, s.Connections[0]) },
		"Connections[0]: the time":                 func(s *State) { s.Connections[0].ConfirmedAt = now.Add(time.Hour) },
		"Events[0]: the time":                      func(s *State) { s.Events[0].CreatedAt = now.Add(time.Hour) },
		"Events[1]: event 1 belongs to no user":    func(s *State) { s.Events[1].Owner = 9 },
		"Events[0]: event 2 was created before":    func(s *State) { s.Events[0].CreatedAt = now.Add(-2 * time.Hour) },
		"Events[0]: event 7 belongs to no user, ":  func(s *State) { s.Events[0].ID = 7 },
	} {
		s, err := New(Policy{}, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		state := whole()
		spoil(&state)
		if err := s.Restore(state); (says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
