package model

import (
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestTextsMayBeKeptInOtherForms has a target show texts otherwise than they were sent: in lower case,
// without the blanks around them, or with a sign for half a surrogate pair. That is a choice where it
// does so everywhere.
func TestTextsMayBeKeptInOtherForms(t *testing.T) {
	for name, test := range map[string]struct {
		field, sent string
		shown       []string // by a create, and by reads of the user's own
		want        string
	}{
		"an email in lower case":                       {"email", "Ann@Example.com", []string{"ann@example.com", "ann@example.com"}, ""},
		"an email in lower case once":                  {"email", "Ann@Example.com", []string{"ann@example.com", "Ann@Example.com"}, "users.create.echo"},
		"a name in lower case":                         {"first_name", "Ann", []string{"ann", "ann"}, "users.create.echo"},
		"a name without blanks around it":              {"first_name", " Ann ", []string{"Ann", "Ann"}, ""},
		"a name without blanks once":                   {"first_name", " Ann ", []string{"Ann", " Ann "}, "users.create.echo"},
		"a name without blanks inside":                 {"first_name", "A nn", []string{"Ann", "Ann"}, "users.create.echo"},
		"three signs for half a pair of surrogates":    {"first_name", "a\ufffd", []string{"a\ufffd\ufffd\ufffd", "a\ufffd\ufffd\ufffd"}, ""},
		"a name of which nothing is kept but one sign": {"first_name", "Ann", []string{"A", "A"}, "users.create.echo"},
	} {
		t.Run(name, func(t *testing.T) {
			s, checker := &seen{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}, NewTrafficChecker()
			user := func(shown string) Fields {
				return Fields{"id": "7", "user_name": "a", test.field: shown, "session_token": "token"}
			}
			s.add(rules.CreateUser, 201, Fields{"user_name": "a", test.field: test.sent}, user(test.shown[0])).Session = ""
			for _, shown := range test.shown[1:] {
				s.add(rules.GetMe, 200, nil, user(shown))
			}
			if blamed := s.blamedBy(checker); blamed != test.want {
				t.Errorf("blamed is %q, want %q", blamed, test.want)
			}
		})
	}
}

// TestShortPagesAreNoLosses looks at a list that lacks a user: a target that was never seen to show more
// than a short page may cut it, another may not.
func TestShortPagesAreNoLosses(t *testing.T) {
	for longest, cut := range map[int]bool{0: true, shortPage: true, shortPage + 1: false, promisedLength + 5: false} {
		l := NewLengths()
		l.saw(rules.FollowsOf, longest)
		if got := l.mayBeCut(rules.MyFollowers, shortPage); got != cut {
			t.Errorf("after a list of %d, one of %d may be cut: %v", longest, shortPage, got)
		}
		if l.mayBeCut(rules.MyFollowers, shortPage-1) || l.mayBeCut(rules.MyFollowers, shortPage+1) || !l.mayBeCut(rules.MyFollowers, promisedLength) {
			t.Errorf("after a list of %d, other lists are cut otherwise", longest)
		}
	}
	var none *Lengths
	if none.mayBeCut(rules.Feed, shortPage) || !none.mayBeCut(rules.Feed, promisedLength) || none.mayPushOut(100) {
		t.Error("without knowledge, a list is cut at more than what is expected of every server")
	}
}

// TestWhatWasPushedOutNeedNotComeBack looks at an event that newer ones may have pushed out of a feed: as
// many as the target was ever seen to show.
func TestWhatWasPushedOutNeedNotComeBack(t *testing.T) {
	for longest, want := range map[int]bool{promisedLength: true, 2 * promisedLength: false} {
		st := newState(Choices{Lengths: NewLengths()})
		st.choices.Lengths.saw(rules.Feed, longest)
		for _, id := range []string{"1", "2"} {
			st.joined(Fields{"user_name": id}, Fields{"id": id})
		}
		st.followed(pair{0, 1})
		at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range promisedLength + 1 {
			st.posted(1, Fields{"verb": "like"}, Fields{"id": i, "created_at": at.Add(time.Duration(i) * time.Second).Format(time.RFC3339)})
		}
		if first, second := st.pushedOut(0, st.events[0]), st.pushedOut(0, st.events[1]); first != want || second {
			t.Errorf("feeds of %d: the oldest event may be pushed out: %v; the next: %v", longest, first, second)
		}
	}
}

// TestEventsOfFormerFriendsPushOut has a feed filled by one who asked its reader to be friends, and who then ends that or
// deletes itself.
func TestEventsOfFormerFriendsPushOut(t *testing.T) {
	for name, leaves := range map[string]func(*State){
		"stays": func(*State) {}, "ends": func(st *State) { st.ended(pair{2, 0}) }, "is deleted": func(st *State) { st.deleted(2) },
	} {
		st := newState(Choices{Lengths: NewLengths(), FriendsAtOnce: Yes})
		st.choices.Lengths.saw(rules.Feed, promisedLength)
		for _, id := range []string{"0", "1", "2"} {
			st.joined(Fields{"user_name": id}, Fields{"id": id})
		}
		st.followed(pair{0, 1})
		st.asked(pair{2, 0})
		at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		post := func(owner, second int) {
			st.posted(owner, Fields{"verb": "like"}, Fields{"id": second, "created_at": at.Add(time.Duration(second) * time.Second).Format(time.RFC3339)})
		}
		for second := range promisedLength - 1 {
			post(2, second+2)
		}
		post(1, 0) // whose answer came after one that the target created later
		post(2, promisedLength+1)
		leaves(st)
		if !st.pushedOut(0, st.events[promisedLength-1]) {
			t.Errorf("the friend %s: the oldest event may not be pushed out", name)
		}
	}
}

// TestOwnIDsAreNamed sends a user's own id on a platform along, where it has one.
func TestOwnIDsAreNamed(t *testing.T) {
	u := &user{fields: map[string]lawful{"social_ids": {map[string]any{"facebook": "mine"}}}, terms: map[string]string{"first_name": "no user's"}}
	if own, other := u.idOn("facebook"), u.idOn("twitter"); own != "mine" || other != "no user's" {
		t.Errorf("on the platform it is %q, on another %q", own, other)
	}
}
