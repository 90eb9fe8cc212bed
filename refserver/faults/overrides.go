package faults

import (
	"errors"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// overrides is a store with methods replaced; those that no fault replaces are
// those of the store that works.
type overrides struct {
	refserver.Store
	journal       *journal
	atomically    func(f func() error) error
	createUser    func(app store.App, user store.User) (store.User, error)
	user          func(app store.App, id store.ID) (store.User, error)
	identify      func(app store.App, userName, email string, password []byte) (store.User, error)
	updateUser    func(app store.App, id store.ID, change func(*store.User)) (store.User, error)
	deleteUser    func(app store.App, id store.ID) error
	search        func(app store.App, term string) ([]store.User, error)
	openSession   func(app store.App, id store.ID, verified []byte) (string, store.User, error)
	session       func(app store.App, token string) (store.ID, error)
	closeSession  func(app store.App, token string) error
	connect       func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error)
	connectSocial func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error
	disconnect    func(app store.App, from, to store.ID, types ...store.ConnectionType) error
	follows       members
	followers     members
	friends       members
	createEvent   func(app store.App, owner store.ID, event store.Event) (store.Event, error)
	updateEvent   func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error)
	deleteEvent   func(app store.App, owner, id store.ID) error
	feed          func(app store.App, id store.ID) ([]store.Event, error)
}

// members lists users.
type members func(app store.App, id store.ID) ([]store.User, error)

// wrapStore puts a wrapper between the handlers and the store.
func wrapStore(wrap func(refserver.Store) refserver.Store) mutation {
	return func(o *refserver.Options) { o.WrapStore = wrap }
}

// overrideStore replaces methods of the store; inner is the one that works.
func overrideStore(replace func(inner refserver.Store, s *overrides)) mutation {
	return wrapStore(func(inner refserver.Store) refserver.Store {
		s := &overrides{
			Store: inner, journal: newJournal(), atomically: inner.Atomically, createUser: inner.CreateUser, user: inner.User, identify: inner.Identify,
			updateUser: inner.UpdateUser, deleteUser: inner.DeleteUser, search: inner.Search,
			openSession: inner.OpenSession, session: inner.Session, closeSession: inner.CloseSession,
			connect: inner.Connect, connectSocial: inner.ConnectSocial, disconnect: inner.Disconnect,
			follows: inner.Follows, followers: inner.Followers, friends: inner.Friends,
			createEvent: inner.CreateEvent, updateEvent: inner.UpdateEvent, deleteEvent: inner.DeleteEvent, feed: inner.Feed,
		}
		s.journal.watch(s)
		replace(inner, s)
		return s
	})
}

func (s *overrides) Atomically(f func() error) error { return s.atomically(f) }

func (s *overrides) CreateUser(app store.App, user store.User) (store.User, error) {
	return s.createUser(app, user)
}

func (s *overrides) User(app store.App, id store.ID) (store.User, error) { return s.user(app, id) }

func (s *overrides) Identify(app store.App, userName, email string, password []byte) (store.User, error) {
	return s.identify(app, userName, email, password)
}

func (s *overrides) UpdateUser(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
	return s.updateUser(app, id, change)
}

func (s *overrides) DeleteUser(app store.App, id store.ID) error { return s.deleteUser(app, id) }

func (s *overrides) Search(app store.App, term string) ([]store.User, error) {
	return s.search(app, term)
}

func (s *overrides) OpenSession(app store.App, id store.ID, verified []byte) (string, store.User, error) {
	return s.openSession(app, id, verified)
}

func (s *overrides) Session(app store.App, token string) (store.ID, error) {
	return s.session(app, token)
}

func (s *overrides) CloseSession(app store.App, token string) error {
	return s.closeSession(app, token)
}

func (s *overrides) Connect(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
	return s.connect(app, from, to, typ)
}

func (s *overrides) ConnectSocial(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
	return s.connectSocial(app, from, platform, ids, typ)
}

func (s *overrides) Disconnect(app store.App, from, to store.ID, types ...store.ConnectionType) error {
	return s.disconnect(app, from, to, types...)
}

func (s *overrides) Follows(app store.App, id store.ID) ([]store.User, error) {
	return s.follows(app, id)
}

func (s *overrides) Followers(app store.App, id store.ID) ([]store.User, error) {
	return s.followers(app, id)
}

func (s *overrides) Friends(app store.App, id store.ID) ([]store.User, error) {
	return s.friends(app, id)
}

func (s *overrides) CreateEvent(app store.App, owner store.ID, event store.Event) (store.Event, error) {
	return s.createEvent(app, owner, event)
}

func (s *overrides) UpdateEvent(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
	return s.updateEvent(app, owner, id, change)
}

func (s *overrides) DeleteEvent(app store.App, owner, id store.ID) error {
	return s.deleteEvent(app, owner, id)
}

func (s *overrides) Feed(app store.App, id store.ID) ([]store.Event, error) { return s.feed(app, id) }

// idsOf are the ids of the users on a list; none where it cannot be read.
func idsOf(list members, app store.App, id store.ID) []store.ID {
	users, err := list(app, id)
	if err != nil {
		return nil
	}
	ids := make([]store.ID, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	return ids
}

// among reports whether a user's list has another user.
func among(list members, app store.App, user, other store.ID) bool {
	return slices.Contains(idsOf(list, app, user), other)
}

// filter leaves users out of a list.
func filter(list *members, out func(app store.App, id store.ID, user store.User) bool) {
	listed := *list
	*list = func(app store.App, id store.ID) ([]store.User, error) {
		users, err := listed(app, id)
		return slices.DeleteFunc(users, func(user store.User) bool { return out(app, id, user) }), err
	}
}

// extend adds users to a list that are not on it.
func extend(list *members, more members) {
	listed := *list
	*list = func(app store.App, id store.ID) ([]store.User, error) {
		users, err := listed(app, id)
		further, cause := more(app, id)
		for _, user := range further {
			if !slices.ContainsFunc(users, func(u store.User) bool { return u.ID == user.ID }) {
				users = append(users, user)
			}
		}
		return users, errors.Join(err, cause)
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
