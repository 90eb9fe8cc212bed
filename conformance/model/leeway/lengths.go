package leeway

import (
	"sync"

	"github.com/socialfeed/conform/conformance/rules"
)

// PromisedLength is how many entries a server is expected to list: it may show no more. The contract
// promises no length at all.
const PromisedLength = 20

// shortPage is what servers cut lists to that show even fewer.
const shortPage = 10

// Lengths are the longest lists that a target has shown, of each kind. Several goroutines may use it; nil
// records nothing, and stands for a target that cuts no list.
type Lengths struct {
	mu      sync.Mutex
	longest map[rules.Endpoint]int
}

// NewLengths returns Lengths of a target that has shown no list.
func NewLengths() *Lengths { return &Lengths{longest: map[rules.Endpoint]int{}} }

// kindOfList returns an endpoint that stands for all lists of a kind, which a server cuts alike.
func kindOfList(at rules.Endpoint) rules.Endpoint {
	if at.ListsConnections() {
		return rules.MyFollows
	}
	return at
}

// Saw records a list.
func (l *Lengths) Saw(at rules.Endpoint, length int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.longest[kindOfList(at)] = max(l.longest[kindOfList(at)], length)
}

// MayBeCut reports whether a list may be longer than what the target shows of it: it is longer than what
// is expected of servers, or as long as a short page and the target was never seen to show more.
func (l *Lengths) MayBeCut(at rules.Endpoint, length int) bool {
	if length >= PromisedLength || l == nil {
		return length >= PromisedLength
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return length == shortPage && l.longest[kindOfList(at)] <= shortPage
}

// MayPushOut reports whether so many newer events may have pushed an event out of a feed for good: they
// are as many as the target was ever seen to show.
func (l *Lengths) MayPushOut(newer int) bool {
	if newer < PromisedLength || l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return newer >= l.longest[rules.Feed]
}
