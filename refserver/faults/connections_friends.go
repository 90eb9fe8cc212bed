package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// friendships are the faults of friend connections that both sides make.
func friendships() []Fault {
	return breaks("connections.friends.mutual",
		fault("connections-friend-only-of-who-asked", "of two friends only the one who asked first lists the other",
			overrideStore(func(_ refserver.Store, s *overrides) {
				askedFirst := whoAskedFirst(s)
				filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return askedFirst(app, friend.ID, id) })
			})),
		fault("connections-friend-back-refused", "to ask a friend back is refused as a wrong parameter",
			intercept(createsFriend(), func(next http.Handler, r *http.Request) *response {
				friend := lists(next, r, "/0.2/user/friends", fieldText(requestObject(r), "user_to_id"))
				resp := record(next, r)
				if friend {
					replaceSuccess(422, `{}`)(r, resp)
				}
				return resp
			})))
}

// whoAskedFirst watches friend connections. What it returns reports whether the
// first of two friends asked before the other did.
func whoAskedFirst(s *overrides) func(app store.App, id, other store.ID) bool {
	asked, connect, connectSocial := &memory[bool]{}, s.connect, s.connectSocial
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		if typ == store.Friend && !asked.get(keyOf(app, to, from)) {
			asked.keep(keyOf(app, from, to), true)
		}
		return connect(app, from, to, typ)
	}
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
	return func(app store.App, id, other store.ID) bool { return asked.get(keyOf(app, id, other)) }
}
