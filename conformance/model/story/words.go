package story

import (
	"fmt"
	"slices"
)

// The words of saved stories for arguments that are one of a few.

// ForeignWrite is what a user tries that only another may do.
type ForeignWrite uint8

const (
	ChangeForeignEvent ForeignWrite = iota // change an event of the other
	DeleteForeignEvent                     // delete one
	EndForeignFollow                       // end the other's follow of the actor
)

func foreignWrites() []string { return []string{"change event", "delete event", "end follow"} }

// MarshalText returns what is tried.
func (w ForeignWrite) MarshalText() ([]byte, error) { return []byte(foreignWrites()[w]), nil }

// UnmarshalText sets what is tried.
func (w *ForeignWrite) UnmarshalText(word []byte) error {
	return parse(w, "write", foreignWrites(), word)
}

// Extent is what an audit reads. One that is sent at once with another operation reads one endpoint, of the actor's own.
type Extent uint8

const (
	AuditAll           Extent = iota // all views of all users; lists take turns
	AuditFeeds                       // the feed of each user
	AuditFeedsAndLists               // and one list of each
	AuditPair                        // all views of both users
	AuditRepeatedly                  // the same views of both users repeatedly
	AuditNames                       // searches for the actor by its current and former names
	AuditThoroughly                  // every view of every user
	AuditSharedName                  // searches for the token that several user names share
	AuditNameParts                   // searches for the actor by parts of its names
	AuditOwnRecord                   // the actor's own user record
	AuditOwnFeed                     // the actor's feed
	AuditOwnFollowers                // the actor's list of followers
	AuditOwnFriends                  // the actor's list of friends
	AuditOthers                      // searches for some others, their records and lists, all by the actor, several at once
	AuditVersions                    // the list of versions, several times
)

func extents() []string {
	return []string{"all", "feeds", "feeds and lists", "pair", "repeatedly", "names", "thoroughly", "shared name", "name parts",
		"own record", "own feed", "own followers", "own friends", "others", "versions"}
}

// MarshalText returns the word for what is read.
func (e Extent) MarshalText() ([]byte, error) { return []byte(extents()[e]), nil }

// UnmarshalText sets what is read.
func (e *Extent) UnmarshalText(word []byte) error { return parse(e, "extent", extents(), word) }

// MarshalText returns the word for when the target is compared.
func (c CompareWhen) MarshalText() ([]byte, error) { return []byte(compareTimes()[c]), nil }

// UnmarshalText sets when the target is compared.
func (c *CompareWhen) UnmarshalText(word []byte) error {
	return parse(c, "time to compare", compareTimes(), word)
}

func compareTimes() []string { return []string{"at end", "after each", "every"} }

// MarshalText returns the name of the action.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets the action by its name.
func (k *Kind) UnmarshalText(name []byte) error {
	var names []string
	for each := range Kinds {
		names = append(names, each.String())
	}
	return parse(k, "operation", names, name)
}

// parse sets what is one of a few by its word.
func parse[T ~uint8](what *T, called string, words []string, word []byte) error {
	i := slices.Index(words, string(word))
	if i < 0 {
		return fmt.Errorf("there is no %s %q", called, word)
	}
	*what = T(i)
	return nil
}
