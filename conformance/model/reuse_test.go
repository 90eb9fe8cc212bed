package model

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestAdoptedUsersAreReplayedByUsersLikeThem confirms a difference that shows only for users with
// the values of a reused one.
func TestAdoptedUsersAreReplayedByUsersLikeThem(t *testing.T) {
	f := newFake(dialect{}, "")
	unable := altered{f, func(r Request, a Response) Response { // to log in who has a capital in the email
		sent, _ := r.Body.(Fields)
		if email := asText(sent["email"]); r.Endpoint == rules.Login && email != strings.ToLower(email) {
			return refuse(401)
		}
		return a
	}}
	adopted := reusableUser(t, f, "plain", "Me.")
	options := Options{Choices: dialect{}.choices(), Pause: noPause, Reuse: func() (ReusableUser, bool) { return adopted, true }}
	story := Story{Name: "a login", Slots: 1, Ops: []Op{{Kind: LogIn, V: 1}}}
	o, err := NewPlayer(unable, options).Play(t.Context(), story)
	if err != nil || len(o.Differences) == 0 {
		t.Fatalf("nothing shows: %v", err)
	}
	again := o.Replayable(story)
	for _, fields := range again.Users {
		if fields["password"] != nil {
			t.Error("the password is kept")
		}
	}
	options.Reuse = nil
	for like, s := range map[bool]Story{true: again, false: story} {
		found, err := NewPlayer(unable, options).Confirm(t.Context(), s, o.Differences[0], 3, 20)
		if err != nil || found.Stable != like {
			t.Errorf("by users like those: %t; stable: %t, %v", like, found.Stable, err)
		}
	}
}
