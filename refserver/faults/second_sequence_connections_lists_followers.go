package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceConnectionsListsFollowers are the faults of the followers that are listed after
// certain steps.
func sequenceConnectionsListsFollowers() []Fault {
	return breaks("connections.lists.followers",
		fault("sequence-refollower-unlisted", "who follows a user again is not among its followers",
			overrideStore(func(_ refserver.Store, s *overrides) {
				ended := endedAt(s)
				filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
					return !ended(app, follower.ID, id).IsZero()
				})
			})),
		fault("sequence-vain-end-shortens-followers", "who ends a connection that there is not is answered with 404, and the own followers of the other are listed short of one", vainEndsCount),
		fault("sequence-next-user-inherits-followers", "where the user created last is deleted, the next one takes its number, and with it its followers",
			overrideStore(nextInheritsFollowers)),
		fault("sequence-updated-follower-listed-twice", "who updates itself after a follow is listed twice among the own followers of the followed", updatedFollowersTwice),
		fault("sequence-contact-who-follows-again-listed-twice", "who followed a user by social identifiers, and follows it directly as well, is among its followers twice", overrideStore(contactsListedTwice)).
			also("connections.lists.of-user", "the followers that others see are those of the same list"),
		fault("sequence-new-user-has-followers-of-deleted-namesake", "a new user with the user_name of a deleted one has its followers",
			overrideStore(followersPassOn)),
		fault("sequence-first-login-loses-earlier-followers", "those who followed a user before the first login are not among the followers from then on",
			overrideStore(firstLoginLosesFollowers)),
		fault("sequence-unfollow-mutual", "of two who follow each other, the one who unfollows the other loses that one from the own followers, too",
			overrideStore(followersEndedBothWays)))
}

// vainEndsCount counts a follower less for each end of a connection that there is not.
func vainEndsCount(o *refserver.Options) {
	short := &memory[int]{} // by application and id
	combine(
		rewriteResponse(disconnects(), onStatus(http.StatusNotFound, func(r *http.Request, _ *response) { tally(short, appIn(r)+lastSegment(r)) })),
		intercept(readsFollowers(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			n := short.get(appIn(r) + fieldText(ownRecord(next, r), "id"))
			resp.list(func(followers []any) []any { return followers[:max(0, len(followers)-n)] })
			return resp
		}),
	)(o)
}

// nextInheritsFollowers joins the followers of a deleted user to the one created next,
// where nobody had been created after the deleted one.
func nextInheritsFollowers(inner refserver.Store, s *overrides) {
	latest, left := &memory[store.ID]{}, &memory[[]store.ID]{} // by application
	s.deleteUser = func(app store.App, id store.ID) error {
		followers := idsOf(inner.Followers, app, id)
		err := inner.DeleteUser(app, id)
		if err == nil && latest.get(keyOf(app)) == id {
			left.keep(keyOf(app), followers)
		}
		return err
	}
	s.createUser = func(app store.App, user store.User) (store.User, error) {
		made, err := inner.CreateUser(app, user)
		if err != nil {
			return made, err
		}
		latest.keep(keyOf(app), made.ID)
		for _, follower := range left.keep(keyOf(app), nil) {
			_, _, _ = inner.Connect(app, follower, made.ID, store.Follow) // who is deleted by now follows nobody
		}
		return made, nil
	}
}

// updatedFollowersTwice puts an updated follower on the list without taking away the one before.
func updatedFollowersTwice(o *refserver.Options) {
	since := &memory[time.Time]{} // by follower and followed
	pair := func(r *http.Request, from, to string) string { return appIn(r) + "\n" + from + "\n" + to }
	combine(
		rewriteResponse(createsFollow(), func(r *http.Request, resp *response) {
			resp.object(func(made map[string]any) {
				since.keep(pair(r, fieldText(made, "user_from_id"), fieldText(made, "user_to_id")), timeIn(made, "created_at"))
			})
		}),
		intercept(readsFollowers(), func(next http.Handler, r *http.Request) *response {
			resp, own := record(next, r), fieldText(ownRecord(next, r), "id")
			resp.list(func(followers []any) []any {
				shown := slices.Clone(followers)
				for _, item := range followers {
					user, _ := item.(map[string]any)
					if at, known := since.lookup(pair(r, fieldText(user, "id"), own)); known && timeIn(user, "updated_at").After(at) {
						shown = append(shown, item)
					}
				}
				return shown
			})
			return resp
		}),
	)(o)
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

// followersPassOn keeps followers by user name, and a new user finds those of its namesake.
func followersPassOn(inner refserver.Store, s *overrides) {
	left, inherited := &memory[[]store.ID]{}, &memory[[]store.ID]{} // by application and name; by user
	s.deleteUser = func(app store.App, id store.ID) error {
		user, missing := inner.User(app, id)
		followers := idsOf(inner.Followers, app, id)
		err := inner.DeleteUser(app, id)
		if missing == nil && err == nil {
			left.keep(keyOf(app)+user.UserName, followers)
		}
		return err
	}
	s.onCreateUser(func(user store.User) {
		inherited.keep(keyOf(user.App, user.ID), left.get(keyOf(user.App)+user.UserName))
	})
	extend(&s.followers, func(app store.App, id store.ID) (users []store.User, _ error) {
		for _, follower := range inherited.get(keyOf(app, id)) {
			if user, gone := inner.User(app, follower); gone == nil {
				users = append(users, user)
			}
		}
		return users, nil
	})
}

// firstLoginLosesFollowers forgets, at a user's first login, who follows by then.
func firstLoginLosesFollowers(inner refserver.Store, s *overrides) {
	lost, open := &memory[bool]{}, s.openSession // by follower and followed
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		before, missing := inner.User(app, id)
		token, user, err := open(app, id, verified)
		if missing == nil && err == nil && before.LastLogin.IsZero() {
			for _, follower := range idsOf(inner.Followers, app, id) {
				lost.keep(keyOf(app, follower, id), true)
			}
		}
		return token, user, err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { lost.keep(keyOf(app, from, to), false) })
	filter(&s.followers, func(app store.App, id store.ID, user store.User) bool { return lost.get(keyOf(app, user.ID, id)) })
}

// followersEndedBothWays ends two follows in the lists of followers where one is ended.
func followersEndedBothWays(inner refserver.Store, s *overrides) {
	lost := &memory[bool]{} // by the one who is followed and the follower
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		mutual := follows(inner, app, from, to) && follows(inner, app, to, from)
		err := inner.Disconnect(app, from, to, types...)
		if err == nil && mutual && !follows(inner, app, from, to) {
			lost.keep(keyOf(app, from, to), true)
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { lost.keep(keyOf(app, to, from), false) })
	filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
		return lost.get(keyOf(app, id, follower.ID))
	})
}
