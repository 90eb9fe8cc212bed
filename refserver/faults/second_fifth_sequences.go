package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fifthSequencesOfUsers are the faults of sessions, records and searches after certain steps.
func fifthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("sequence-update-revives-destroyed-tokens", "an update of the user writes back the sessions that it had, and a token that was logged out works again", overrideStore(updatesReviveTokens))),
		breaks("users.get.other",
			fault("sequence-record-forbidden-after-end", "who ended a connection to a user gets 403 for its record until the next one", recordsForbiddenAfterEnd)),
		breaks("auth.app-isolation",
			fault("sequence-search-kept-for-every-app", "a search for a term that found somebody in another application before is answered with those users", overrideStore(searchesOfAnyApp))),
	)
}

// updatesReviveTokens saves, with a user, the list of its sessions as it was before.
func updatesReviveTokens(inner refserver.Store, s *overrides) {
	type end struct {
		user store.ID
		at   time.Time
	}
	ends, updated := &memory[end]{}, &memory[time.Time]{} // by token; by user
	s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
	s.onUpdateUser(func(_, after store.User) { updated.keep(keyOf(after.App, after.ID), time.Now()) })
	s.session = func(app store.App, token string) (store.ID, error) {
		if ended, was := ends.lookup(token); was && updated.get(keyOf(app, ended.user)).After(ended.at) {
			if _, gone := inner.User(app, ended.user); gone == nil {
				return ended.user, nil
			}
		}
		return inner.Session(app, token)
	}
}

// recordsForbiddenAfterEnd takes the row of an ended connection for one that blocks.
func recordsForbiddenAfterEnd(o *refserver.Options) {
	ended := &memory[bool]{} // by session's user and the other
	pair := func(next http.Handler, r *http.Request, other string) string {
		return appIn(r) + " " + fieldText(ownRecord(next, r), "id") + " " + other
	}
	combine(
		intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
			key := pair(next, r, lastSegment(r))
			resp := record(next, r)
			if resp.ok() {
				ended.keep(key, true)
			}
			return resp
		}),
		intercept(connects(), func(next http.Handler, r *http.Request) *response {
			key := pair(next, r, fieldText(requestObject(r), "user_to_id"))
			resp := record(next, r)
			if resp.ok() {
				ended.keep(key, false)
			}
			return resp
		}),
		intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			if resp.ok() && ended.get(pair(next, r, lastSegment(r))) {
				resp.become(http.StatusForbidden, complaint("the user is blocked"))
			}
			return resp
		}),
	)(o)
}

// searchesOfAnyApp keeps results by their term alone.
func searchesOfAnyApp(inner refserver.Store, s *overrides) {
	type results struct {
		app   store.App
		users []store.User
	}
	kept := &memory[results]{} // by term
	s.search = func(app store.App, term string) ([]store.User, error) {
		if before, known := kept.lookup(term); known && before.app != app {
			return slices.Clone(before.users), nil
		}
		users, err := inner.Search(app, term)
		if err == nil && len(users) > 0 {
			kept.keep(term, results{app, slices.Clone(users)})
		}
		return users, err
	}
}

// fifthSequencesOfFeeds are those of connections and feeds.
func fifthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("sequence-posted-again-after-deletion-lost", "who deletes an event, and posts one with the same verb on the same object again, posts it into no feed", overrideStore(postedAgainLost))),
		breaks("feed.follow.earlier-events",
			fault("sequence-second-follower-without-earlier-events", "of a user's followers the first alone sees what was posted before the follow", overrideStore(earlierForFirstFollower))),
		breaks("feed.update-visible",
			fault("sequence-rename-brings-first-versions", "feeds show the events of a user who was renamed as they were at first, until they are changed again", overrideStore(renameBringsFirstVersions))),
		breaks("connections.delete.only-own",
			fault("sequence-end-between-followers-of-each-other-ends-both", "of two users who follow each other the one who ends it ends the follow of the other, too",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						each := follows(inner, app, from, to) && follows(inner, app, to, from)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && each && !follows(inner, app, from, to) {
							err = inner.Disconnect(app, to, from, store.Follow)
						}
						return err
					}
				}))),
	)
}

// postedAgainLost takes an event like a deleted one for the deleted one.
func postedAgainLost(_ refserver.Store, s *overrides) {
	posted, deleted, lost := &memory[string]{}, &memory[bool]{}, &memory[bool]{} // by event; by owner, verb and object; by event
	s.onCreateEvent(func(event store.Event) {
		if event.Object == nil {
			return
		}
		like := keyOf(event.App, event.Owner) + event.Verb + "\n" + event.Object.ID
		posted.keep(keyOf(event.App, event.ID), like)
		lost.keep(keyOf(event.App, event.ID), deleted.get(like))
	})
	s.onDeleteEvent(func(app store.App, _, id store.ID) {
		if like, known := posted.lookup(keyOf(app, id)); known {
			deleted.keep(like, true)
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
}

// earlierForFirstFollower copies a user's events into a feed when the user gets its first follower.
func earlierForFirstFollower(inner refserver.Store, s *overrides) {
	since, connect := &memory[time.Time]{}, s.connect // by reader and owner
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		followed := len(idsOf(inner.Followers, app, to)) > 0
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && isNew && typ == store.Follow && followed {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { since.keep(keyOf(app, from, to), time.Time{}) })
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		return event.CreatedAt.Before(since.get(keyOf(r.app, r.id, event.Owner)))
	})
}

// renameBringsFirstVersions writes the rows of feeds anew, from what was posted.
func renameBringsFirstVersions(_ refserver.Store, s *overrides) {
	firsts, renamed := &memory[store.Event]{}, &memory[time.Time]{} // by event; by owner
	s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
		}
	})
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		for i, event := range feed {
			first, known := firsts.lookup(keyOf(r.app, event.ID))
			if known && event.UpdatedAt.Before(renamed.get(keyOf(r.app, event.Owner))) {
				feed[i] = first
			}
		}
		return feed
	})
}
