package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceConnectionsListsAfterDeletion are the faults of deleted users who are listed
// after certain steps.
func sequenceConnectionsListsAfterDeletion() []Fault {
	return breaks("connections.lists.after-user-delete",
		fault("sequence-deleted-stays-for-refollower", "a deleted user stays among the follows of who had followed it a second time",
			deletedStays(0, func(s *overrides) *members { return &s.follows }, onceEnded(allFollowers))),
		fault("sequence-deleted-stays-among-friends-who-follow", "a deleted user stays among the friends of a friend who also followed it",
			deletedStays(0, func(s *overrides) *members { return &s.friends }, friendsWhoFollow)),
		fault("sequence-deleted-follower-back-with-the-next", "the deleted followers of a user are listed again once another follows it",
			overrideStore(func(inner refserver.Store, s *overrides) {
				deleted, listed := &memory[[]store.User]{}, &memory[[]store.User]{} // by the user whom they followed
				s.deleteUser = func(app store.App, id store.ID) error {
					user, missing := inner.User(app, id)
					followed := idsOf(inner.Follows, app, id)
					err := inner.DeleteUser(app, id)
					for _, other := range followed {
						if missing == nil && err == nil {
							deleted.update(keyOf(app, other), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
						}
					}
					return err
				}
				s.onConnect(func(app store.App, _, to store.ID, typ store.ConnectionType) {
					if typ == store.Follow {
						listed.keep(keyOf(app, to), deleted.get(keyOf(app, to)))
					}
				})
				extend(&s.followers, func(app store.App, id store.ID) ([]store.User, error) { return listed.get(keyOf(app, id)), nil })
			})),
		fault("sequence-read-follows-keep-deleted", "a deleted user stays among the follows of who read that list before, until the next change of it",
			overrideStore(func(inner refserver.Store, s *overrides) {
				read, follows := &memory[[]store.User]{}, s.follows // by user
				s.onConnect(func(app store.App, from, _ store.ID, _ store.ConnectionType) { read.keep(keyOf(app, from), nil) })
				s.onDisconnect(func(app store.App, from, _ store.ID) { read.keep(keyOf(app, from), nil) })
				s.follows = func(app store.App, id store.ID) ([]store.User, error) {
					users, err := follows(app, id)
					if err != nil {
						return nil, err
					}
					return withDeleted(inner, app, read, keyOf(app, id), users), nil
				}
			})),
		fault("sequence-deleted-contact-stays-among-follows", "a deleted user stays among the follows of who followed it by social identifiers",
			deletedStays(0, func(s *overrides) *members { return &s.follows }, readers(allFollowers).where(foundSocially))),
		fault("sequence-social-friend-outlives-deletion", "a friend whom a user got by social ids stays on the user's list of friends after it was deleted",
			deletedStays(0, func(s *overrides) *members { return &s.friends }, readers(allFriends).where(foundSocially))))
}

// foundSocially reports whether a user was found by social identifiers by another.
func foundSocially(_ refserver.Store, s *overrides) func(app store.App, owner, id store.ID) bool {
	socially := connectedSocially(s)
	return func(app store.App, owner, id store.ID) bool { return socially(app, id, owner) }
}
