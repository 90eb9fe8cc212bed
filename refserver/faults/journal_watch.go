package faults

import (
	"bytes"
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// watch has the journal of a server keep whatever its store does from now on.
func (j *journal) watch(s *overrides) {
	j.watchUsers(s)
	j.watchSessions(s)
	j.watchConnections(s)
	j.watchEvents(s)
}

func (j *journal) watchUsers(s *overrides) {
	inner := s.Store
	s.createUser = func(app App, user User) (User, error) {
		made, err := inner.CreateUser(app, user)
		if err == nil {
			j.write(app, act{by: made.ID, text: made.UserName, user: made}, created)
		}
		return made, err
	}
	s.updateUser = func(app App, id ID, change func(*User)) (User, error) {
		was := User{}
		user, err := inner.UpdateUser(app, id, func(user *User) {
			was = *user
			change(user)
		})
		if err != nil {
			return user, err
		}
		entry := act{at: user.UpdatedAt, by: id, was: was, user: user}
		j.write(app, entry, updated)
		if was.UserName != user.UserName {
			entry.text = was.UserName
			j.write(app, entry, renamed)
		}
		if was.Email != user.Email {
			entry.text = was.Email
			j.write(app, entry, newEmail)
		}
		if !bytes.Equal(was.Password, user.Password) {
			entry.text = ""
			j.write(app, entry, newPassword)
		}
		return user, nil
	}
	s.deleteUser = func(app App, id ID) error {
		user, missing := inner.User(app, id)
		entry := act{by: id, text: user.UserName, user: user, follows: idsOf(inner.Follows, app, id), followers: idsOf(inner.Followers, app, id),
			friends: idsOf(inner.Friends, app, id), events: j.standing(app, func(event Event) bool { return event.Owner == id })}
		err := inner.DeleteUser(app, id)
		if err == nil && missing == nil {
			j.write(app, entry, deleted)
		}
		return err
	}
}

func (j *journal) watchSessions(s *overrides) {
	inner := s.Store
	s.openSession = func(app App, id ID, verified []byte) (string, User, error) {
		was, _ := inner.User(app, id)
		token, user, err := inner.OpenSession(app, id, verified)
		if err == nil {
			j.write(app, act{by: id, text: token, was: was, user: user}, loggedIn)
		}
		return token, user, err
	}
	s.session = func(app App, token string) (ID, error) {
		id, err := inner.Session(app, token)
		if err == nil && newest(j.at(place{app: app, did: usedSession, by: id}, 0)).text != token {
			j.write(app, act{by: id, text: token}, usedSession)
		}
		return id, err
	}
	s.closeSession = func(app App, token string) error {
		id, missing := inner.Session(app, token)
		err := inner.CloseSession(app, token)
		if missing == nil && err == nil {
			j.write(app, act{by: id, text: token}, loggedOut)
		}
		return err
	}
}

func (j *journal) watchConnections(s *overrides) {
	inner := s.Store
	s.connect = func(app App, from, to ID, typ store.ConnectionType) (store.Connection, bool, error) {
		before := act{by: from, to: to, follows: idsOf(inner.Follows, app, from), followers: idsOf(inner.Followers, app, to), friends: idsOf(inner.Friends, app, from)}
		made, isNew, err := inner.Connect(app, from, to, typ)
		if err == nil {
			j.write(app, before, map[store.ConnectionType]did{store.Follow: followed, store.Friend: befriended}[typ], connected)
		}
		return made, isNew, err
	}
	s.connectSocial = func(app App, from ID, platform string, ids []string, typ store.ConnectionType) error {
		var found []ID
		cause := eachBearer(inner, app, platform, ids, func(bearer ID) error { found = append(found, bearer); return nil })
		err := inner.ConnectSocial(app, from, platform, ids, typ)
		for _, bearer := range found {
			if cause == nil && err == nil {
				j.write(app, act{by: from, to: bearer, text: string(typ)}, contacted)
			}
		}
		return err
	}
	s.disconnect = func(app App, from, to ID, types ...store.ConnectionType) error {
		before := act{by: from, to: to, follows: idsOf(inner.Follows, app, from), followers: idsOf(inner.Followers, app, from), friends: idsOf(inner.Friends, app, from)}
		words := []did{ended}
		before.events = ownedBy(inner, app, from, to)
		err := inner.Disconnect(app, from, to, types...)
		if slices.Contains(before.follows, to) && !among(inner.Follows, app, from, to) {
			words = append(words, unfollowed)
		}
		if slices.Contains(before.friends, to) && !among(inner.Friends, app, from, to) {
			words = append(words, unfriended)
		}
		if err == nil {
			j.write(app, before, words...)
		}
		return err
	}
}

func (j *journal) watchEvents(s *overrides) {
	inner := s.Store
	s.createEvent = func(app App, owner ID, event Event) (Event, error) {
		event, err := inner.CreateEvent(app, owner, event)
		if err == nil {
			j.write(app, act{at: event.CreatedAt, by: owner, to: event.ID, event: event, followers: idsOf(inner.Followers, app, owner)}, posted)
		}
		return event, err
	}
	s.updateEvent = func(app App, owner, id ID, change func(*Event)) (Event, error) {
		old := Event{}
		event, err := inner.UpdateEvent(app, owner, id, func(event *Event) {
			old = *event
			change(event)
		})
		if err != nil {
			j.write(app, act{by: owner, to: id}, triedChange)
			return event, err
		}
		j.write(app, act{at: event.UpdatedAt, by: owner, to: id, old: old, event: event}, changed)
		return event, err
	}
	s.deleteEvent = func(app App, owner, id ID) error {
		entry := act{by: owner, to: id, followers: idsOf(inner.Followers, app, owner), friends: idsOf(inner.Friends, app, owner)}
		own := j.standing(app, func(event Event) bool { return event.Owner == owner })
		err := inner.DeleteEvent(app, owner, id)
		for _, event := range own {
			if event.ID == id {
				entry.event = event
			}
		}
		word := removed
		if entry.events = own; err != nil {
			word = triedRemove
		}
		j.write(app, entry, word)
		return err
	}
}
