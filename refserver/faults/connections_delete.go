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
	return slices.Concat(
		breaks("connections.delete.status",
			fault("connections-end-answers-200", "the end of a connection is answered with 200",
				rewriteResponse(disconnects(), replaceSuccess(200, `{}`))),
			fault("connections-end-of-friendship-answers-200", "the end of a friendship is answered with 200",
				intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
					friend := lists(next, r, "/0.2/user/friends", lastSegment(r))
					resp := record(next, r)
					if friend {
						replaceSuccess(200, `{}`)(r, resp)
					}
					return resp
				}))),
		breaks("connections.delete.removes",
			fault("connections-ended-stays-in-followers", "who ends a follow stays among the followers of the other",
				endedStays(0, func(s *overrides) *members { return &s.followers }, func(from, to store.ID) (reader, shown store.ID) { return to, from })),
			fault("connections-ended-returns-to-follows", "who is no longer followed is back among the follows a second later",
				endedStays(aMoment, func(s *overrides) *members { return &s.follows }, func(from, to store.ID) (reader, shown store.ID) { return from, to })),
			fault("connections-end-takes-the-next", "the end of a follow also ends that of the followed user who comes next",
				disconnecting(func(inner refserver.Store, app store.App, from, to store.ID, err error) error {
					for _, next := range idsOf(inner.Follows, app, from) {
						if err == nil && next > to {
							return inner.Disconnect(app, from, next, store.Follow)
						}
					}
					return err
				})),
			fault("connections-end-does-nothing", "the end of a connection is answered as if it were, and the connection stays",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, kinds ...store.ConnectionType) error {
						if among(inner.Follows, app, from, to) || among(inner.Friends, app, from, to) {
							return nil
						}
						return inner.Disconnect(app, from, to, kinds...)
					}
				})),
			fault("connections-end-leaves-friendship", "the end of a friendship is answered as if it were, and both stay friends",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, _ ...store.ConnectionType) error {
						err := inner.Disconnect(app, from, to, store.Follow)
						if errors.Is(err, store.ErrNotFound) && among(inner.Friends, app, from, to) {
							return nil
						}
						return err
					}
				}))),
		breaks("connections.delete.unknown",
			fault("connections-end-of-none-answers-200", "the end of a connection that does not exist is answered with 200",
				rewriteResponse(disconnects(), replaceStatus(404, 200, `{}`)))),
		breaks("connections.delete.only-own",
			fault("connections-ended-by-the-followed", "a followed user can end the follower's follow",
				disconnecting(func(inner refserver.Store, app store.App, from, to store.ID, err error) error {
					if errors.Is(err, store.ErrNotFound) {
						return inner.Disconnect(app, to, from, store.Follow, store.Friend)
					}
					return err
				})),
			fault("connections-ended-by-the-followed-unsaid", "a followed user is told that there is no such connection, and the follower's follow is gone",
				disconnecting(func(inner refserver.Store, app store.App, from, to store.ID, err error) error {
					if errors.Is(err, store.ErrNotFound) {
						return errors.Join(err, inner.Disconnect(app, to, from, store.Follow, store.Friend))
					}
					return err
				})),
			fault("connections-ended-both-ways-by-the-older", "of two users who follow each other, the one who was created first ends both follows",
				disconnecting(func(inner refserver.Store, app store.App, from, to store.ID, err error) error {
					if err == nil && from < to {
						_ = inner.Disconnect(app, to, from, store.Follow) // there may be none
					}
					return err
				})),
			fault("connections-ended-both-ways", "of two users who follow each other, one ends both follows",
				disconnecting(func(inner refserver.Store, app store.App, from, to store.ID, err error) error {
					if err == nil {
						_ = inner.Disconnect(app, to, from, store.Follow) // there may be none
					}
					return err
				}))),
	)
}

// disconnecting does something more when a connection was ended, or was not there.
func disconnecting(more func(inner refserver.Store, app store.App, from, to store.ID, err error) error) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
			return more(inner, app, from, to, inner.Disconnect(app, from, to, types...))
		}
	})
}

// endedStays shows an ended follow in a list, once some time is over: ends says
// in whose list, and whom. A new follow makes an end of that.
func endedStays(after time.Duration, list func(*overrides) *members, ends func(from, to store.ID) (reader, shown store.ID)) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		stale := keepStaleUsers(list(s), inner.User)
		s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
			err := inner.Disconnect(app, from, to, types...)
			if reader, shown := ends(from, to); err == nil {
				stale.keep(app, reader, shown, after)
			}
			return err
		}
		s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
			reader, shown := ends(from, to)
			stale.forget(app, reader, shown)
			return inner.Connect(app, from, to, typ)
		}
	})
}
