package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindOverlaps are the faults of two different operations at once, or of two that
// have nothing to do with each other.
func blindOverlaps() []Fault {
	return slices.Concat(
		breaks("social.connects",
			fault("concurrency-second-social-connect-lost", "of two connectings by social identifiers of a user at once the second connects nobody",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						if _, before := running.during(keyOf(app, from), func() {}); before > 0 {
							return nil
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
		breaks("users.me.update.applies",
			fault("concurrency-login-writes-over-update", "a login writes the user as it was when the login began, whatever an update has changed by then",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
						before, missing := inner.User(app, id)
						time.Sleep(window)
						token, user, err := inner.OpenSession(app, id, verified)
						if err != nil || missing != nil || before.UpdatedAt.Equal(user.UpdatedAt) {
							return token, user, err
						}
						_, err = inner.UpdateUser(app, id, func(now *store.User) {
							now.FirstName, now.LastName, now.URL, now.CustomID = before.FirstName, before.LastName, before.URL, before.CustomID
							now.Metadata, now.SocialIDs, now.Activated = before.Metadata, before.SocialIDs, before.Activated
						})
						return token, user, err
					}
				}))),
		breaks("events.create.owner",
			fault("concurrency-post-belongs-to-the-other", "of two users who post at once the first one's event belongs to the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					latest := &memory[store.ID]{} // who posted last, by application
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						latest.keep(keyOf(app), owner)
						time.Sleep(window)
						if other := latest.get(keyOf(app)); other != owner {
							if _, gone := inner.User(app, other); gone == nil {
								owner = other
							}
						}
						return inner.CreateEvent(app, owner, event)
					}
				}))),
		breaks("feed.purge.followers",
			fault("concurrency-purged-stay-where-another-is-followed", "a deleted user's events stay in the feed of a follower who follows somebody else during the deletion",
				duringDeletion(purgedStayAtConnect))),
		breaks("search.deleted-excluded",
			fault("concurrency-update-during-deletion-stays-found", "a search goes on finding, by the user name, a user who was updated while it was deleted",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					found := &memory[[]store.User]{} // by application
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						user, err := inner.UpdateUser(app, id, change)
						time.Sleep(window)
						if _, gone := inner.User(app, id); err == nil && (gone != nil || deleting(app, id)) {
							found.update(keyOf(app), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
						}
						return user, err
					}
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						for _, user := range found.get(keyOf(app)) {
							listed := slices.ContainsFunc(hits, func(hit store.User) bool { return hit.ID == user.ID })
							if holdsText(user.UserName, term) && !listed {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				}))),
	)
}

// purgedStayAtConnect has a new connection write the reader's feed as it was read
// before, with the events of those who are deleted by then.
func purgedStayAtConnect(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
	stale := keepStaleReads(s)
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		followed := map[store.ID][]store.Event{}
		for _, owner := range idsOf(inner.Follows, app, from) {
			if owner != to && !befriends(inner, app, from, owner) {
				followed[owner] = ownedBy(inner, app, from, owner)
			}
		}
		time.Sleep(window)
		made, isNew, err := inner.Connect(app, from, to, typ)
		for owner, events := range followed {
			if _, gone := inner.User(app, owner); err == nil && (gone != nil || deleting(app, owner)) {
				stale.keep(app, from, events, atOnce(time.Now()))
			}
		}
		return made, isNew, err
	}
}
