package faults

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourthSequencesOfUsers are the faults of what is written before the checks, and of
// hashes that hang on another field.
func fourthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("users.create.status",
			fault("sequence-refused-create-reserves-the-name", "a create that was refused with 422 leaves its user name reserved: the next one under it is answered with 409",
				withTokens(refusedNamesReserved))),
		breaks("search.non-match-excluded",
			fault("sequence-refused-update-is-indexed", "a search also finds a user by the names in an update that was refused with 422, until the next one that is not", refusedUpdatesIndexed)),
		breaks("users.me.update.password",
			fault("sequence-new-name-and-password-at-once-void", "a new password that comes with a new user name is hashed with the former name, and logs in no more",
				intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
					former, sent := fieldText(ownRecord(next, r), "user_name"), requestObject(r)
					if secret := fieldText(sent, "password"); former != "" && secret != "" && fieldText(sent, "user_name") != former {
						inBody(set("password", former+"\n"+secret))(r)
					}
					return record(next, r)
				}))),
	)
}

// refusedNamesReserved reserves a user name before it looks at the rest of a create.
func refusedNamesReserved(tokens []string) mutation {
	reserved := &memory[bool]{} // by application and user name
	key := func(app store.App, name string) string { return keyOf(app) + name }
	return combine(
		rewriteResponse(createsUser(), onStatus(422, func(r *http.Request, _ *response) {
			app := store.App(slices.Index(tokens, appIn(r)) + 1)
			if name := fieldText(requestObject(r), "user_name"); name != "" {
				reserved.keep(key(app, name), true)
			}
		})),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.createUser = func(app store.App, user store.User) (store.User, error) {
				if reserved.get(key(app, user.UserName)) {
					return store.User{}, store.ErrConflict
				}
				return inner.CreateUser(app, user)
			}
		}),
	)
}

// refusedUpdatesIndexed has a search look at what updates sent, whether they were taken or not.
func refusedUpdatesIndexed(o *refserver.Options) {
	drafts := &memory[map[string]string]{} // names by id, by application
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			id, resp, names := fieldText(ownRecord(next, r), "id"), record(next, r), ""
			if resp.status == http.StatusUnprocessableEntity {
				sent := requestObject(r)
				names = strings.Join([]string{fieldText(sent, "user_name"), fieldText(sent, "first_name"), fieldText(sent, "last_name")}, "\n")
			}
			drafts.update(appIn(r), func(before map[string]string) map[string]string {
				after := map[string]string{}
				maps.Copy(after, before)
				after[id] = names
				return after
			})
			return resp
		}),
		intercept(searches(), func(next http.Handler, r *http.Request) *response {
			resp, term, indexed := record(next, r), r.URL.Query().Get("q"), drafts.get(appIn(r))
			for _, id := range slices.Sorted(maps.Keys(indexed)) {
				if id != "" && term != "" && holdsText(indexed[id], term) {
					resp.list(func(list []any) []any { return withUser(list, call(next, r, http.MethodGet, "/0.2/users/"+id, nil)) })
				}
			}
			return resp
		}),
	)(o)
}

// withUser adds the user of a response to a list that lacks it.
func withUser(list []any, read *response) []any {
	user := objectOf(read.body)
	known := slices.ContainsFunc(list, func(item any) bool {
		other, _ := item.(map[string]any)
		return fieldText(other, "id") == fieldText(user, "id")
	})
	if !read.ok() || user == nil || known {
		return list
	}
	return append(list, user)
}

