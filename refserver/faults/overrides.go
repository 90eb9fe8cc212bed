package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// overrides is a store with some methods replaced; the others are those of the working
// store.
type overrides struct {
	refserver.Store
	journal       *journal
	atomically    func(f func() error) error
	createUser    func(app App, user User) (User, error)
	user          func(app App, id ID) (User, error)
	identify      func(app App, userName, email string, password []byte) (User, error)
	updateUser    func(app App, id ID, change func(*User)) (User, error)
	deleteUser    func(app App, id ID) error
	search        func(app App, term string) ([]User, error)
	openSession   func(app App, id ID, verified []byte) (string, User, error)
	session       func(app App, token string) (ID, error)
	closeSession  func(app App, token string) error
	connect       func(app App, from, to ID, typ store.ConnectionType) (store.Connection, bool, error)
	connectSocial func(app App, from ID, platform string, ids []string, typ store.ConnectionType) error
	disconnect    func(app App, from, to ID, types ...store.ConnectionType) error
	follows       members
	followers     members
	friends       members
	createEvent   func(app App, owner ID, event Event) (Event, error)
	updateEvent   func(app App, owner, id ID, change func(*Event)) (Event, error)
	deleteEvent   func(app App, owner, id ID) error
	feed          func(app App, id ID) ([]Event, error)
}

// members lists users.
type members func(app App, id ID) ([]User, error)

// wrapStore puts a wrapper between the handlers and the store.
func wrapStore(wrap func(refserver.Store) refserver.Store) mutation {
	return func(o *refserver.Options) {
		inner := o.WrapStore
		o.WrapStore = func(store refserver.Store) refserver.Store {
			if inner != nil {
				store = inner(store)
			}
			return wrap(store)
		}
	}
}

// overrideStore replaces methods of the store; inner is the working one.
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

func (s *overrides) CreateUser(app App, user User) (User, error) { return s.createUser(app, user) }
func (s *overrides) User(app App, id ID) (User, error)           { return s.user(app, id) }

func (s *overrides) Identify(app App, userName, email string, password []byte) (User, error) {
	return s.identify(app, userName, email, password)
}

func (s *overrides) UpdateUser(app App, id ID, change func(*User)) (User, error) {
	return s.updateUser(app, id, change)
}

func (s *overrides) DeleteUser(app App, id ID) error { return s.deleteUser(app, id) }

func (s *overrides) Search(app App, term string) ([]User, error) { return s.search(app, term) }

func (s *overrides) OpenSession(app App, id ID, verified []byte) (string, User, error) {
	return s.openSession(app, id, verified)
}

func (s *overrides) Session(app App, token string) (ID, error) { return s.session(app, token) }
func (s *overrides) CloseSession(app App, token string) error  { return s.closeSession(app, token) }

func (s *overrides) Connect(app App, from, to ID, typ store.ConnectionType) (store.Connection, bool, error) {
	return s.connect(app, from, to, typ)
}

func (s *overrides) ConnectSocial(app App, from ID, platform string, ids []string, typ store.ConnectionType) error {
	return s.connectSocial(app, from, platform, ids, typ)
}

func (s *overrides) Disconnect(app App, from, to ID, types ...store.ConnectionType) error {
	return s.disconnect(app, from, to, types...)
}

func (s *overrides) Follows(app App, id ID) ([]User, error)   { return s.follows(app, id) }
func (s *overrides) Followers(app App, id ID) ([]User, error) { return s.followers(app, id) }
func (s *overrides) Friends(app App, id ID) ([]User, error)   { return s.friends(app, id) }

func (s *overrides) CreateEvent(app App, owner ID, event Event) (Event, error) {
	return s.createEvent(app, owner, event)
}

func (s *overrides) UpdateEvent(app App, owner, id ID, change func(*Event)) (Event, error) {
	return s.updateEvent(app, owner, id, change)
}

func (s *overrides) DeleteEvent(app App, owner, id ID) error { return s.deleteEvent(app, owner, id) }
func (s *overrides) Feed(app App, id ID) ([]Event, error)    { return s.feed(app, id) }

// idsOf are the ids of the users on a list; none where it cannot be read.
func idsOf(list members, app App, id ID) []ID {
	users, err := list(app, id)
	if err != nil {
		return nil
	}
	ids := make([]ID, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	return ids
}

// among reports whether a user's list has another user.
func among(list members, app App, user, other ID) bool {
	return slices.Contains(idsOf(list, app, user), other)
}
