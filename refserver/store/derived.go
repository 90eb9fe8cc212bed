package store

import "bytes"

// derived is what the indexes and the search take from a user. It is made once
// for each state of these attributes, and before the writers' lock is held: texts may be long.
type derived struct {
	userName, email, customID []byte   // index keys
	folded                    []string // the searchable attributes
}

// verifierLength is how much of the password's hash stands in the keys of the
// names, so that a login finds its user among any number of namesakes.
const verifierLength = 8

// derive fills in the user's derived part, taking over what the user is alike in.
func (u *User) derive(alike ...*User) {
	for _, other := range alike {
		if other.derived != nil && u.UserName == other.UserName && u.Email == other.Email && u.CustomID == other.CustomID &&
			u.FirstName == other.FirstName && u.LastName == other.LastName && bytes.Equal(u.Password, other.Password) {
			u.derived = other.derived
			return
		}
	}
	u.derived = &derived{
		userName: nameKey(u.App, u.UserName, u.Password), email: nameKey(u.App, u.Email, u.Password),
		customID: textKey(u.App, u.CustomID), folded: foldAttributes(u),
	}
}

// nameKey keys a user by a name, or by a name and the password.
func nameKey(app App, name string, password []byte) []byte {
	k := textKey(app, name)
	if k == nil || len(password) < verifierLength {
		return k
	}
	return append(k, password[len(password)-verifierLength:]...)
}
