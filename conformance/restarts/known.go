package restarts

import "fmt"

// known is everything that a play has named, whether or not the target has it.
type known struct {
	users    map[int]*user
	events   map[int]*posted
	sessions map[int]*session
	unseen   map[int]bool // events of which no view showed whether they outlived a restart

	// ids are those that were given, with how many starts of the target there were by then, and what
	// they were given to.
	ids map[string]given
}

type user struct {
	name, password string
	id             string // "" until an answer had it
	token          string // of the latest session, "" for none
	session        int    // its number
}

// posted is an event. Its marker is the id of its object, which no other has.
type posted struct {
	owner  int
	marker string
	id     string
}

type session struct {
	user  int
	token string
}

type given struct {
	starts int
	to     string
}

func newKnown() *known {
	return &known{map[int]*user{}, map[int]*posted{}, map[int]*session{}, map[int]bool{}, map[string]given{}}
}

// open notes a session of a user.
func (k *known) open(u int, token string) int {
	n := len(k.sessions) + 1
	k.sessions[n] = &session{u, token}
	k.users[u].token, k.users[u].session = token, n
	return n
}

// userName is what people read of a user.
func userName(n int) string { return fmt.Sprintf("user %d", n) }

func eventName(n int) string { return fmt.Sprintf("event %d", n) }
