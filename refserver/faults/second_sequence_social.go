package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// identifierSequences are the faults of social ids and custom ids that were given before.
func identifierSequences() []Fault {
	return slices.Concat(
		breaks("social.connects",
			fault("sequence-social-id-of-an-update-unknown", "connecting by social identifiers finds nobody by an id that came with an update",
				overrideStore(func(inner refserver.Store, s *overrides) {
					late := &memory[bool]{} // by user, platform and id
					s.onUpdateUser(func(before, after store.User) {
						for platform, id := range after.SocialIDs {
							if before.SocialIDs[platform] != id {
								late.keep(keyOf(after.App, after.ID)+platform+" "+id, true)
							}
						}
					})
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						for _, id := range ids {
							err := eachBearer(inner, app, platform, []string{id}, func(bearer store.ID) error {
								if bearer == from || late.get(keyOf(app, bearer)+platform+" "+id) {
									return nil
								}
								_, _, err := inner.Connect(app, from, bearer, typ)
								return err
							})
							if err != nil {
								return err
							}
						}
						return nil
					}
				}))),
		breaks("connections.lists.follows",
			fault("sequence-custom-id-brings-followers-back", "the followers of a deleted user follow a new one with the same custom_id",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deleted := keepStaleUsers(&s.follows, inner.User), watchDeletions(inner, s)
					s.onCreateUser(func(user store.User) {
						for _, gone := range deleted.in(user.App) {
							for _, follower := range gone.followers {
								if gone.user.CustomID == user.CustomID && user.CustomID != "" {
									stale.keep(user.App, follower, user.ID, 0)
								}
							}
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
				}))),
	)
}
