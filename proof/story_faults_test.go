package proof_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/story"
	"github.com/socialfeed/conform/refserver/faults"
)

// oldTarget is a target as the model before it plays on it.
type oldTarget struct{ *storyTarget }

func (o oldTarget) Do(ctx context.Context, r model.Request) (model.Response, error) {
	body, _ := r.Body.(map[string]any)
	a, err := o.storyTarget.Do(ctx, story.Request{App: r.App, Endpoint: r.Endpoint, Session: r.Session, ID: r.ID, Query: r.Query, Body: body})
	return model.Response{Status: a.Status, Body: a.Body, Evidence: a.Evidence}, err
}

// TestStoriesFindFaults compares what one plain story of each model finds of the faults of second order.
func TestStoriesFindFaults(t *testing.T) {
	shares := fromEnvironment(t, "STORY_SHARES", 400)
	turn := fromEnvironment(t, "PROOF_TURN", 0)
	seed := uint64(fromEnvironment(t, "STORY_SEED", 1))
	sound := newStoryTarget(t, "", "")
	options := story.Options{Settle: 30 * time.Millisecond, Pause: pauseBriefly, Hold: time.Millisecond}
	learned, _, err := story.NewPlayer(sound, options).Learn(t.Context(), 0, story.Choices{})
	must(t, err)
	options.Choices = []story.Choices{learned}
	oldChoices := model.Choices{FriendsAtOnce: model.Yes, KindsStand: model.Yes, EndsWhole: model.Yes, Concurrent: model.Yes, LogoutKeeps: model.Yes, UpdateKeeps: model.Yes, KeepsUser: model.Yes, KeepsEvent: model.Yes, MergesMetadata: model.No, NamesRecur: model.Yes, SocialConnects: model.Yes, OmitsZeros: model.No}
	combined := model.CombinedStory(seed, oldChoices, model.CombinedSizes()[0])
	budget := combined.Cost()
	shape := story.Shape{Name: "plain", Users: combined.UserCount(), Budget: story.Cost{Writes: budget.Writes, Reads: budget.Reads + 120, Deletes: budget.Deletes}, Views: 2, Events: 21, Follows: 4, Sessions: 4, Again: 3, Races: 5, Late: 0.7, Deleted: 1}
	drawn := story.NewGenerator(seed, options.Choices, nil).Story(shape)
	t.Logf("old %+v %d users, new %+v %d steps", budget, combined.UserCount(), drawn.Cost(options.Choices), len(drawn.Steps))
	type tally struct{ tried, old, new, oldRight, newRight int }
	tallies := map[faults.Kind]*tally{}
	var sizes []int
	confirmed := 0
	for i, f := range faults.SecondOrder() {
		if i%shares != turn%shares || f.Listen != nil {
			continue
		}
		if only := os.Getenv("PROOF_FAULT"); only != "" && !matches(only, f.Name) {
			continue
		}
		if f.Kind == faults.Endpoint || f.Kind == faults.Input {
			continue
		}
		n := tallies[f.Kind]
		if n == nil {
			n = &tally{}
			tallies[f.Kind] = n
		}
		n.tried++
		o, _ := model.NewPlayer(oldTarget{newStoryTarget(t, "", f.Name)}, model.Options{Choices: oldChoices, Settle: 30 * time.Millisecond, Pause: pauseBriefly, Hold: time.Millisecond}).Play(t.Context(), combined)
		s, _ := story.NewPlayer(newStoryTarget(t, "", f.Name), options).Play(t.Context(), drawn)
		var short string
		for _, d := range s.Differences[:min(len(s.Differences), fromEnvironment(t, "STORY_CONFIRM", 1))] {
			p := story.NewPlayer(newStoryTarget(t, "", f.Name), options)
			finding, err := p.Confirm(t.Context(), drawn, d, 3, 80)
			must(t, err)
			again, _ := story.NewPlayer(newStoryTarget(t, "", ""), options).Play(t.Context(), finding.Story)
			text, _ := json.Marshal(finding.Story.Steps)
			short = fmt.Sprintf("stable %v %s (seemed %s), %d requests, on a sound server %v: %.300s", finding.Stable, finding.Rule, finding.Seemed, finding.Story.Cost(options.Choices).Writes+finding.Story.Cost(options.Choices).Reads+finding.Story.Cost(options.Choices).Deletes, again.Differences, text)
			t.Logf("%-50s %-30s %s", f.Name, f.Rule, short)
			if finding.Stable {
				sizes = append(sizes, again.Requests)
				if finding.Rule == f.Rule {
					confirmed++
				}
			}
		}
		var was, is []string
		right, rightly := false, false
		for _, d := range o.Differences {
			was, right = append(was, d.Rule), right || d.Rule == f.Rule
		}
		for _, d := range s.Differences {
			is, rightly = append(is, d.Rule), rightly || d.Rule == f.Rule
		}
		count := func(found bool, n *int) {
			if found {
				*n++
			}
		}
		count(len(was) > 0, &n.old)
		count(len(is) > 0, &n.new)
		count(right, &n.oldRight)
		count(rightly, &n.newRight)
		if right != rightly || len(is) > 0 && !rightly {
			t.Logf("%-60s %-34s old %v new %v", f.Name, f.Rule, was, is)
		}
	}
	for kind, n := range tallies {
		t.Logf("%-12s %+v", kind, *n)
	}
	slices.Sort(sizes)
	if len(sizes) > 0 {
		t.Logf("%d stable, %d of them rightly, median story %d requests: %v", len(sizes), confirmed, sizes[len(sizes)/2], sizes)
	}
}
