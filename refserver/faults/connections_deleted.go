package faults

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// listsAfterDeletion are the faults of lists that a deleted user was in.
func listsAfterDeletion() []Fault {
	const rule = "connections.lists.after-user-delete"
	return []Fault{
		{
			Name: "connections-deleted-stays-followed", Rule: rule,
			Summary: "a deleted user stays among the follows of others",
			Apply:   deletedStays(0, false, func(s *swapped) *members { return &s.follows }, refserver.Store.Followers),
		},
		{
			Name: "connections-deleted-stays-follower", Rule: rule,
			Summary: "a deleted user stays among the followers of the last user that it followed",
			Apply:   deletedStays(0, true, func(s *swapped) *members { return &s.followers }, refserver.Store.Follows),
		},
		{
			Name: "connections-deleted-stays-friend", Rule: rule,
			Summary: "a deleted user stays among the friends of others",
			Apply:   deletedStays(0, false, func(s *swapped) *members { return &s.friends }, refserver.Store.Friends),
		},
		{
			Name: "connections-deleted-returns-as-friend", Rule: rule,
			Summary: "a deleted user is back among the friends of others a second later",
			Apply:   deletedStays(aMoment, false, func(s *swapped) *members { return &s.friends }, refserver.Store.Friends),
		},
	}
}

// deletedStays keeps a deleted user in one of the lists of those who had it
// there, or only of the last of them.
func deletedStays(after time.Duration, lastAlone bool, list func(*swapped) *members, readers func(refserver.Store, store.App, store.ID) ([]store.User, error)) func(*refserver.Options) {
	type ghost struct {
		user store.User
		from time.Time
	}
	return swap(func(inner refserver.Store, s *swapped) {
		ghosts := &memory[[]ghost]{}
		var one sync.Mutex // of the deletions at a time
		s.deleteUser = func(app store.App, id store.ID) error {
			one.Lock()
			defer one.Unlock()
			user, err := inner.User(app, id)
			had, cause := readers(inner, app, id)
			if err = errors.Join(err, cause, inner.DeleteUser(app, id)); err != nil {
				return err
			}
			if lastAlone {
				had = had[max(0, len(had)-1):]
			}
			for _, reader := range had {
				before, _ := ghosts.get(keyOf(app, reader.ID))
				ghosts.keep(keyOf(app, reader.ID), append(slices.Clip(before), ghost{user, time.Now().Add(after)}))
			}
			return nil
		}
		shown := list(s)
		real := *shown
		*shown = func(app store.App, id store.ID) ([]store.User, error) {
			users, err := real(app, id)
			kept, _ := ghosts.get(keyOf(app, id))
			for _, g := range kept {
				if err == nil && !time.Now().Before(g.from) {
					users = append(users, g.user)
				}
			}
			return users, err
		}
	})
}

// oneWayLists are the faults of what a follow means for its other end.
func oneWayLists() []Fault {
	const rule = "connections.lists.one-way"
	both := func(list *members, more members) {
		listed := *list
		*list = func(app store.App, id store.ID) ([]store.User, error) {
			users, err := listed(app, id)
			further, cause := more(app, id)
			for _, user := range further {
				if !slices.ContainsFunc(users, func(u store.User) bool { return u.ID == user.ID }) {
					users = append(users, user)
				}
			}
			return users, errors.Join(err, cause)
		}
	}
	return []Fault{
		{
			Name: "connections-follow-is-returned", Rule: rule,
			Summary: "the follows of a user hold its followers too",
			Also:    []Unavoidable{{"connections.lists.follows", "a list that holds a follower who is not followed is not exactly the users followed"}},
			Apply:   swap(func(inner refserver.Store, s *swapped) { both(&s.follows, inner.Followers) }),
		},
		{
			Name: "connections-followers-hold-the-followed", Rule: rule,
			Summary: "the followers of a user hold those whom it follows too",
			Also:    []Unavoidable{{"connections.lists.followers", "a list that holds a followed user who does not follow is not exactly the followers"}},
			Apply:   swap(func(inner refserver.Store, s *swapped) { both(&s.followers, inner.Follows) }),
		},
		{
			Name: "connections-follower-is-a-friend", Rule: rule,
			Summary: "the friends of a user hold its followers too",
			Apply:   swap(func(inner refserver.Store, s *swapped) { both(&s.friends, inner.Followers) }),
		},
	}
}

// friendships are the faults of friend connections that both sides make.
func friendships() []Fault {
	return []Fault{
		{
			Name: "connections-friend-only-of-who-asked", Rule: "connections.friends.mutual",
			Summary: "of two friends only the one who asked first lists the other",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				askedFirst := whoAskedFirst(s)
				s.friends = func(app store.App, id store.ID) ([]store.User, error) {
					users, err := inner.Friends(app, id)
					return slices.DeleteFunc(users, func(u store.User) bool { return askedFirst(app, u.ID, id) }), err
				}
			}),
		},
		{
			Name: "connections-friend-back-refused", Rule: "connections.friends.mutual",
			Summary: "to ask a friend back is refused as a wrong parameter",
			Apply: around(connects().and(ofType("friend")), func(next http.Handler, r *http.Request) *response {
				friend := listsUser(call(next, r, http.MethodGet, "/0.2/user/friends", nil), fieldText(sent(r), "user_to_id"))
				resp := record(next, r)
				if friend {
					answers(http.StatusUnprocessableEntity, `{}`)(r, resp)
				}
				return resp
			}),
		},
	}
}

// whoAskedFirst watches friend connections. What it returns tells whether the
// first of two friends asked before the other did.
func whoAskedFirst(s *swapped) func(app store.App, id, other store.ID) bool {
	asked := &memory[bool]{}
	connect := s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		if first, _ := asked.get(keyOf(app, to, from)); typ == store.Friend && !first {
			asked.keep(keyOf(app, from, to), true)
		}
		return connect(app, from, to, typ)
	}
	connectSocial := s.connectSocial
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		before := idsOf(s.Store.Friends, app, from)
		err := connectSocial(app, from, platform, ids, typ)
		for _, id := range idsOf(s.Store.Friends, app, from) {
			if !slices.Contains(before, id) {
				asked.keep(keyOf(app, from, id), true)
			}
		}
		return err
	}
	return func(app store.App, id, other store.ID) bool {
		first, _ := asked.get(keyOf(app, id, other))
		return first
	}
}
