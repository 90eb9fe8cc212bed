package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eleventhSequencesOfUsers are the faults of what is kept under a key that changes, or
// that is too short.
func eleventhSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("users.me.update.password",
			fault("sequence-return-to-former-password-ignored", "an update back to a password that the user had before is answered as if it were taken, and the password stays", formerPasswordsIgnored)),
		breaks("sessions.logout.destroys",
			fault("sequence-logout-after-rename-ends-nothing", "the logout from a session that was opened under a former user name is answered with 204, and the session goes on",
				overrideStore(logoutByNameAtLogin))),
		breaks("auth.app-isolation",
			fault("sequence-user-read-in-one-app-is-known-to-the-other", "a user who has been read by its id in its own application is then shown in the other, from a cache", readAcrossApps)),
	)
}

// formerPasswordsIgnored puts the current password in the place of one that it followed.
func formerPasswordsIgnored(o *refserver.Options) {
	had := &memory[[]string]{} // by application and user, the current one last
	combine(
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				had.keep(appIn(r)+fieldText(user, "id"), []string{fieldText(requestObject(r), "password")})
			})
		}),
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			key, sent := appIn(r)+fieldText(ownRecord(next, r), "id"), fieldText(requestObject(r), "password")
			if all := had.get(key); len(all) > 0 && slices.Contains(all, sent) {
				inBody(set("password", all[len(all)-1]))(r)
				return record(next, r)
			}
			resp := record(next, r)
			if resp.ok() {
				had.update(key, func(all []string) []string { return append(slices.Clip(all), sent) })
			}
			return resp
		}),
	)(o)
}

// logoutByNameAtLogin looks for the session to end under the name that the user has now.
func logoutByNameAtLogin(inner refserver.Store, s *overrides) {
	names, closeSession := &memory[string]{}, s.closeSession // by session
	s.onLogin(func(app store.App, id store.ID, token string) {
		if user, err := inner.User(app, id); err == nil {
			names.keep(keyOf(app)+token, user.UserName)
		}
	})
	s.closeSession = func(app store.App, token string) error {
		if id, err := inner.Session(app, token); err == nil {
			user, gone := inner.User(app, id)
			if name, known := names.lookup(keyOf(app) + token); known && gone == nil && name != user.UserName {
				return nil
			}
		}
		return closeSession(app, token)
	}
}

// readAcrossApps keeps users by their ids alone.
func readAcrossApps(o *refserver.Options) {
	type page struct {
		app  string
		body []byte
	}
	read := &memory[page]{} // by id
	rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
		kept, known := read.lookup(lastSegment(r))
		switch {
		case resp.ok():
			read.keep(lastSegment(r), page{appIn(r), resp.body})
		case resp.status == http.StatusNotFound && known && kept.app != appIn(r):
			resp.become(http.StatusOK, string(kept.body))
		}
	})(o)
}

// eleventhSequencesOfFeeds are those of rows that are only half revived, and of copies that
// are not renewed.
func eleventhSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("connections.friends.mutual",
			fault("sequence-second-friendship-one-sided", "where two users become friends again, the one who ended the friendship no longer lists the other", overrideStore(secondFriendshipOneSided))),
		breaks("events.update.partial",
			fault("sequence-later-change-restores-first-verb", "a change of an event that sends no verb brings back the one that the event was created with, whatever a change before has made of it", firstVerbRestored)),
		breaks("feed.follow.new-events",
			fault("sequence-feed-read-empty-stays-empty", "a feed that was read while it was empty is empty until its reader connects to somebody else", overrideStore(emptyFeedsKept))),
		breaks("feed.purge.followers",
			fault("sequence-purge-misses-events-from-before-rename", "of a deleted user those events stay in the feeds of followers that it posted under a former user name", purgeByName)),
	)
}

// secondFriendshipOneSided lifts the mark of a deletion from one of two rows alone.
func secondFriendshipOneSided(inner refserver.Store, s *overrides) {
	ended, disconnect := &memory[bool]{}, s.disconnect // by who ended it, and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			ended.keep(keyOf(app, from, to), true)
		}
		return err
	}
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return ended.get(keyOf(app, id, friend.ID)) })
}

// firstVerbRestored fills in what a change lacks from a copy of the event as it was created.
func firstVerbRestored(o *refserver.Options) {
	verbs := &memory[string]{} // by event
	combine(
		rewriteObject(createsEvent(), func(event map[string]any) { verbs.keep(fieldText(event, "id"), fieldText(event, "verb")) }),
		rewriteRequest(updatesEvent().and(not(sends("verb"))), func(r *http.Request) {
			if verb, known := verbs.lookup(lastSegment(r)); known {
				inBody(set("verb", verb))(r)
			}
		}),
	)(o)
}

// emptyFeedsKept keeps that there is nothing in the feed of a reader who has no friends.
func emptyFeedsKept(inner refserver.Store, s *overrides) {
	empty, connectSocial := &memory[bool]{}, s.connectSocial // by reader
	s.onConnect(func(app store.App, from, _ store.ID, _ store.ConnectionType) { empty.keep(keyOf(app, from), false) })
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		empty.keep(keyOf(app, from), false)
		return connectSocial(app, from, platform, ids, typ)
	}
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		switch {
		case len(idsOf(inner.Friends, r.app, r.id)) > 0:
			return feed
		case empty.get(keyOf(r.app, r.id)):
			return nil
		}
		empty.keep(keyOf(r.app, r.id), len(feed) == 0)
		return feed
	})
}

// purgeByName deletes events by the name of their owner, which stands in each as it was.
func purgeByName(o *refserver.Options) {
	renamed := &memory[time.Time]{} // by user
	posted := func(events []store.Event) []store.Event {
		return without(slices.Clone(events), func(event store.Event) bool {
			return !event.CreatedAt.Before(renamed.get(keyOf(event.App, event.Owner)))
		})
	}
	purgePassesOver(posted, func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		s.onUpdateUser(func(before, after store.User) {
			if before.UserName != after.UserName {
				renamed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
			}
		})
		return followersAlone(inner, s)
	}, atOnce)(o)
}
