package faults

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindCacheSequences are the faults of what is kept beside the users themselves:
// results of searches, documents of an index, lists that were read.
func blindCacheSequences() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("sequence-name-searched-in-vain-stays-unknown", "a search for a whole user name that found nobody before its bearer was created goes on missing the bearer",
				overrideStore(func(inner refserver.Store, s *overrides) {
					vain := &memory[bool]{} // by term
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if err == nil && len(hits) == 0 {
							vain.keep(keyOf(app)+term, true)
						}
						return slices.DeleteFunc(hits, func(user store.User) bool { return user.UserName == term && vain.get(keyOf(app)+term) }), err
					}
				}))),
		breaks("search.first-name",
			fault("sequence-reindexed-without-first-name", "a user is not found by a first name that the latest update left as it was",
				overrideStore(func(_ refserver.Store, s *overrides) {
					lost := &memory[bool]{}
					s.onUpdateUser(func(before, after store.User) {
						lost.keep(keyOf(after.App, after.ID), before.FirstName == after.FirstName)
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						elsewhere := holdsText(user.UserName+"\n"+user.LastName+"\n"+user.Email, term)
						return found && (elsewhere || !holdsText(user.FirstName, term) || !lost.get(keyOf(user.App, user.ID)))
					})
				}))),
		breaks("search.deleted-excluded",
			fault("sequence-search-kept-from-before-deletion", "a search for a term finds a deleted user whom a search for the same term had found before",
				overrideStore(func(inner refserver.Store, s *overrides) {
					found := &memory[[]store.User]{} // by term
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						return withDeleted(inner, app, found, keyOf(app)+term, hits), err
					}
				}))),
		breaks("connections.lists.after-user-delete",
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
				}))),
		breaks("connections.delete.removes",
			fault("sequence-renamed-follower-stays-listed", "who was renamed after a follow, and ends it, stays among the followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, stale := &memory[string]{}, keepStaleUsers(&s.followers, inner.User) // by follower and followed
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						stale.forget(app, to, from)
						if user, err := inner.User(app, from); err == nil && typ == store.Follow {
							names.keep(keyOf(app, from, to), user.UserName)
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) {
						was := names.keep(keyOf(app, from, to), "")
						if user, err := inner.User(app, from); err == nil && was != "" && was != user.UserName {
							stale.keep(app, to, from, 0)
						}
					})
				}))),
		breaks("connections.lists.one-way",
			fault("sequence-follow-back-makes-friends", "two users of whom one follows the other back are listed as friends",
				overrideStore(func(inner refserver.Store, s *overrides) {
					extend(&s.friends, func(app store.App, id store.ID) ([]store.User, error) {
						followers, err := inner.Followers(app, id)
						if err != nil {
							return nil, nil // the list of friends says so itself
						}
						return slices.DeleteFunc(followers, func(user store.User) bool { return !follows(inner, app, id, user.ID) }), nil
					})
				}))),
		breaks("connections.lists.empty",
			fault("sequence-emptied-follows-not-found", "the follows of who ended the last of them are answered with 404",
				overrideStore(func(inner refserver.Store, s *overrides) {
					emptied, disconnect, list := &memory[bool]{}, s.disconnect, s.follows
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						before := len(idsOf(inner.Follows, app, from))
						err := disconnect(app, from, to, types...)
						if err == nil && before > 0 {
							emptied.keep(keyOf(app, from), true)
						}
						return err
					}
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := list(app, id)
						if err == nil && len(users) == 0 && emptied.get(keyOf(app, id)) {
							return nil, fmt.Errorf("the list %w", store.ErrNotFound)
						}
						return users, err
					}
				}))),
		breaks("social.connects",
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
				}))),
	)
}

// withDeleted adds to users those that were kept under a key and are deleted now,
// and keeps them all.
func withDeleted(inner refserver.Store, app store.App, kept *memory[[]store.User], key string, users []store.User) []store.User {
	for _, user := range kept.get(key) {
		if _, gone := inner.User(app, user.ID); gone != nil {
			users = append(users, user)
		}
	}
	kept.keep(key, slices.Clone(users))
	return users
}
