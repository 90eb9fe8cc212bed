package proof_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/story"
)

func noPause(ctx context.Context, d time.Duration) error {
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
		{Name: "plain", Users: 14, Budget: story.Cost{Writes: 150, Reads: 150, Deletes: 80}, Views: 3, Events: 10, Follows: 4, Sessions: 4, Races: 4, Late: 0.7, Deleted: 1},
		{Name: "pairs", Users: 4, Budget: story.Cost{Writes: 90, Reads: 160, Deletes: 40}, Views: 6, Races: 3},
		{Name: "two applications", Users: 6, Apps: 2, Budget: story.Cost{Writes: 90, Reads: 160, Deletes: 40}, Views: 6, Races: 1},
	}
}

// TestStoriesBlameNoDialect generates stories for servers of each dialect: none may be blamed.
func TestStoriesBlameNoDialect(t *testing.T) {
	seeds := fromEnvironment(t, "STORY_SEEDS", 3)
	for _, name := range composed() {
		if strings.Contains(name, "+") && os.Getenv("STORY_PAIRS") == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			target := newStoryTarget(t, name, "")
			settle := 60 * time.Millisecond
			if strings.Contains(name, "lagging") {
				settle = time.Second
			}
			options := story.Options{Settle: settle, Pause: noPause, Hold: time.Millisecond}
			for app := range 2 {
				learned, lag, err := story.NewPlayer(target, options).Learn(t.Context(), app, story.Choices{})
				must(t, err)
				options.Choices = append(options.Choices, learned)
				options.Lag = max(options.Lag, lag)
			}
			t.Logf("%+v", options.Choices[0])
			for seed := range seeds {
				g := story.NewGenerator(uint64(seed), options.Choices, nil)
				for _, shape := range storyShapes() {
					s := g.Story(shape)
					cost := s.Cost(options.Choices)
					o, err := story.NewPlayer(target, options).Play(t.Context(), s)
					must(t, err)
					for _, d := range o.Differences {
						t.Errorf("seed %d, %s: %s at %s, step %d: expected %s; got %s\n%s\n%s", seed, shape.Name, d.Rule, d.At, d.Step+1, d.Expected, d.Actual, lastOf(mentioning(o.Log, os.Getenv("STORY_ABOUT")), 40), lastEvidence(d, 6))
					}
					t.Logf("seed %d %s: %d steps, %d requests, estimated %v, %d marks", seed, shape.Name, len(s.Steps), o.Requests, cost, g.Covered())
				}
			}
		})
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

// mentioning returns the sentences of a log that have a text.
func mentioning(log []string, text string) []string {
	var all []string
	for _, sentence := range log {
		if strings.Contains(sentence, text) {
			all = append(all, sentence)
		}
	}
	return all
}
