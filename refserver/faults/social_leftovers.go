package faults

import (
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// socialLeftovers are the faults of what connecting by social identifiers leaves out
// (Endpoints, row 17).
func socialLeftovers() []Fault {
	// made tells whether a connection was made so.
	made := func(inner refserver.Store, s *swapped) func(app store.App, from, to store.ID) bool {
		socially := &memory[bool]{}
		s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
			err := eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
				socially.keep(keyOf(app, from, bearer), true)
				return nil
			})
			if err != nil {
				return err
			}
			return inner.ConnectSocial(app, from, platform, ids, typ)
		}
		return func(app store.App, from, to store.ID) bool {
			is, _ := socially.get(keyOf(app, from, to))
			return is
		}
	}
	return []Fault{
		{
			Name: "social-follows-without-feed", Rule: "social.connects",
			Summary: "the events of users who are followed by social identifiers are in no feed",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				socially := made(inner, s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					return without(feed, func(event store.Event) bool { return socially(app, reader, event.Owner) }), err
				}
			}),
		},
		{
			Name: "social-follows-unlisted-as-followers", Rule: "social.connects",
			Summary: "who follows by social identifiers is not among the followers",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				socially := made(inner, s)
				s.followers = func(app store.App, id store.ID) ([]store.User, error) {
					followers, err := inner.Followers(app, id)
					var listed []store.User
					for _, follower := range followers {
						if !socially(app, follower.ID, id) {
							listed = append(listed, follower)
						}
					}
					return listed, err
				}
			}),
		},
	}
}
