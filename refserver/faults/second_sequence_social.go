package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSocial are the faults of social identifiers that were changed, given up or
// connected before.
func sequenceSocial() []Fault {
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
				})),
			fault("sequence-social-passes-over-unfollowed", "connecting by social identifiers passes over whom the user had a connection to before, and ended it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							if bearer == from || !ended(app, from, bearer).IsZero() {
								return nil
							}
							_, _, err := inner.Connect(app, from, bearer, typ)
							return err
						})
					}
				})),
			fault("sequence-given-up-social-id-still-connects", "connecting by a social id also connects to who gave it up for another",
				overrideStore(func(inner refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by platform and id
					s.onUpdateUser(func(before, after store.User) {
						for platform, id := range before.SocialIDs {
							if after.SocialIDs[platform] != id {
								givenUp.keep(keyOf(after.App)+platform+"/"+id, after.ID)
							}
						}
					})
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						for _, id := range ids {
							former := givenUp.get(keyOf(app) + platform + "/" + id)
							if _, gone := inner.User(app, former); gone == nil && former != from {
								if _, _, err := inner.Connect(app, from, former, typ); err != nil {
									return err
								}
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				})),
			fault("sequence-social-undone-by-who-is-connected-already", "connecting by social identifiers connects nobody where one of those found is connected already",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						standing := false
						err := eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							standing = standing || typ == store.Follow && follows(inner, app, from, bearer) || typ == store.Friend && befriends(inner, app, from, bearer)
							return nil
						})
						if err != nil || standing {
							return err
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				})),
			fault("sequence-second-platform-read-as-first", "who has connected by social identifiers on one platform, and does it on another, connects to those who have them on the first",
				overrideStore(func(inner refserver.Store, s *overrides) {
					first := &memory[string]{} // by user
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						before := first.update(keyOf(app, from), func(known string) string {
							if known == "" {
								return platform
							}
							return known
						})
						if before == "" {
							before = platform
						}
						return inner.ConnectSocial(app, from, before, ids, typ)
					}
				})),
			fault("sequence-social-follow-after-unfollow-in-vain", "connecting by social ids does not connect to a user from whom the session's user had disconnected",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.passOverContacts(func(app store.App, from store.ID, _ string, contact store.User) bool {
						return !ended(app, from, contact.ID).IsZero()
					})
				}))),
		breaks("social.unknown-ids",
			fault("sequence-social-id-of-deleted-not-found", "connecting by the social id of a user who was deleted is answered with 404",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := &memory[bool]{} // by platform and id
					s.onDeleteUser(func(user store.User) {
						for platform, id := range user.SocialIDs {
							deleted.keep(keyOf(user.App)+platform+"/"+id, true)
						}
					})
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						for _, id := range ids {
							borne := false
							err := eachBearer(inner, app, platform, []string{id}, func(store.ID) error { borne = true; return nil })
							if err == nil && !borne && deleted.get(keyOf(app)+platform+"/"+id) {
								return store.ErrNotFound
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
	)
}
