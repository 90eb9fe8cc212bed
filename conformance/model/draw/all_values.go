package draw

import (
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// AllValues draws stories in which a few users take every value of every pool: in events,
// profiles, names and new users.
func AllValues(seed uint64) []story.Story {
	d := newGenerator(seed, "tours")
	return []story.Story{d.eventValues(), d.profileValues(), d.nameValues(), d.newUserValues()}
}

// valuesStory returns a story that begins with a follow and an event.
func (d generator) valuesStory(of string, slots int) story.Story {
	return story.Story{Values: d.values(), Name: "all values of " + of, Slots: slots, ShortAudit: true, Ops: []story.Op{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Post, Actor: 1}}}
}

// eventValues draws a user who posts all kinds of events and changes them to others, a few at
// a time, so that no feed exceeds the promised length.
func (d generator) eventValues() story.Story {
	s := d.valuesStory("events", 2)
	const few = leeway.PromisedLength / 2
	for i := range len(body.Texts()) {
		s.Ops = append(s.Ops, story.Op{Kind: story.Post, Actor: 1, Values: d.values()}, story.Op{Kind: story.Change, Actor: 1, Event: i, Values: d.values()}, story.Op{Kind: story.UpdateEventSimilar, Actor: 1, Event: i})
		if i%few == few-1 {
			s.Ops = append(s.Ops, story.Op{Kind: story.Audit, Extent: story.AuditFeeds})
		}
	}
	return s
}

// profileValues draws a user who takes all kinds of profiles, and is searched for by them.
func (d generator) profileValues() story.Story {
	s := d.valuesStory("profiles", 3)
	for i := range body.Texts() {
		s.Ops = append(s.Ops, story.Op{Kind: story.Edit, Actor: 1, Values: d.values()}, story.Op{Kind: story.Audit, Actor: 1, Extent: story.AuditNameParts}, story.Op{Kind: story.UpdateSimilar, Actor: 1, Variant: i})
	}
	return s
}

// nameValues draws a user who takes all kinds of names and passwords, and logs in by them.
func (d generator) nameValues() story.Story {
	s := d.valuesStory("names", 3)
	login := []story.Op{{Kind: story.LogIn, Actor: 1}, {Kind: story.LogIn, Actor: 1, ByEmail: true}}
	for range body.UserNames() {
		s.Ops = append(append(s.Ops, story.Op{Kind: story.Rename, Actor: 1, Values: d.values()}, story.Op{Kind: story.Audit, Actor: 1, Extent: story.AuditNames}, story.Op{Kind: story.Audit, Actor: 1, Extent: story.AuditNameParts}), login...)
	}
	for i := range body.Passwords() {
		s.Ops = append(append(s.Ops, story.Op{Kind: story.ChangePassword, Actor: 1, Awkward: true, Values: i + 1}), login...)
		s.Ops = append(s.Ops, story.Op{Kind: story.ChangePassword, Actor: 1})
	}
	s.Ops = append(append(s.Ops, story.Op{Kind: story.ChangePassword, Actor: 1, OtherCase: true}, story.Op{Kind: story.ChangePassword, Actor: 1, OtherCase: true}), login...)
	return s
}

// newUserValues draws a user who connects to users with all kinds of ids, some of whom never
// logged in, and to users with the name of a deleted one.
func (d generator) newUserValues() story.Story {
	const newUsers = 10
	s := d.valuesStory("new users", 2+newUsers)
	for i := 2; i < s.Slots; i++ {
		s.Ops = append(s.Ops, story.Op{Kind: story.Join, Actor: i, WithoutLogin: i%2 != 0}, story.Op{Kind: story.Audit, Actor: 1, Extent: story.AuditNameParts}, story.Op{Kind: story.ConnectBySocialID, Actor: 0, Other: i, AsFriend: (i/4)%2 != 0}, story.Op{Kind: story.ConnectBySocialID, Actor: 1, Other: i, AsFriend: (i/4+1)%2 != 0})
	}
	s.Ops = append(s.Ops, story.Op{Kind: story.Audit, Actor: 0, Other: 1, Extent: story.AuditPair}, story.Op{Kind: story.DeleteUser, Actor: 2}, story.Op{Kind: story.Recreate, Actor: 2, Values: 1, WithoutLogin: true}, story.Op{Kind: story.DeleteUser, Actor: 3}, story.Op{Kind: story.Recreate, Actor: 3, Values: 2},
		story.Op{Kind: story.Post, Actor: 2, Values: d.values()}, story.Op{Kind: story.DeleteUser, Actor: 2}, story.NewOp(story.Recreate, 2, 0, 0, d.values()), story.Op{Kind: story.Audit})
	return s
}
