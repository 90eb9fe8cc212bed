package store

import (
	"slices"

	"github.com/hashicorp/go-memdb"
)

// Follows lists the users that a user follows, in the order of their ids.
func (s *Store) Follows(app App, id ID) ([]User, error) {
	return s.list(app, id, s.followed(byID))
}

// Followers lists the users who follow a user, in the order of their ids.
func (s *Store) Followers(app App, id ID) ([]User, error) {
	return s.list(app, id, s.followed(byTarget))
}

// Friends lists a user's friends, in the order of their ids.
func (s *Store) Friends(app App, id ID) ([]User, error) {
	return s.list(app, id, friends)
}

// members names the users of a list.
type members func(txn *memdb.Txn, app App, id ID) []ID

// followed names the other ends of a user's follows, on the side that the index
// reads, and its friends where the policy counts them in.
func (s *Store) followed(index string) members {
	return func(txn *memdb.Txn, app App, id ID) []ID {
		ids := peers(txn, index, app, id, Follow)
		if s.policy.FriendsFollow {
			ids = append(ids, friends(txn, app, id)...)
		}
		return ids
	}
}

// friends returns the users joined to a user by a confirmed friend connection,
// whichever side made it.
func friends(txn *memdb.Txn, app App, id ID) []ID {
	return append(peers(txn, byID, app, id, Friend), peers(txn, byTarget, app, id, Friend)...)
}

// list reads the users that members names, each once. The user asked about must
// exist now; its list may lag.
func (s *Store) list(app App, id ID, members members) ([]User, error) {
	if _, err := existing(s.read().users, app, id); err != nil {
		return nil, err
	}
	state := s.readLagged()
	ids := members(state.Txn, app, id)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	listed := make([]User, 0, len(ids))
	for _, id := range ids {
		if user := state.users.get(app, id); user != nil { // see DeleteUser
			listed = append(listed, *user)
		}
	}
	return listed, nil
}
