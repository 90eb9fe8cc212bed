package leeway

import (
	"encoding/json"

	"github.com/socialfeed/conform/conformance/model/value"
)

// Tri is a boolean that may be unknown.
type Tri int8

// The values of a Tri. Unknown, the zero value, makes either answer lawful.
const (
	Unknown Tri = iota
	No
	Yes
)

// Known returns a known Tri.
func Known(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// Either returns Yes if only yes was seen, No if only no was, and Unknown if neither or both
// were.
func Either(yes, no bool) Tri {
	if yes == no {
		return Unknown
	}
	return Known(yes)
}

// Resolve sets an answer that was unknown.
func (t *Tri) Resolve(answer Tri) {
	if *t == Unknown {
		*t = answer
	}
}

// Or returns whether either is true.
func (t Tri) Or(u Tri) Tri {
	switch {
	case t == Yes || u == Yes:
		return Yes
	case t == No && u == No:
		return No
	}
	return Unknown
}

// And returns whether both are true.
func (t Tri) And(u Tri) Tri {
	switch {
	case t == No || u == No:
		return No
	case t == Yes && u == Yes:
		return Yes
	}
	return Unknown
}

// Choices is what a target does where the contract is silent. What is Unknown is not judged,
// and operations whose outcome depends on it are left out of stories.
type Choices struct {
	FriendsAtOnce  Tri          // one side's friend connection suffices
	SocialFriends  Tri          // one side's friend connection suffices if it was made by social ids
	KindsStand     Tri          // a follow and a friend connection to the same user can exist side by side
	EndsWhole      Tri          // when one side ends a friendship that both asked for, both connections end
	Concurrent     Tri          // an earlier session survives a later login
	LogoutKeeps    Tri          // a user's other sessions survive a logout
	UpdateKeeps    Tri          // sessions survive an update that leaves the password alone
	KeepsUser      Tri          // an update of a user keeps what it does not send
	KeepsEvent     Tri          // an update of an event keeps what it does not send
	MergesMetadata Tri          // an update adds to a user's metadata instead of replacing it
	NamesRecur     Tri          // the name of a deleted user can be used again
	SocialConnects Tri          // connecting by social ids makes connections
	OmitsZeros     Tri          // coordinates of 0 count as blank and are left out
	LowersEmails   Tri          // emails are kept in lower case
	TrimsTexts     Tri          // texts are kept without the blanks around them
	Lengths        *Lengths     // the longest lists that it has shown
	Hidden         []string     // fields of a user that are not shown to others
	Defaults       value.Fields // what events have in fields that no request set, nil for nothing
}

// zeroCoordinate reports whether a field's value is a coordinate of 0.
func zeroCoordinate(name string, v any) bool {
	return (name == "latitude" || name == "longitude") && value.Same(v, json.Number("0"))
}

// Unset returns the lawful values of an event's field that no request has set.
func (c Choices) Unset(name string) value.Set {
	unset := value.Set{value.Absent{}}
	if filled, ok := c.Defaults[name]; ok {
		return unset.Or(filled)
	}
	return unset
}
