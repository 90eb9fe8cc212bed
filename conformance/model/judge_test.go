package model

import (
	"context"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

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

// tardy answers requests to connect by social ids with a success before it connects.
type tardy struct{ *fake }

func (l tardy) Do(ctx context.Context, r Request) (Response, error) {
	if r.Endpoint == rules.ConnectSocial {
		return Response{Status: 201, Body: Fields{}}, nil
	}
	return l.fake.Do(ctx, r)
}

// TestWhatSocialIDsAreToMakeMayNotBeThereYet ends a friend connection that social ids were to
// make, on a target where both sides have to ask: no list can show whether it exists.
func TestWhatSocialIDsAreToMakeMayNotBeThereYet(t *testing.T) {
	d := dialect{mutual: true}
	for _, kind := range []Kind{End, DisconnectBoth} {
		story := Story{Name: "tardy", Slots: 2, Plain: true, Ops: []Op{{Kind: LogIn, Actor: 0}, {Kind: ConnectBySocialID, Actor: 1, Other: 0, AsFriend: true}, {Kind: kind, Actor: 1, Other: 0}}}
		o, err := NewPlayer(tardy{newFake(d, "")}, Options{Choices: d.choices(), Pause: noPause}).Play(t.Context(), story)
		if err != nil {
			t.Fatal(err)
		}
		for _, difference := range o.Differences {
			t.Errorf("blamed: %s\n%s", difference, strings.Join(o.Log, "\n"))
		}
		if len(o.Log) < 4 {
			t.Errorf("told: %v", o.Log)
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
