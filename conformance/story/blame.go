package story

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// cause is what the table of blame looks at: a difference, and what the world knows of its users.
type cause struct {
	Diff
	w             *World
	viewer, owner int
	subject       *user    // nil if the subject is no user
	event         *event   // nil if it is no event
	there, back   relation // of the reader to the subject or its owner, and the reverse
	friends       Tri
	lastShown     int    // when the view last showed the subject, 0 for never
	happened      []past // since then
}

// blame is a row of the table: the rule and endpoint for differences of some kinds that meet a
// condition.
type blame struct {
	rule  string
	at    func(c *cause) rules.Endpoint
	kinds []DiffKind
	when  func(c *cause) bool
}

// place returns the rule to blame for a difference, and where: the first row that fits.
func (w *World) blame(d Diff) rules.Place {
	c := w.causeOf(d)
	for _, row := range blames() {
		if slices.Contains(row.kinds, d.Kind) && row.when(c) {
			return rules.Place{Rule: row.rule, At: row.at(c)}
		}
	}
	return rules.Place{Rule: d.Expect.Rule, At: d.Expect.At} // as the table of actions says
}

func (w *World) causeOf(d Diff) *cause {
	c := &cause{Diff: d, w: w, viewer: d.View.viewer, owner: d.View.owner, lastShown: w.shown[d.View]}
	other := -1
	switch {
	case d.View.subject < 0 || d.Kind == Foreign:
	case d.View.isEvent:
		c.event = &w.events[d.View.subject]
		other = c.event.owner
	default:
		c.subject = &w.users[d.View.subject]
		other = d.View.subject
	}
	if c.owner >= 0 && other >= 0 && other != c.owner && other < len(w.users) {
		p := pair{c.owner, other}
		c.there, c.back, c.friends = w.relation(p), w.relation(p.reversed()), w.friends(p)
	}
	if c.lastShown > 0 {
		c.happened = w.since(c.lastShown - 1)
	}
	return c
}

// ended returns when a connection between the two ended last.
func (c *cause) ended() int { return max(c.there.ended, c.back.ended) }

// happenedSince reports whether something took effect since a time.
func (c *cause) happenedSince(when int, is func(past) bool) bool {
	return slices.ContainsFunc(c.w.since(when), is)
}

// lastOf returns the latest of some actions since the view showed the subject, "" for none.
func (c *cause) lastOf(names ...string) string {
	if c.lastShown <= max(c.ended(), 0) {
		return ""
	}
	for _, p := range slices.Backward(c.happened) {
		if slices.Contains(names, p.do) && p.refused == notRefused {
			return p.do
		}
	}
	return ""
}

// othersEnd reports whether, since the reader's follow was made, the followed user ended its own
// connections to the reader, or tried to end the follow.
func (c *cause) othersEnd(follower, followed, since int) bool {
	return c.happenedSince(since, func(p past) bool { return p.do == "disconnect" && p.user == followed && p.other == follower })
}

// attempted returns why a value had to be refused that is now shown.
func attemptOf(attempts []attempted, field string, got any, since int) (refusal, rules.Endpoint) {
	for _, a := range slices.Backward(attempts) {
		if a.field == field && same(a.value, got) && a.when >= since {
			return a.why, a.at
		}
	}
	return notRefused, rules.NoEndpoint
}

// shownWrongly returns why the wrong value that is shown had to be refused.
func (c *cause) shownWrongly() (refusal, rules.Endpoint) {
	switch {
	case c.event != nil:
		return attemptOf(c.event.attempts, c.Field, c.Got, 0)
	case c.subject != nil:
		return attemptOf(c.subject.attempts, c.Field, c.Got, 0)
	}
	return notRefused, rules.NoEndpoint
}

// deletedWrongly returns why the deletion of an event that a feed lacks had to be refused.
func (c *cause) deletedWrongly() refusal {
	if c.event == nil {
		return notRefused
	}
	why, _ := attemptOf(c.event.attempts, "", nil, max(c.lastShown, 1))
	return why
}

// formerValue reports whether an event has the value that it had before a change.
func (c *cause) formerValue() bool {
	return c.event != nil && slices.ContainsFunc(c.event.earlier, func(before Fields) bool {
		was := valueOf(before, c.Field)
		return same(was, c.Got) || strings.HasSuffix(c.Field, "_at") && sameInstant(was, c.Got)
	})
}

// list reports whether the difference is in one of the six lists, of one kind.
func (c *cause) list(at rules.Endpoint) bool { return c.At.OwnList() == at }

func (c *cause) ofUser() bool { return c.At.OwnList() != c.At }

// severalFollowed reports whether a feed must show events of several followed users.
func (c *cause) severalFollowed() bool {
	authors := map[int]bool{}
	for i, e := range c.w.events {
		if c.w.shows(c.owner, i) == Yes && c.w.relation(pair{c.owner, e.owner}).follow == Yes {
			authors[e.owner] = true
		}
	}
	return len(authors) > 1
}

// shownElsewhere reports whether the reader's feed does show something.
func (c *cause) showsSomething() bool {
	n, _ := c.Got.(int)
	return n > 0
}

// nobodyListed reports whether a list or a feed must be empty.
func (c *cause) nobodyListed() bool {
	if c.At == rules.Feed {
		for i := range c.w.events {
			if c.w.shows(c.owner, i) != No {
				return false
			}
		}
		return true
	}
	for who := range c.w.users {
		if c.w.users[who].app == c.App && c.w.listed(c.At, c.owner, who) != No {
			return false
		}
	}
	return true
}

// friendsOfOwner counts the friends of the owner of a list.
func (c *cause) friendsOfOwner() int {
	n := 0
	for other := range c.w.users {
		if c.w.users[other].app == c.App && c.w.listed(rules.MyFriends, c.owner, other) == Yes {
			n++
		}
	}
	return n
}

// nameReused reports whether, since the owner of an event was deleted, somebody was created under its name.
func (c *cause) nameReused() bool {
	owner := c.w.users[c.event.owner]
	return c.happenedSince(owner.deleted, func(p past) bool { return p.do == "create" && c.w.users[p.user].name == owner.name })
}
