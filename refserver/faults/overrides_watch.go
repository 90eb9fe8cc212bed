package faults

import "github.com/socialfeed/conform/refserver/store"

// onConnect tells of every connection that is asked for.
func (s *overrides) onConnect(did func(app store.App, from, to store.ID, typ store.ConnectionType)) {
	connect := s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := connect(app, from, to, typ)
		if err == nil {
			did(app, from, to, typ)
		}
		return made, isNew, err
	}
}

// onCreateEvent tells of every event that is created.
func (s *overrides) onCreateEvent(did func(event store.Event)) {
	create := s.createEvent
	s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
		event, err := create(app, owner, event)
		if err == nil {
			did(event)
		}
		return event, err
	}
}

// onDisconnect tells of every connection that is ended.
func (s *overrides) onDisconnect(did func(app store.App, from, to store.ID)) {
	disconnect := s.disconnect
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		err := disconnect(app, from, to, types...)
		if err == nil {
			did(app, from, to)
		}
		return err
	}
}

// onLogout tells of every session that is logged out.
func (s *overrides) onLogout(did func(app store.App, user store.ID, token string)) {
	closeSession := s.closeSession
	s.closeSession = func(app store.App, token string) error {
		if user, err := s.Store.Session(app, token); err == nil {
			did(app, user, token)
		}
		return closeSession(app, token)
	}
}

// onLogin tells of every session that is opened.
func (s *overrides) onLogin(did func(app store.App, user store.ID, token string)) {
	openSession := s.openSession
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		token, user, err := openSession(app, id, verified)
		if err == nil {
			did(app, id, token)
		}
		return token, user, err
	}
}

// onCreateUser tells of every user that is created.
func (s *overrides) onCreateUser(did func(user store.User)) {
	create := s.createUser
	s.createUser = func(app store.App, user store.User) (store.User, error) {
		user, err := create(app, user)
		if err == nil {
			did(user)
		}
		return user, err
	}
}

// onUpdateUser tells of every user that is updated, as it was before and as it is.
func (s *overrides) onUpdateUser(did func(before, after store.User)) {
	update := s.updateUser
	s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
		before := store.User{}
		after, err := update(app, id, func(user *store.User) {
			before = *user
			change(user)
		})
		if err == nil {
			did(before, after)
		}
		return after, err
	}
}

// onDeleteUser tells of every user that is deleted, as it was.
func (s *overrides) onDeleteUser(did func(user store.User)) {
	remove := s.deleteUser
	s.deleteUser = func(app store.App, id store.ID) error {
		user, missing := s.Store.User(app, id)
		err := remove(app, id)
		if missing == nil && err == nil {
			did(user)
		}
		return err
	}
}

// onUpdateEvent tells of every event that is changed.
func (s *overrides) onUpdateEvent(did func(event store.Event)) {
	update := s.updateEvent
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		event, err := update(app, owner, id, change)
		if err == nil {
			did(event)
		}
		return event, err
	}
}

// onDeleteEvent tells of every event that is deleted.
func (s *overrides) onDeleteEvent(did func(app store.App, owner, id store.ID)) {
	remove := s.deleteEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		err := remove(app, owner, id)
		if err == nil {
			did(app, owner, id)
		}
		return err
	}
}