// fourthSequencesOfConnections are those of rows that are looked up by both their ends, and
// of lists that are kept.
func fourthSequencesOfConnections() []Fault {
	return slices.Concat(
		breaks("connections.lists.one-way",
			fault("sequence-follow-revives-the-ended-one-of-the-other", "who follows a user that has ended a follow in the other direction brings that one back as well", overrideStore(endedFollowsRevived))),
		breaks("connections.lists.follows",
			fault("sequence-follows-kept-while-as-many", "the own follows that a session has read are shown again as long as they are as many", followsKeptByCount)),
		breaks("connections.delete.removes",
			fault("sequence-friendship-ended-by-who-asked-last-stays", "where two users have asked each other to be friends, and the one who asked last ends it, that one stays among the friends of the other",
				overrideStore(halfFriendshipsStay))),
		breaks("feed.follow.earlier-events",
			fault("sequence-follow-back-without-earlier-events", "who follows a follower back does not see what that one posted before", overrideStore(noEarlierForFollowBack))),
		breaks("feed.purge.keeps-others",
			fault("sequence-purge-takes-events-of-refollowed", "with a deleted user's events those leave the feed of a follower whose owners it had unfollowed once, and follows again", overrideStore(purgeTakesRefollowed))),
	)
}

// endedFollowsRevived finds the row of an ended follow by its two ends, whichever way it goes.
func endedFollowsRevived(inner refserver.Store, s *overrides) {
	ended, disconnect := &memory[bool]{}, s.disconnect // by follower and followed
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		was := follows(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if was && err == nil {
			ended.keep(keyOf(app, from, to), !follows(inner, app, from, to))
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Follow && ended.keep(keyOf(app, to, from), false) {
			_, _, _ = inner.Connect(app, to, from, store.Follow) // both are there
		}
	})
}

// followsKeptByCount keeps a list until its length is another.
func followsKeptByCount(o *refserver.Options) {
	type page struct {
		body  []byte
		users int
	}
	kept := &memory[page]{} // by session
	rewriteResponse(readsFollows(), func(r *http.Request, resp *response) {
		list, _ := decode(resp.body).([]any)
		if !resp.ok() {
			return
		}
		if before, was := kept.lookup(sessionIn(r)); was && before.users == len(list) {
			resp.body = before.body
			return
		}
		kept.keep(sessionIn(r), page{resp.body, len(list)})
	})(o)
}

// halfFriendshipsStay leaves the half that the first of two friends has asked for.
func halfFriendshipsStay(inner refserver.Store, s *overrides) {
	asked, last := &memory[bool]{}, &memory[bool]{} // by who asked and who was asked
	stale, disconnect := keepStaleUsers(&s.friends, inner.User), s.disconnect
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ != store.Friend {
			return
		}
		stale.forget(app, from, to)
		stale.forget(app, to, from)
		if !asked.keep(keyOf(app, from, to), true) {
			last.keep(keyOf(app, from, to), asked.get(keyOf(app, to, from)))
		}
	})
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err != nil || !were || befriends(inner, app, from, to) {
			return err
		}
		if last.get(keyOf(app, from, to)) {
			stale.keep(app, to, from, 0)
		}
		for _, key := range []string{keyOf(app, from, to), keyOf(app, to, from)} {
			asked.keep(key, false)
			last.keep(key, false)
		}
		return nil
	}
}

// noEarlierForFollowBack takes the events of a pair for copied where it has a row already.
func noEarlierForFollowBack(inner refserver.Store, s *overrides) {
	since, connect := &memory[time.Time]{}, s.connect // by reader and owner
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && isNew && typ == store.Follow && follows(inner, app, to, from) {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { since.keep(keyOf(app, from, to), time.Time{}) })
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		return event.CreatedAt.Before(since.get(keyOf(r.app, r.id, event.Owner)))
	})
}

// purgeTakesRefollowed cleans, with the purge, what ended follows have left in the feeds.
func purgeTakesRefollowed(inner refserver.Store, s *overrides) {
	deleted, ended := watchDeletions(inner, s), endedAt(s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		left := ended(r.app, r.id, event.Owner)
		return !left.IsZero() && slices.ContainsFunc(deleted.in(r.app), func(gone deletion) bool {
			return slices.Contains(gone.followers, r.id) && left.Before(gone.at) && gone.isOlder(event)
		})
	})
}
