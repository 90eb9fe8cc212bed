package faults

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// ninthSequencesOfUsers are the faults of what one user does, where it was known to others
// before.
func ninthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("search.deleted-excluded",
			fault("sequence-search-finds-deleted-whom-the-reader-followed", "a search that a deleted user's follower makes goes on finding that user by the user name, as it looks at the follower's contacts first", deletedContactsFound)),
		breaks("feed.follow.new-events",
			fault("sequence-rename-empties-own-feed", "who takes another user name does not see what those whom it is connected to posted before that", overrideStore(renameEmptiesFeed)),
			fault("sequence-logout-loses-the-latest-event", "the latest event of a user who logs out is in no feed any more, as what a session posts last is written when the next comes", overrideStore(logoutLosesLatest))),
	)
}

// deletedContactsFound keeps, with each user, the records of those whom it follows.
func deletedContactsFound(o *refserver.Options) {
	gone := &memory[[]*response]{} // by application and follower
	combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			read := call(next, r, http.MethodGet, "/0.2/user", nil)
			followers := call(next, r, http.MethodGet, "/0.2/user/followers", nil)
			resp := record(next, r)
			if resp.ok() && read.ok() {
				inEach(func(follower map[string]any) {
					gone.update(appIn(r)+"\n"+fieldText(follower, "id"), func(before []*response) []*response { return append(slices.Clip(before), read) })
				})(r, followers)
			}
			return resp
		}),
		intercept(searches(), func(next http.Handler, r *http.Request) *response {
			resp, term := record(next, r), r.URL.Query().Get("q")
			for _, read := range gone.get(appIn(r) + "\n" + fieldText(ownRecord(next, r), "id")) {
				if term != "" && holdsText(fieldText(objectOf(read.body), "user_name"), term) {
					resp.list(func(list []any) []any { return withUser(list, read) })
				}
			}
			return resp
		}),
	)(o)
}

// renameEmptiesFeed keeps feeds under the names of their readers.
func renameEmptiesFeed(_ refserver.Store, s *overrides) {
	renamed, connected := &memory[time.Time]{}, &memory[time.Time]{} // by reader; by reader and owner
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), time.Now())
		}
	})
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		connected.keep(keyOf(app, from, to), time.Now())
		connected.keep(keyOf(app, to, from), time.Now())
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		at := renamed.get(keyOf(r.app, r.id))
		return event.Owner != r.id && event.CreatedAt.Before(at) && connected.get(keyOf(r.app, r.id, event.Owner)).Before(at)
	})
}

// logoutLosesLatest throws the last event away that waits to be written.
func logoutLosesLatest(_ refserver.Store, s *overrides) {
	latest, lost := &memory[store.ID]{}, &memory[bool]{} // by owner; by event
	s.onCreateEvent(func(event store.Event) { latest.keep(keyOf(event.App, event.Owner), event.ID) })
	s.onLogout(func(app store.App, user store.ID, _ string) {
		if id, posted := latest.lookup(keyOf(app, user)); posted {
			lost.keep(keyOf(app, id), true)
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
}

// ninthSequencesOfConnections is the one of contacts, who stand in a table of their own.
func ninthSequencesOfConnections() []Fault {
	return breaks("connections.lists.followers",
		fault("sequence-contact-who-follows-again-listed-twice", "who followed a user by social identifiers, and follows it directly as well, is among its followers twice", overrideStore(contactsListedTwice)).
			also("connections.lists.of-user", "the followers that others see are those of the same list"))
}

// contactsListedTwice joins the table of contacts with that of follows.
func contactsListedTwice(inner refserver.Store, s *overrides) {
	socially, twice, connect, listed := connectedSocially(s), &memory[bool]{}, s.connect, s.followers // twice by follower and followed
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		stood := follows(inner, app, from, to)
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && stood && typ == store.Follow && socially(app, from, to) {
			twice.keep(keyOf(app, from, to), true)
		}
		return made, isNew, err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { twice.keep(keyOf(app, from, to), false) })
	s.followers = func(app store.App, id store.ID) (users []store.User, err error) {
		once, err := listed(app, id)
		for _, user := range once {
			users = append(users, user)
			if twice.get(keyOf(app, user.ID, id)) {
				users = append(users, user)
			}
		}
		return users, err
	}
}

// ninthSequencesOfFeeds are those of what is done before it is refused, and of a mark that
// there is one of.
func ninthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("events.delete.others",
			fault("sequence-refused-deletion-hides-event-from-who-tried", "another's event that a follower tried to delete, and was refused, leaves the follower's own feed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					hidden := &memory[bool]{} // by reader and event
					s.deleteEvent = func(app store.App, owner, id store.ID) error {
						err := inner.DeleteEvent(app, owner, id)
						if errors.Is(err, store.ErrForbidden) {
							hidden.keep(keyOf(app, owner, id), true)
						}
						return err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return hidden.get(keyOf(r.app, r.id, event.ID)) })
				}))),
		breaks("feed.purge.followers",
			fault("sequence-second-purge-brings-the-first-back", "a deleted user's events are back in the feed of a follower of whose follows another is deleted after that, as a feed has one mark of a purge",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.addToFeeds(func(r reader, _ []store.Event) (back []store.Event) {
						var before []store.Event
						for _, gone := range deleted.in(r.app) {
							if slices.Contains(gone.followers, r.id) {
								back, before = append(back, before...), gone.events
							}
						}
						return back
					})
				}))),
	)
}
