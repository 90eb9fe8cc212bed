package store

import (
	"cmp"
	"fmt"
	"slices"
)

// names finds users by what they log in with, and by what must be unique. It
// belongs to the writer. A name that is neither, such as that of a user without a
// password, is not in it.
type names struct {
	policy   Policy
	bearers  bearers[nameKey]
	reserved map[nameKey]bool // by deleted users
}

type nameKey struct {
	app       App
	attribute attribute
	name      string
	verifier  verifier
}

type attribute string

const (
	byUserName attribute = "user_name"
	byEmail    attribute = "email"
	byCustomID attribute = "custom_id"
)

// verifier is the end of a password's hash. It is part of the key of a name that need
// not be unique, so that a login finds its user among any number of namesakes.
type verifier [8]byte

func newNames(policy Policy) *names {
	return &names{policy: policy, bearers: make(bearers[nameKey]), reserved: map[nameKey]bool{}}
}

func (x *names) unique(a attribute) bool {
	switch a {
	case byUserName:
		return x.policy.UniqueUserName
	case byEmail:
		return x.policy.UniqueEmail
	default:
		return x.policy.UniqueCustomID
	}
}

// key is under what a name is to be found, if at all.
func (x *names) key(app App, a attribute, name string, password []byte) (nameKey, bool) {
	k := nameKey{app: app, attribute: a, name: name}
	switch {
	case name == "":
		return k, false
	case x.unique(a):
		return k, true
	case a == byCustomID || len(password) < len(k.verifier):
		return k, false
	}
	k.verifier = verifier(password[len(password)-len(k.verifier):])
	return k, true
}

// keys are under what a user is to be found.
func (x *names) keys(u *User) []nameKey {
	var keys []nameKey
	for _, named := range []struct {
		by   attribute
		name string
	}{{byUserName, u.UserName}, {byEmail, u.Email}, {byCustomID, u.CustomID}} {
		if k, kept := x.key(u.App, named.by, named.name, u.Password); kept {
			keys = append(keys, k)
		}
	}
	return keys
}

// replace puts one state of a user in the place of another; nil is none.
func (x *names) replace(before, after *User) {
	if before != nil {
		for _, k := range x.keys(before) {
			x.bearers.remove(k, before.ID)
		}
	}
	if after != nil {
		for _, k := range x.keys(after) {
			x.bearers.add(k, after.ID)
		}
	}
}

// reservation is the user_name of a deleted user if it is to stay taken, else nil.
func (x *names) reservation(gone *User) *ReservedName {
	if !x.policy.ReserveUserName || gone.UserName == "" {
		return nil
	}
	return &ReservedName{gone.App, gone.UserName}
}

// reserve keeps names from all users, where the policy is so.
func (x *names) reserve(rows ...ReservedName) {
	for _, row := range rows {
		if x.policy.ReserveUserName {
			x.reserved[nameKey{app: row.App, attribute: byUserName, name: row.UserName}] = true
		}
	}
}

// reservations are the reserved names, in order.
func (x *names) reservations() []ReservedName {
	var rows []ReservedName
	for k := range x.reserved {
		rows = append(rows, ReservedName{k.app, k.name})
	}
	slices.SortFunc(rows, func(a, b ReservedName) int {
		return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(a.UserName, b.UserName))
	})
	return rows
}

// clash is ErrConflict where a name of the user's that must be unique is another's.
func (x *names) clash(u *User) error {
	for _, k := range x.keys(u) {
		if x.reserved[k] || x.unique(k.attribute) && slices.ContainsFunc(x.bearers[k], func(id ID) bool { return id != u.ID }) {
			return fmt.Errorf("a user with this %s %w", k.attribute, ErrConflict)
		}
	}
	return nil
}
