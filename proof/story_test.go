package proof_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/story"
	"github.com/socialfeed/conform/refserver/faults"
)

// pauseBriefly waits, but not for as long as a run on a real target does.
func pauseBriefly(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(d, 400*time.Millisecond)):
		return nil
	}
}

// storyShapes are stories of several kinds.
func storyShapes() []story.Shape {
	return []story.Shape{
		{Name: "plain", Users: 14, Budget: story.Cost{Writes: 150, Reads: 250, Deletes: 80}, Views: 2, Events: 10, Follows: 4, Sessions: 4, Again: 3, Races: 5, Late: 0.7, Deleted: 1},
		{Name: "pairs", Users: 4, Budget: story.Cost{Writes: 90, Reads: 160, Deletes: 40}, Views: 6, Races: 3},
		{Name: "two applications", Users: 6, Apps: 2, Budget: story.Cost{Writes: 90, Reads: 160, Deletes: 40}, Views: 6, Races: 1},
	}
}

// TestStoriesBlameNoDialect generates stories for servers of each dialect and of each two that compose:
// none may be blamed. Each commit takes one in STORY_SHARES of them, those whose turn PROOF_TURN says,
// with STORY_SEEDS seeds each.
func TestStoriesBlameNoDialect(t *testing.T) {
	seeds, shares, turn := fromEnvironment(t, "STORY_SEEDS", 1), fromEnvironment(t, "STORY_SHARES", 100), fromEnvironment(t, "PROOF_TURN", 0)
	for i, name := range composed() {
		if i%shares == turn%shares {
			t.Run(name, func(t *testing.T) { blamesNothing(t, name, seeds) })
		}
	}
}

// blamesNothing plays the stories of some seeds on a server of a dialect.
func blamesNothing(t *testing.T, name string, seeds int) {
	options := story.Options{Settle: 60 * time.Millisecond, Pause: pauseBriefly, Hold: time.Millisecond, ReadsAtOnce: 4}
	if strings.Contains(name, "lagging") {
		options.Settle = time.Second
	}
	target := newStoryTarget(t, name, "")
	for app := range 2 {
		learned, lag, err := story.NewPlayer(target, options).Learn(t.Context(), app, story.Choices{})
		must(t, err)
		options.Choices, options.Lag = append(options.Choices, learned), max(options.Lag, lag)
	}
	for seed := range seeds {
		g := story.NewGenerator(uint64(seed), options.Choices, nil)
		for _, shape := range storyShapes() {
			s := g.Story(shape)
			o, err := story.NewPlayer(target, options).Play(t.Context(), s)
			must(t, err)
			for _, d := range o.Differences {
				t.Errorf("seed %d, %s: %s at %s, step %d: expected %s; got %s\n%s\n%s", seed, shape.Name, d.Rule, d.At, d.Step+1, d.Expected, d.Actual, lastOf(o.Log, 40), lastEvidence(d, 6))
			}
			t.Logf("seed %d, %s: %d steps, %d requests, estimated %v", seed, shape.Name, len(s.Steps), o.Requests, s.Cost(options.Choices))
		}
	}
}

// TestStoriesBlameTheRuleThatIsBroken plays one story on servers with a fault each: the rule of the fault
// is blamed and no other one, and without the fault none.
func TestStoriesBlameTheRuleThatIsBroken(t *testing.T) {
	known := story.Choices{FriendsAtOnce: story.Yes, KindsStand: story.Yes, EndsWhole: story.Yes, Concurrent: story.Yes, LogoutKeeps: story.Yes, UpdateKeeps: story.Yes, KeepsUser: story.Yes, KeepsEvent: story.Yes}
	options := story.Options{Settle: 30 * time.Millisecond, Pause: pauseBriefly, Hold: time.Millisecond, Choices: []story.Choices{known}}
	s := story.Story{Name: "by hand", Users: make([]story.Role, 5), Steps: []story.Step{
		{Do: "see me", User: 1},
		{Do: "log in", User: 1, Session: 1, Beside: true}, {Do: "update", User: 1, Body: story.Fields{"first_name": "other"}}, {Do: "see me", User: 1},
		{Do: "connect", User: 1, Other: 2, Type: "follow"}, {Do: "connect", User: 1, Other: 3, Type: "follow"},
		{Do: "disconnect", User: 1, Other: 2, Beside: true}, {Do: "disconnect", User: 1, Other: 3}, {Do: "see follows", User: 1},
		{Do: "connect", User: 2, Other: 4, Type: "follow", Beside: true}, {Do: "connect", User: 3, Other: 4, Type: "follow"}, {Do: "see followers", User: 4},
		{Do: "connect", User: 1, Other: 4, Type: "friend", Beside: true}, {Do: "connect", User: 4, Other: 1, Type: "friend"}, {Do: "see friends", User: 1}, {Do: "see friends", User: 4},
		{Do: "post", User: 4, Event: 1}, {Do: "post", User: 4, Event: 2}, {Do: "delete event", User: 4, Event: 1}, {Do: "see feed", User: 2},
		{Do: "change event", User: 4, Event: 2, Body: story.Fields{"verb": "watch"}}, {Do: "change event", User: 4, Event: 2, Body: story.Fields{"location": "here"}}, {Do: "see feed", User: 3},
		{Do: "disconnect", User: 3, Other: 4}, {Do: "connect", User: 3, Other: 4, Type: "follow"}, {Do: "delete user", User: 4}, {Do: "see feed", User: 3},
	}}
	for _, name := range []string{"", "concurrency-login-writes-over-update", "concurrency-follows-ended-at-once-leave-one", "concurrency-followers-lose-one", "concurrency-friends-on-one-side",
		"sequence-delete-older-event", "sequence-change-without-verb-brings-first-back", "sequence-purge-forgets-refollowers"} {
		o, err := story.NewPlayer(newStoryTarget(t, "", name), options).Play(t.Context(), s)
		must(t, err)
		want := ""
		if name != "" {
			fault, err := faults.Find(name)
			must(t, err)
			want = fault.Rule
		}
		if name == "" && len(o.Differences) > 0 || name != "" && (len(o.Differences) == 0 || o.Differences[0].Rule != want) {
			t.Errorf("%s: blamed are %v, want %q", name, o.Differences, want)
		}
	}
}

func lastOf(log []string, n int) string { return strings.Join(log[max(0, len(log)-n):], "\n  ") }

func lastEvidence(d story.Difference, n int) string {
	var all []string
	for _, e := range d.Evidence[max(0, len(d.Evidence)-n):] {
		all = append(all, fmt.Sprint(e))
	}
	return strings.Join(all, "\n  ")
}
