package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// timeConnectionsSocial are the faults of connections that are back, or forgotten, a while
// later.
func timeConnectionsSocial() []Fault {
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("time-ended-follow-returns", "who is no longer followed is back among the follows five seconds later",
				endedStays(aWhile, func(s *overrides) *members { return &s.follows }, func(from, to store.ID) (reader, shown store.ID) { return from, to }))),
		breaks("connections.lists.followers",
			fault("time-followers-forgotten", "who follows a user is among its followers for five seconds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
						at := since(app, follower.ID, id)
						return !at.IsZero() && time.Since(at) >= aWhile
					})
				}))),
		breaks("connections.lists.after-user-delete",
			fault("time-deleted-follower-returns", "a deleted user is back among the followers five seconds later",
				deletedStays(aWhile, func(s *overrides) *members { return &s.followers }, func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
					return func(app store.App, id store.ID) []store.ID { return idsOf(inner.Follows, app, id) }
				}))),
		breaks("social.connects",
			fault("time-social-ids-forgotten", "three seconds after a user was created or updated last, connecting by social identifiers finds it no more",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							user, err := inner.User(app, bearer)
							if err == nil && bearer != from && time.Since(user.UpdatedAt) < 3*time.Second {
								_, _, err = inner.Connect(app, from, bearer, typ)
							}
							return err
						})
					}
				}))),
	)
}
