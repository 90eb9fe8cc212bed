package store

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// highestID is the highest id that a state may have given: far more than a server can give, and far
// from where an id, in whatever form it is written, would begin anew.
const highestID ID = 1 << 48

// The years of times, which have four digits.
const firstYear, lastYear = 1, 9999

// validator looks at a state from outside.
type validator struct {
	state State
	users map[userKey]bool
}

// check reports the first thing that no store could have given away, with its place.
func (s State) check() error {
	v := validator{s, make(map[userKey]bool, len(s.Users))}
	if err := v.counters(); err != nil {
		return err
	}
	return cmp.Or(
		each("Users", s.Users, v.user),
		each("Sessions", s.Sessions, v.session(make(map[sessionKey]bool, len(s.Sessions)))),
		each("Connections", s.Connections, v.connection(make(map[string]bool, len(s.Connections)))),
		each("Events", s.Events, v.event(make(map[ID]bool, len(s.Events)))),
		each("Reserved", s.Reserved, v.reserved(make(map[ReservedName]bool, len(s.Reserved)))),
		v.order(),
	)
}

// each checks rows, and names the first wrong one.
func each[T any](list string, rows []T, check func(*T) error) error {
	for i := range rows {
		if err := check(&rows[i]); err != nil {
			return fmt.Errorf("%s[%d]: %w", list, i, err)
		}
	}
	return nil
}

func (v *validator) counters() error {
	for name, id := range map[string]ID{"LastUser": v.state.LastUser, "LastEvent": v.state.LastEvent} {
		if id > highestID {
			return fmt.Errorf("%s: %d is more than the highest id that can be given, %d", name, id, highestID)
		}
	}
	if year := v.state.Now.Year(); year < firstYear || year > lastYear {
		return fmt.Errorf("at Now: the year %d", year)
	}
	if v.state.Watch.Elapsed < 0 || v.state.Watch.At.Year() > lastYear {
		return fmt.Errorf("at Watch: a stopwatch does not show %s at %s", v.state.Watch.Elapsed, v.state.Watch.At)
	}
	return nil
}

// times checks that times are none of the future.
func (v *validator) times(times ...time.Time) error {
	for _, at := range times {
		if at.After(v.state.Now) || at.Year() < firstYear {
			return fmt.Errorf("the time %s is not before Now, %s", at.Format(time.RFC3339), v.state.Now.Format(time.RFC3339))
		}
	}
	return nil
}

func (v *validator) user(row *User) error {
	key := userKey{row.App, row.ID}
	if row.ID == 0 || row.ID > v.state.LastUser || v.users[key] {
		return fmt.Errorf("user %d is there twice, or has an id that was never given", row.ID)
	}
	v.users[key] = true
	return v.times(row.CreatedAt, row.UpdatedAt, row.LastLogin)
}

func (v *validator) session(known map[sessionKey]bool) func(*SessionRow) error {
	return func(row *SessionRow) error {
		if !v.users[userKey{row.App, row.User}] || len(row.Hash) != len(sessionKey{}.hash) {
			return fmt.Errorf("a session belongs to user %d, and there is no such user", row.User)
		}
		key := sessionKey{row.App, [32]byte(row.Hash)}
		if known[key] {
			return fmt.Errorf("a session of user %d is there twice", row.User)
		}
		known[key] = true
		if row.Opened < 0 || row.Opened > v.state.Watch.Elapsed {
			return fmt.Errorf("a session of user %d is opened at %s of a stopwatch that shows %s", row.User, row.Opened, v.state.Watch.Elapsed)
		}
		return nil
	}
}

func (v *validator) reserved(known map[ReservedName]bool) func(*ReservedName) error {
	return func(row *ReservedName) error {
		if row.UserName == "" || known[*row] {
			return fmt.Errorf("the reserved name %q is blank, or there twice", row.UserName)
		}
		known[*row] = true
		return nil
	}
}

func (v *validator) connection(known map[string]bool) func(*Connection) error {
	return func(row *Connection) error {
		if !v.users[userKey{row.App, row.From}] || !v.users[userKey{row.App, row.To}] || row.Type != Follow && row.Type != Friend {
			return fmt.Errorf("the connection from %d to %d joins no two users", row.From, row.To)
		}
		key := string(edge(row.App, row.From, row.Type, row.To))
		if known[key] {
			return fmt.Errorf("the connection from %d to %d is there twice", row.From, row.To)
		}
		known[key] = true
		return v.times(row.CreatedAt, row.UpdatedAt, row.ConfirmedAt)
	}
}

func (v *validator) event(known map[ID]bool) func(*Event) error {
	return func(row *Event) error {
		if !v.users[userKey{row.App, row.Owner}] || row.ID == 0 || row.ID > v.state.LastEvent || known[row.ID] {
			return fmt.Errorf("event %d belongs to no user, is there twice, or has an id that was never given", row.ID)
		}
		known[row.ID] = true
		return v.times(row.CreatedAt, row.UpdatedAt)
	}
}

// order checks that the times of events are in the order of their ids, which feeds go by.
func (v *validator) order() error {
	places := make([]int, len(v.state.Events))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return cmp.Compare(v.state.Events[a].ID, v.state.Events[b].ID) })
	for n := 1; n < len(places); n++ {
		before, after := &v.state.Events[places[n-1]], &v.state.Events[places[n]]
		if after.CreatedAt.Before(before.CreatedAt) {
			return fmt.Errorf("at Events[%d]: event %d was created before event %d, whose id is lower", places[n], after.ID, before.ID)
		}
	}
	return nil
}
