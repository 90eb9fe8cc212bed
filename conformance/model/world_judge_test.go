package model

import (
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

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

// livingUsers returns a state of n users with the ids "0", "1" and so on.
func livingUsers(n int) *State {
	st := newState(Choices{})
	for i := range n {
		id := string(rune('0' + i))
		st.joined(Fields{"user_name": "user" + id}, Fields{"id": id})
	}
	return st
}

// TestEachFieldIsBlamedByItself judges a record of which one field is garbled and others are
// missing, in whatever order the fields are compared.
func TestEachFieldIsBlamedByItself(t *testing.T) {
	st := newState(Choices{})
	who := st.joined(Fields{"user_name": "ada", "first_name": "Zoé", "url": "u", "last_name": "l", "custom_id": "c"}, Fields{"id": "0"})
	for range 50 {
		blamed := map[string]int{}
		for _, d := range st.judgeUser(own(rules.GetMe, who), Response{Status: 200, Body: Fields{"id": "0", "user_name": "ada", "first_name": "Zo?"}}) {
			blamed[d.Rule]++
		}
		if blamed["transport.unicode-roundtrip"] != 1 || blamed["users.me.get"] != 3 {
			t.Fatalf("blamed are %v", blamed)
		}
	}
}

// TestAStrangerInAListStandsForNobody judges a list that has a stranger in place of the user
// who was created first.
func TestAStrangerInAListStandsForNobody(t *testing.T) {
	st := livingUsers(3)
	st.followed(pair{2, 0})
	st.followed(pair{2, 1})
	missing := 0
	for _, d := range st.judgeList(own(rules.MyFollows, 2), Response{Status: 200, Body: []any{Fields{"id": "stranger"}, Fields{"id": "1"}}}) {
		if d.symptom == "missing from follows" {
			missing++
		}
	}
	if missing != 1 {
		t.Errorf("%d are missing, want the one", missing)
	}
	for _, d := range st.judgeList(own(rules.MyFollows, 2), Response{Status: 200, Body: []any{Fields{"id": "stranger"}, Fields{"id": "0"}, Fields{"id": "1"}}}) {
		if d.Actual != "user stranger" {
			t.Errorf("blamed is %s", d)
		}
	}
}

// TestLagExplainsWhatWasRightOnce judges lists that show what has ended, which copies
// that lag may, and what never was, which they may not.
func TestLagExplainsWhatWasRightOnce(t *testing.T) {
	const follower, followed, gone, stranger = 0, 1, 2, 3
	st := livingUsers(4)
	st.followed(pair{follower, followed})
	st.ended(pair{follower, followed})
	st.deleted(gone)
	for _, each := range []struct {
		what     string
		found    Difference
		timeless bool
	}{
		{"a follow that has ended, among the followers", st.extraUser(own(rules.MyFollowers, followed), follower), false},
		{"the same, among the follows", st.extraUser(own(rules.MyFollows, follower), followed), false},
		{"a deleted user", st.extraUser(own(rules.MyFollows, follower), gone), false},
		{"a user who was never connected", st.extraUser(own(rules.MyFollows, follower), stranger), true},
	} {
		if each.found.timeless != each.timeless {
			t.Errorf("%s: timeless is %v, want %v", each.what, each.found.timeless, each.timeless)
		}
	}
}
