package faults

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// aMoment is how long something seems to be gone that comes back.
const aMoment = time.Second

// endedConnections are the faults of ending a connection (Endpoints, row 10).
func endedConnections() []Fault {
	ends := on("DELETE /0.2/user/connections/{UserID}")
	return []Fault{
		{
			Name: "connections-end-answers-200", Rule: "connections.delete.status",
			Summary: "the end of a connection is answered with 200",
			Apply:   edit(ends, answers(http.StatusOK, `{}`)),
		},
		{
			Name: "connections-end-of-friendship-answers-200", Rule: "connections.delete.status",
			Summary: "the end of a friendship is answered with 200",
			Apply: around(ends, func(next http.Handler, r *http.Request) *response {
				friend := listsUser(call(next, r, http.MethodGet, "/0.2/user/friends", nil), r.URL.Path[len("/0.2/user/connections/"):])
				resp := record(next, r)
				if friend {
					answers(http.StatusOK, `{}`)(r, resp)
				}
				return resp
			}),
		},
		{
			Name: "connections-ended-stays-in-followers", Rule: "connections.delete.removes",
			Summary: "who ends a follow stays among the followers of the other",
			Apply: endedStays(0, func(s *swapped, stay func(members) members) {
				s.followers = stay(s.followers)
			}, func(from, to store.ID) (reader, shown store.ID) { return to, from }),
		},
		{
			Name: "connections-ended-returns-to-follows", Rule: "connections.delete.removes",
			Summary: "who is no longer followed is back among the follows a second later",
			Apply: endedStays(aMoment, func(s *swapped, stay func(members) members) {
				s.follows = stay(s.follows)
			}, func(from, to store.ID) (reader, shown store.ID) { return from, to }),
		},
		{
			Name: "connections-end-takes-the-next", Rule: "connections.delete.removes",
			Summary: "the end of a follow also ends that of the followed user who comes next",
			Apply:   swap(endTakesTheNext),
		},
		{
			Name: "connections-end-leaves-friendship", Rule: "connections.delete.removes",
			Summary: "the end of a friendship is answered as if it were, and both stay friends",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				s.disconnect = func(app store.App, from, to store.ID, _ ...store.ConnectionType) error {
					err := inner.Disconnect(app, from, to, store.Follow)
					if errors.Is(err, store.ErrNotFound) && among(inner.Friends, app, from, to) {
						return nil
					}
					return err
				}
			}),
		},
		{
			Name: "connections-end-of-none-answers-200", Rule: "connections.delete.unknown",
			Summary: "the end of a connection that does not exist is answered with 200",
			Apply:   edit(ends, instead(404, 200, `{}`)),
		},
		{
			Name: "connections-ended-by-the-followed", Rule: "connections.delete.only-own",
			Summary: "a followed user can end the follower's follow",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					err := inner.Disconnect(app, from, to, types...)
					if errors.Is(err, store.ErrNotFound) {
						return inner.Disconnect(app, to, from, types...)
					}
					return err
				}
			}),
		},
		{
			Name: "connections-ended-by-the-followed-unsaid", Rule: "connections.delete.only-own",
			Summary: "a followed user is told that there is no such connection, and the follower's follow is gone",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					err := inner.Disconnect(app, from, to, types...)
					if errors.Is(err, store.ErrNotFound) {
						err = errors.Join(err, inner.Disconnect(app, to, from, types...))
					}
					return err
				}
			}),
		},
		{
			Name: "connections-ended-both-ways", Rule: "connections.delete.only-own",
			Summary: "of two users who follow each other, one ends both follows",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					err := inner.Disconnect(app, from, to, types...)
					if err == nil && slices.Contains(types, store.Follow) {
						_ = inner.Disconnect(app, to, from, store.Follow) // there may be none
					}
					return err
				}
			}),
		},
	}
}

func endTakesTheNext(inner refserver.Store, s *swapped) {
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		if err := inner.Disconnect(app, from, to, types...); err != nil {
			return err
		}
		followed, err := inner.Follows(app, from)
		if err != nil {
			return err
		}
		for _, user := range followed {
			if user.ID > to {
				return inner.Disconnect(app, from, user.ID, store.Follow)
			}
		}
		return nil
	}
}

// endedStays shows an ended follow in a list, once some time is over: ends says
// in whose list, and whom. A new follow makes an end of that.
func endedStays(after time.Duration, lists func(*swapped, func(members) members), ends func(from, to store.ID) (reader, shown store.ID)) func(*refserver.Options) {
	return swap(func(inner refserver.Store, s *swapped) {
		ended := &memory[map[store.ID]time.Time]{}
		put := func(app store.App, from, to store.ID, at time.Time) {
			reader, shown := ends(from, to)
			before, _ := ended.get(keyOf(app, reader))
			now := map[store.ID]time.Time{shown: at}
			for id, since := range before {
				if id != shown {
					now[id] = since
				}
			}
			ended.keep(keyOf(app, reader), now)
		}
		s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
			err := inner.Disconnect(app, from, to, types...)
			if err == nil {
				put(app, from, to, time.Now().Add(after))
			}
			return err
		}
		s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
			put(app, from, to, time.Time{})
			return inner.Connect(app, from, to, typ)
		}
		lists(s, func(inLists members) members {
			return func(app store.App, id store.ID) ([]store.User, error) {
				users, err := inLists(app, id)
				stay, _ := ended.get(keyOf(app, id))
				for shown, at := range stay {
					if user, gone := inner.User(app, shown); gone == nil && !at.IsZero() && !time.Now().Before(at) {
						users = append(users, user)
					}
				}
				return users, err
			}
		})
	})
}
