package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// tenthSequencesOfUsers are the faults of what is kept under too short a key, or
// under a key that changes.
func tenthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("sequence-second-logout-leaves-session", "a user's second logout leaves the session valid, as there is room for one ended session of each user",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logouts := &memory[int]{} // by user
					s.closeSession = func(app store.App, token string) error {
						if id, err := inner.Session(app, token); err == nil && tally(logouts, keyOf(app, id)) > 1 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				}))),
		breaks("auth.app-isolation",
			fault("sequence-used-session-serves-other-apps", "a session that was used once is kept by its token alone, and serves under the app token of another application, too",
				withTokens(sessionsKeptByToken))),
		breaks("search.deleted-excluded",
			fault("sequence-renamed-then-deleted-found", "a search finds a deleted user that was renamed before by the former user name", overrideStore(formerNamesOfDeletedFound))),
		breaks("events.update.partial",
			fault("sequence-change-without-verb-brings-first-back", "where the verb of an event was changed, a further change without a verb brings the first one back", firstVerbsReturn)),
	)
}

// sessionsKeptByToken keeps the application that a session was used in.
func sessionsKeptByToken(tokens []string) mutation {
	homes := &memory[string]{} // by session
	return intercept(insession, func(next http.Handler, r *http.Request) *response {
		if home, used := homes.lookup(sessionIn(r)); used && slices.Contains(tokens, appIn(r)) {
			underApp(home)(r)
		}
		resp := record(next, r)
		if resp.ok() {
			homes.keep(sessionIn(r), appIn(r))
		}
		return resp
	})
}

// formerNamesOfDeletedFound leaves what was indexed before a user got another name.
func formerNamesOfDeletedFound(inner refserver.Store, s *overrides) {
	renamed, left := &memory[store.User]{}, &memory[[]store.User]{} // by user; by application
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), before)
		}
	})
	s.onDeleteUser(func(user store.User) {
		if former, was := renamed.lookup(keyOf(user.App, user.ID)); was {
			left.update(keyOf(user.App), func(users []store.User) []store.User { return append(slices.Clip(users), former) })
		}
	})
	s.search = func(app store.App, term string) ([]store.User, error) {
		hits, err := inner.Search(app, term)
		for _, user := range left.get(keyOf(app)) {
			if holdsText(user.UserName, term) {
				hits = append(hits, user)
			}
		}
		return hits, err
	}
}

// firstVerbsReturn fills in the verb that an event was created with.
func firstVerbsReturn(o *refserver.Options) {
	firsts := &memory[string]{} // by event
	combine(
		rewriteObject(createsEvent(), func(event map[string]any) { firsts.keep(fieldText(event, "id"), fieldText(event, "verb")) }),
		rewriteRequest(updatesEvent().and(not(sends("verb"))), func(r *http.Request) {
			if first, known := firsts.lookup(lastSegment(r)); known {
				inBody(set("verb", first))(r)
			}
		}),
	)(o)
}

// tenthSequencesOfConnections are those of connections that were ended once.
func tenthSequencesOfConnections() []Fault {
	return slices.Concat(
		breaks("feed.unfollow",
			fault("sequence-second-unfollow-leaves-events", "who follows a user anew and ends that, too, goes on seeing the events that were there", overrideStore(secondUnfollowsLeaveEvents))),
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-who-came-back", "a deleted user's events stay in the feeds of followers who had ended the follow once", purgePassesOver(allOf, whoCameBack, atOnce))),
		breaks("connections.friends.mutual",
			fault("sequence-renewed-friendship-lists-one-side", "where a friendship was ended and both ask again, the one who had ended it is not among the friends of the other",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ended, disconnect := &memory[bool]{}, s.disconnect // by who was left, and by whom
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						were := befriends(inner, app, from, to)
						err := disconnect(app, from, to, types...)
						if were && err == nil {
							ended.keep(keyOf(app, to, from), true)
						}
						return err
					}
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return ended.get(keyOf(app, id, friend.ID)) })
				}))),
	)
}

// secondUnfollowsLeaveEvents cleans a feed at the first end of a follow alone.
func secondUnfollowsLeaveEvents(inner refserver.Store, s *overrides) {
	stale, ends, disconnect := keepStaleReads(s), &memory[int]{}, s.disconnect // by reader and owner
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were, had := follows(inner, app, from, to), ownedBy(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if were && err == nil && tally(ends, keyOf(app, from, to)) > 1 {
			stale.keep(app, from, had, func([]store.Event) bool { _, gone := inner.User(app, to); return gone == nil })
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
}

// whoCameBack are the followers who had ended the follow before.
func whoCameBack(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
	ended := endedAt(s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(idsOf(inner.Followers, app, owner), func(id store.ID) bool { return ended(app, id, owner).IsZero() })
	}
}
