package play

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestAdoptedUsersAreReplayedByUsersLikeThem confirms a difference that shows only for users with
// the values of a reused one.
func TestAdoptedUsersAreReplayedByUsersLikeThem(t *testing.T) {
	f := newFake(dialect{}, "")
	unable := altered{f, func(r exchange.Request, a exchange.Response) exchange.Response { // to log in who has a capital in the email
		sent, _ := r.Body.(value.Fields)
		if email := value.Text(sent["email"]); r.Endpoint == rules.Login && email != strings.ToLower(email) {
			return refuse(401)
		}
		return a
	}}
	adopted := reusableUser(t, f, "plain", "Me.")
	options := Options{Choices: dialect{}.choices(), Pause: noPause, Reuse: func() (reuse.User, bool) { return adopted, true }}
	s := story.Story{Name: "a login", Slots: 1, Ops: []story.Op{{Kind: story.LogIn, ByEmail: true}}}
	o, err := NewPlayer(unable, options).Play(t.Context(), s)
	if err != nil || len(o.Differences) == 0 {
		t.Fatalf("nothing shows: %v", err)
	}
	again := o.Replayable(s)
	for _, fields := range again.Users {
		if fields["password"] != nil {
			t.Error("the password is kept")
		}
	}
	options.Reuse = nil
	for like, s := range map[bool]story.Story{true: again, false: s} {
		found, err := NewPlayer(unable, options).Confirm(t.Context(), s, o.Differences[0], 3, 20)
		if err != nil || found.Stable != like {
			t.Errorf("by users like those: %t; stable: %t, %v", like, found.Stable, err)
		}
	}
}

// TestReusedUsersAreReplayedInTheOrderOfTheirCreation confirms a difference that shows only where the
// followed user is older than its follower.
func TestReusedUsersAreReplayedInTheOrderOfTheirCreation(t *testing.T) {
	f := newFake(dialect{}, "")
	owners := map[string]string{} // by session
	before := func(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }
	forgetful := altered{f, func(r exchange.Request, a exchange.Response) exchange.Response {
		if token, there := a.Object()["session_token"].(string); there {
			owners[token] = value.ID(a.Object()["id"])
		}
		if all, is := a.Body.([]any); is && r.Endpoint == rules.MyFollows {
			a.Body = slices.DeleteFunc(slices.Clone(all), func(each any) bool {
				o, _ := each.(map[string]any)
				return before(value.ID(o["id"]), owners[r.Session])
			})
		}
		return a
	}}
	var waiting []reuse.User // the newest first
	for i := range 2 {
		a := reusableUser(t, f, "plain")
		a.Created, owners[a.Session] = time.Unix(int64(i), 0), a.ID()
		waiting = append([]reuse.User{a}, waiting...)
	}
	options := Options{Choices: dialect{}.choices(), Pause: noPause, Reuse: func() (reuse.User, bool) {
		a := waiting[0]
		waiting = waiting[1:]
		return a, true
	}}
	story := story.Story{Name: "a follow", Slots: 2, Ops: []story.Op{{Kind: story.Follow, Actor: 0, Other: 1}}}
	o, err := NewPlayer(forgetful, options).Play(t.Context(), story)
	if err != nil || len(o.Differences) == 0 {
		t.Fatalf("nothing shows: %v", err)
	}
	options.Reuse = nil
	found, err := NewPlayer(forgetful, options).Confirm(t.Context(), o.Replayable(story), o.Differences[0], 3, 20)
	if err != nil || !found.Stable {
		t.Errorf("stable: %t, %v", found.Stable, err)
	}
	if want := []int{1, 0}; !slices.Equal(found.Story.CreationOrder, want) || found.Story.Users != nil {
		t.Errorf("the shortest story creates %v in order, want %v, and users like %v", found.Story.CreationOrder, want, found.Story.Users)
	}
}
