package faults

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// listsAfterDeletion are the faults of lists that a deleted user was in.
func listsAfterDeletion() []Fault {
	follows := func(s *overrides) *members { return &s.follows }
	followers := func(s *overrides) *members { return &s.followers }
	friends := func(s *overrides) *members { return &s.friends }
	return breaks("connections.lists.after-user-delete",
		fault("connections-deleted-stays-followed", "a deleted user stays among the follows of others", deletedStays(0, follows, allFollowers)),
		fault("connections-deleted-stays-follower", "a deleted user stays among the followers of the last user that it followed",
			deletedStays(0, followers, lastFollowed)),
		fault("connections-deleted-stays-friend", "a deleted user stays among the friends of others", deletedStays(0, friends, allFriends)),
		fault("connections-deleted-returns-as-friend", "a deleted user is back among the friends of others a second later",
			deletedStays(aMoment, friends, allFriends)))
}

// deletedStays keeps a deleted user in one of the lists of some of those who had it there.
func deletedStays(after time.Duration, list func(*overrides) *members, in readers) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		deleted, readers := &memory[store.User]{}, in(inner, s)
		stale := keepStaleUsers(list(s), func(app store.App, id store.ID) (store.User, error) { return deleted.get(keyOf(app, id)), nil })
		s.deleteUser = func(app store.App, id store.ID) error {
			had := readers(app, id)
			user, err := inner.User(app, id)
			if err = errors.Join(err, inner.DeleteUser(app, id)); err != nil {
				return err
			}
			deleted.keep(keyOf(app, id), user)
			for _, reader := range had {
				stale.keep(app, reader, id, after)
			}
			return nil
		}
	})
}

// staleUsers are the users that a list goes on showing, and from when on, by reader.
type staleUsers struct {
	since memory[map[store.ID]time.Time]
}

// keepStaleUsers makes a list show users that it lost; user finds them.
func keepStaleUsers(list *members, user func(store.App, store.ID) (store.User, error)) *staleUsers {
	s := &staleUsers{}
	extend(list, func(app store.App, reader store.ID) (users []store.User, _ error) {
		for id, since := range s.since.get(keyOf(app, reader)) {
			if shown, err := user(app, id); err == nil && !time.Now().Before(since) {
				users = append(users, shown)
			}
		}
		return users, nil
	})
	return s
}

func (s *staleUsers) keep(app store.App, reader, shown store.ID, after time.Duration) {
	s.change(app, reader, func(since map[store.ID]time.Time) { since[shown] = time.Now().Add(after) })
}

func (s *staleUsers) forget(app store.App, reader, shown store.ID) {
	s.change(app, reader, func(since map[store.ID]time.Time) { delete(since, shown) })
}

func (s *staleUsers) change(app store.App, reader store.ID, change func(map[store.ID]time.Time)) {
	s.since.update(keyOf(app, reader), func(before map[store.ID]time.Time) map[store.ID]time.Time {
		since := map[store.ID]time.Time{}
		maps.Copy(since, before)
		change(since)
		return since
	})
}

// listsOfOthers are the faults of lists that are right for the user whose they
// are, and outdated for others.
func listsOfOthers() []Fault {
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("connections-ended-seen-in-follows", "who is no longer followed is among the follows that others see",
				outdated(disconnects(), "follows", "follows")),
			fault("connections-ended-seen-in-followers", "who no longer follows is among the followers that others see",
				outdated(disconnects(), "followers", "follows"))),
		breaks("connections.lists.after-user-delete",
			fault("connections-deleted-seen-in-follows", "a deleted user is among the follows that others see",
				outdated(deletesUser(), "follows", "followers")),
			fault("connections-deleted-seen-in-followers", "a deleted user is among the followers that others see",
				outdated(deletesUser(), "followers", "follows")),
			fault("connections-deleted-seen-in-friends", "a deleted user is among the friends that others see",
				outdated(deletesUser(), "friends", "friends"))),
	)
}

// outdated shows a user's list to others as it was before the latest change to it
// that took somebody out. Where own is another list, it is that of the one who
// made the change, and names whose lists these are; a new connection mends them.
func outdated(change match, list, own string) mutation {
	before := &memory[[]byte]{} // by user
	return combine(
		intercept(change, func(next http.Handler, r *http.Request) *response {
			var affected []string
			inEach(func(user map[string]any) { affected = append(affected, fieldText(user, "id")) })(r, call(next, r, http.MethodGet, "/0.2/user/"+own, nil))
			if ended, is := strings.CutPrefix(r.URL.Path, "/0.2/user/connections/"); is {
				affected = []string{ended}
			}
			if list == own && list != "friends" {
				affected = []string{fieldText(ownRecord(next, r), "id")}
			}
			seen := map[string][]byte{}
			for _, id := range affected {
				seen[id] = call(next, r, http.MethodGet, "/0.2/users/"+id+"/"+list, nil).body
			}
			resp := record(next, r)
			for id, list := range seen {
				if resp.ok() {
					before.keep(id, list)
				}
			}
			return resp
		}),
		rewriteObject(connects(), func(connection map[string]any) {
			before.keep(fieldText(connection, "user_from_id"), nil)
			before.keep(fieldText(connection, "user_to_id"), nil)
		}),
		rewriteResponse(on("GET /0.2/users/{UserID}/"+list), func(r *http.Request, resp *response) {
			if was := before.get(userInPath(r)); len(was) > 0 && resp.ok() {
				resp.body = was
			}
		}),
	)
}
