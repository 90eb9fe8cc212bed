package faults

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindEchoes are the faults of what an earlier step has left behind: in feeds, between
// users, and in what stands in front of the server.
func blindEchoes() []Fault {
	return slices.Concat(
		breaks("feed.event-delete",
			fault("sequence-change-of-deleted-event-restores-it", "a change of a deleted event is answered with 404, and the event is back in the feeds of followers",
				overrideStore(changeRestoresDeleted))),
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-renamed-followers", "a deleted user's events stay in the feed of a follower who was renamed",
				purgePassesOver(allOf, readers(followersAlone).where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					renamed := whoWasRenamed(s)
					return func(app store.App, _, id store.ID) bool { return renamed.get(keyOf(app, id)) }
				}), atOnce))),
		breaks("connections.confirmed-at",
			fault("sequence-follow-of-friend-is-confirmed", "the follow of a user who is a friend has a confirmed_at",
				intercept(createsFollow(), func(next http.Handler, r *http.Request) *response {
					friend := lists(next, r, "/0.2/user/friends", fieldText(requestObject(r), "user_to_id"))
					resp := record(next, r)
					if friend {
						resp.object(copied("confirmed_at", "created_at"))
					}
					return resp
				}))),
		breaks("connections.friends.mutual",
			fault("sequence-friends-after-crossed-follows-on-one-side", "of two users who followed each other before they became friends the one who asked last does not list the other",
				overrideStore(crossedFollowsHideFriend))),
		breaks("transport.cors-response",
			fault("sequence-record-kept-without-origin", "an own record that was read without an Origin cannot be read from another origin from then on", func(o *refserver.Options) {
				kept := &memory[bool]{} // by session
				rewriteResponse(readsOwnRecord(), onStatus(http.StatusOK, func(r *http.Request, resp *response) {
					if r.Header.Get("Origin") == "" {
						kept.keep(sessionIn(r), true)
					} else if kept.get(sessionIn(r)) {
						header(allowOrigin, "")(r, resp)
					}
				}))(o)
			})),
	)
}

// changeRestoresDeleted puts an event into feeds before it looks whether it is there.
func changeRestoresDeleted(inner refserver.Store, s *overrides) {
	gone, stale := &memory[map[store.ID]store.Event]{}, keepStaleReads(s) // by event, then by reader
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		left := map[store.ID]store.Event{}
		for _, reader := range idsOf(inner.Followers, app, owner) {
			for _, event := range ownedBy(inner, app, reader, owner) {
				if event.ID == id {
					left[reader] = event
				}
			}
		}
		err := inner.DeleteEvent(app, owner, id)
		if err == nil {
			gone.keep(keyOf(app, id), left)
		}
		return err
	}
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		event, err := inner.UpdateEvent(app, owner, id, change)
		for reader, left := range gone.get(keyOf(app, id)) {
			if errors.Is(err, store.ErrNotFound) && left.Owner == owner && follows(inner, app, reader, owner) {
				stale.keep(app, reader, []store.Event{left}, whileThere(inner, app, owner))
			}
		}
		return event, err
	}
}

// crossedFollowsHideFriend hides friends from who asked them back and was followed by them.
func crossedFollowsHideFriend(inner refserver.Store, s *overrides) {
	asked, hidden := &memory[bool]{}, &memory[bool]{}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ != store.Friend || asked.keep(keyOf(app, from, to), true) || !asked.get(keyOf(app, to, from)) {
			return
		}
		hidden.keep(keyOf(app, from, to), follows(inner, app, from, to) && follows(inner, app, to, from))
	})
	s.onDisconnect(func(app store.App, from, to store.ID) {
		for _, key := range []string{keyOf(app, from, to), keyOf(app, to, from)} {
			asked.keep(key, false)
			hidden.keep(key, false)
		}
	})
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return hidden.get(keyOf(app, id, friend.ID)) })
}

// blindSignIns are the faults of what a login leaves behind, and of whom it finds.
func blindSignIns() []Fault {
	return slices.Concat(
		breaks("sessions.create-with-login",
			fault("sequence-create-under-taken-email-opens-the-other", "the session token of a new user whose email another user has already opens that other user", overrideStore(emailOpensTheOther))),
		breaks("users.create.last-login-unset",
			fault("sequence-refused-login-sets-last-login", "a login that was refused for its password sets the last_login of a user who has never logged in", refusedLoginsCount)),
		breaks("search.email",
			fault("sequence-login-reindexes-without-email", "a search does not find a user by its email from the first login after the create on, until the next update",
				overrideStore(func(inner refserver.Store, s *overrides) {
					lost := &memory[bool]{}
					s.onLogin(func(app store.App, id store.ID, _ string) {
						if user, err := inner.User(app, id); err == nil && user.LastLogin.After(user.CreatedAt) {
							lost.keep(keyOf(app, id), true)
						}
					})
					s.onUpdateUser(func(_, after store.User) { lost.keep(keyOf(after.App, after.ID), false) })
					s.searchBy(func(user store.User, term string, found bool) bool {
						elsewhere := holdsText(user.UserName, term) || holdsText(user.FirstName, term) || holdsText(user.LastName, term)
						return found && (elsewhere || !lost.get(keyOf(user.App, user.ID)))
					})
				}))),
	)
}

// emailOpensTheOther logs a new user in as the first who has the email.
func emailOpensTheOther(inner refserver.Store, s *overrides) {
	bearers, others := &memory[store.ID]{}, &memory[store.ID]{} // by email; by new user
	s.createUser = func(app store.App, user store.User) (store.User, error) {
		made, err := inner.CreateUser(app, user)
		if err != nil || made.Email == "" {
			return made, err
		}
		key := keyOf(app) + made.Email
		first, gone := inner.User(app, bearers.get(key))
		switch {
		case gone != nil || first.Email != made.Email:
			bearers.keep(key, made.ID)
		case !user.LastLogin.IsZero(): // a session is opened next
			others.keep(keyOf(app, made.ID), first.ID)
		}
		return made, nil
	}
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		other, gone := inner.User(app, others.keep(keyOf(app, id), 0))
		if gone != nil {
			return inner.OpenSession(app, id, verified)
		}
		token, _, err := inner.OpenSession(app, other.ID, other.Password)
		user, missing := inner.User(app, id)
		return token, user, errors.Join(err, missing)
	}
}

// refusedLoginsCount shows when a login by user name was refused as when its user logged in.
func refusedLoginsCount(o *refserver.Options) {
	refused := &memory[time.Time]{} // by application and user name
	shows := func(r *http.Request, resp *response) {
		change := func(user map[string]any) {
			at := refused.get(appIn(r) + "\n" + fieldText(user, "user_name"))
			if fieldText(user, "last_login") == neverLoggedIn && at.After(timeIn(user, "created_at")) {
				user["last_login"] = at.UTC().Format(time.RFC3339Nano)
			}
		}
		resp.object(change)
		inEach(change)(r, resp)
	}
	combine(
		rewriteResponse(logsInByName(), onStatus(http.StatusUnauthorized, func(r *http.Request, _ *response) {
			refused.keep(appIn(r)+"\n"+fieldText(requestObject(r), "user_name"), time.Now())
		})),
		rewriteResponse(readsUser().or(searches()).or(readsFollows()).or(readsFriends()).or(readsFollowsOf()).or(readsFriendsOf()), shows),
	)(o)
}
