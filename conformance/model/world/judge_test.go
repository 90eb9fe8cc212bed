package world

import (
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestWhatWasPushedOutNeedNotComeBack looks at an event that newer ones may have pushed out of a feed: as
// many as the target was ever seen to show.
func TestWhatWasPushedOutNeedNotComeBack(t *testing.T) {
	for longest, want := range map[int]bool{leeway.PromisedLength: true, 2 * leeway.PromisedLength: false} {
		st := New(leeway.Choices{Lengths: leeway.NewLengths()})
		st.Choices.Lengths.Saw(rules.Feed, longest)
		for _, id := range []string{"1", "2"} {
			st.Joined(value.Fields{"user_name": id}, value.Fields{"id": id})
		}
		st.Followed(Pair{0, 1})
		at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range leeway.PromisedLength + 1 {
			st.Posted(1, value.Fields{"verb": "like"}, value.Fields{"id": i, "created_at": at.Add(time.Duration(i) * time.Second).Format(time.RFC3339)})
		}
		if first, second := st.pushedOut(0, st.Events[0]), st.pushedOut(0, st.Events[1]); first != want || second {
			t.Errorf("feeds of %d: the oldest event may be pushed out: %v; the next: %v", longest, first, second)
		}
	}
}

// TestEventsOfFormerFriendsPushOut has a feed filled by one who asked its reader to be friends, and who then ends that or
// deletes itself.
func TestEventsOfFormerFriendsPushOut(t *testing.T) {
	for name, leaves := range map[string]func(*State){
		"stays": func(*State) {}, "ends": func(st *State) { st.Ended(Pair{2, 0}) }, "is deleted": func(st *State) { st.Deleted(2) },
	} {
		st := New(leeway.Choices{Lengths: leeway.NewLengths(), FriendsAtOnce: leeway.Yes})
		st.Choices.Lengths.Saw(rules.Feed, leeway.PromisedLength)
		for _, id := range []string{"0", "1", "2"} {
			st.Joined(value.Fields{"user_name": id}, value.Fields{"id": id})
		}
		st.Followed(Pair{0, 1})
		st.Asked(Pair{2, 0})
		at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		post := func(owner, second int) {
			st.Posted(owner, value.Fields{"verb": "like"}, value.Fields{"id": second, "created_at": at.Add(time.Duration(second) * time.Second).Format(time.RFC3339)})
		}
		for second := range leeway.PromisedLength - 1 {
			post(2, second+2)
		}
		post(1, 0) // whose answer came after one that the target created later
		post(2, leeway.PromisedLength+1)
		leaves(st)
		if !st.pushedOut(0, st.Events[leeway.PromisedLength-1]) {
			t.Errorf("the friend %s: the oldest event may not be pushed out", name)
		}
	}
}

// TestOwnIDsAreNamed sends a user's own id on a platform along, where it has one.
func TestOwnIDsAreNamed(t *testing.T) {
	u := &User{Fields: map[string]value.Set{"social_ids": {map[string]any{"facebook": "mine"}}}, Terms: map[string]string{"first_name": "no user's"}}
	if own, other := u.IdOn("facebook"), u.IdOn("twitter"); own != "mine" || other != "no user's" {
		t.Errorf("on the platform it is %q, on another %q", own, other)
	}
}

// livingUsers returns a state of n users with the ids "0", "1" and so on.
func livingUsers(n int) *State {
	st := New(leeway.Choices{})
	for i := range n {
		id := string(rune('0' + i))
		st.Joined(value.Fields{"user_name": "user" + id}, value.Fields{"id": id})
	}
	return st
}

// TestEachFieldIsBlamedByItself judges a record of which one field is garbled and others are
// missing, in whatever order the fields are compared.
func TestEachFieldIsBlamedByItself(t *testing.T) {
	st := New(leeway.Choices{})
	who := st.Joined(value.Fields{"user_name": "ada", "first_name": "Zoé", "url": "u", "last_name": "l", "custom_id": "c"}, value.Fields{"id": "0"})
	for range 50 {
		blamed := map[string]int{}
		for _, d := range st.judgeUser(Own(rules.GetMe, who), exchange.Response{Status: 200, Body: value.Fields{"id": "0", "user_name": "ada", "first_name": "Zo?"}}) {
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
	st.Followed(Pair{2, 0})
	st.Followed(Pair{2, 1})
	missing := 0
	for _, d := range st.judgeList(Own(rules.MyFollows, 2), exchange.Response{Status: 200, Body: []any{value.Fields{"id": "stranger"}, value.Fields{"id": "1"}}}) {
		if d.Symptom == "missing from follows" {
			missing++
		}
	}
	if missing != 1 {
		t.Errorf("%d are missing, want the one", missing)
	}
	for _, d := range st.judgeList(Own(rules.MyFollows, 2), exchange.Response{Status: 200, Body: []any{value.Fields{"id": "stranger"}, value.Fields{"id": "0"}, value.Fields{"id": "1"}}}) {
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
	st.Followed(Pair{follower, followed})
	st.Ended(Pair{follower, followed})
	st.Deleted(gone)
	for _, each := range []struct {
		what     string
		found    blame.Difference
		timeless bool
	}{
		{"a follow that has ended, among the followers", st.extraUser(Own(rules.MyFollowers, followed), follower), false},
		{"the same, among the follows", st.extraUser(Own(rules.MyFollows, follower), followed), false},
		{"a deleted user", st.extraUser(Own(rules.MyFollows, follower), gone), false},
		{"a user who was never connected", st.extraUser(Own(rules.MyFollows, follower), stranger), true},
	} {
		if each.found.Timeless != each.timeless {
			t.Errorf("%s: timeless is %v, want %v", each.what, each.found.Timeless, each.timeless)
		}
	}
}
