package faults

import (
	"fmt"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// swapped is a store with single methods replaced; those left nil stay.
type swapped struct {
	refserver.Store
	createUser    func(app store.App, user store.User) (store.User, error)
	deleteUser    func(app store.App, id store.ID) error
	openSession   func(app store.App, id store.ID, verified []byte) (string, store.User, error)
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

// swap puts a store with replaced methods behind the handlers; inner is the one that works.
func swap(replace func(inner refserver.Store, s *swapped)) func(*refserver.Options) {
	return behind(func(inner refserver.Store) refserver.Store {
		s := &swapped{
			Store: inner, createUser: inner.CreateUser, deleteUser: inner.DeleteUser, openSession: inner.OpenSession,
			connect: inner.Connect, connectSocial: inner.ConnectSocial, disconnect: inner.Disconnect,
			follows: inner.Follows, followers: inner.Followers, friends: inner.Friends,
			createEvent: inner.CreateEvent, updateEvent: inner.UpdateEvent, deleteEvent: inner.DeleteEvent, feed: inner.Feed,
		}
		replace(inner, s)
		return s
	})
}

func (s *swapped) CreateUser(app store.App, user store.User) (store.User, error) {
	return s.createUser(app, user)
}

func (s *swapped) DeleteUser(app store.App, id store.ID) error { return s.deleteUser(app, id) }

func (s *swapped) OpenSession(app store.App, id store.ID, verified []byte) (string, store.User, error) {
	return s.openSession(app, id, verified)
}

func (s *swapped) Connect(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
	return s.connect(app, from, to, typ)
}

func (s *swapped) ConnectSocial(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
	return s.connectSocial(app, from, platform, ids, typ)
}

func (s *swapped) Disconnect(app store.App, from, to store.ID, types ...store.ConnectionType) error {
	return s.disconnect(app, from, to, types...)
}

func (s *swapped) Follows(app store.App, id store.ID) ([]store.User, error) {
	return s.follows(app, id)
}

func (s *swapped) Followers(app store.App, id store.ID) ([]store.User, error) {
	return s.followers(app, id)
}

func (s *swapped) Friends(app store.App, id store.ID) ([]store.User, error) {
	return s.friends(app, id)
}

func (s *swapped) CreateEvent(app store.App, owner store.ID, event store.Event) (store.Event, error) {
	return s.createEvent(app, owner, event)
}

func (s *swapped) UpdateEvent(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
	return s.updateEvent(app, owner, id, change)
}

func (s *swapped) DeleteEvent(app store.App, owner, id store.ID) error {
	return s.deleteEvent(app, owner, id)
}

func (s *swapped) Feed(app store.App, id store.ID) ([]store.Event, error) { return s.feed(app, id) }

// keyOf keys what a fault keeps about a user, or about one user and another.
func keyOf(app store.App, ids ...store.ID) string { return fmt.Sprint(app, ids) }
