package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/scenarios"
)

// keptStory is a drawn story that a report or the corpus has, to be played as a scenario.
type keptStory struct{ name, text string }

// again is the part of an earlier report to play again: scenarios, and shortened drawn stories.
type again struct {
	names   []string // of both
	stories []keptStory
	deep    time.Duration // for how long stories were drawn, where one showed a failure and was not kept
	failed  bool          // something of it did not pass
	jobs    *int          // scenarios side by side where everything is played, nil for as many as here
	playAll bool          // a scenario that passes alone is played among all others, whatever is selected
}

// add adds what made a check of a report: its story, or its scenario if it is one of the known.
func (a *again) add(r *result.Report, rule string, c *result.Check, known []string) {
	name := c.Scenario
	switch c.Status {
	case result.Pass, result.Observed, result.Skipped, result.Waived:
	default:
		a.failed = true
	}
	if c.OfStory() && len(c.Story) == 0 && c.FoundBroken() && r.Stories != nil {
		a.deep = time.Duration(r.Stories.DeepMS) * time.Millisecond
	}
	switch {
	case len(c.Story) > 0:
		if name = keptName(rule, *c); !slices.Contains(a.names, name) {
			a.stories = append(a.stories, keptStory{name, string(c.Story)})
		}
	case !slices.Contains(known, name):
		return
	}
	if !slices.Contains(a.names, name) {
		a.names = append(a.names, name)
	}
}

// String says how many scenarios and stories there are.
func (a *again) String() string {
	written, drawn := len(a.names)-len(a.stories), len(a.stories)
	stories := "1 drawn story"
	if drawn != 1 {
		stories = fmt.Sprint(drawn, " drawn stories")
	}
	switch {
	case drawn == 0:
		return result.Plural(written, "scenario")
	case written == 0:
		return stories
	}
	return result.Plural(written, "scenario") + " and " + stories
}

// playAgain selects what is to be played again.
func (s *settings) playAgain(a again) {
	s.config.Selection.Scenarios, s.stories, s.again = a.names, a.stories, &a
}

// scenarioNames are the names of all scenarios.
func scenarioNames() ([]string, error) { return conformance.Scenarios(scenarios.Register) }

// unpassed are the sources of a report's checks that neither passed nor were skipped.
func unpassed(r *result.Report) (again, error) {
	known, err := scenarioNames()
	if err != nil {
		return again{}, err
	}
	var a again
	for rule, c := range r.EachCheck() {
		switch c.Status {
		case result.Pass, result.Observed, result.Skipped, result.Waived:
		default:
			a.add(r, rule.ID, c, known)
		}
	}
	return a, nil
}

// register adds the scenarios to a suite, and the drawn stories that are to be played as such: those
// of a report, and in a run of selected rules those of the corpus, which otherwise come first among
// the drawn ones.
func (s *settings) register(suite *conformance.Suite) {
	scenarios.Register(suite)
	for _, kept := range s.stories {
		suite.Story(kept.name, kept.text)
	}
	if s.again == nil && s.config.Deep == 0 && s.config.Selection.Narrows() {
		for i, story := range s.config.Stories {
			suite.KeptStory(fmt.Sprintf("kept: story %d of the corpus", i+1), string(story))
		}
	}
}

// run judges the target by what of an earlier report is selected. If none of that fails, the failure
// may depend on other scenarios: then everything is played before it counts as passed. The report
// is nil if there was nothing to judge.
func (s *session) run(ctx context.Context) (*result.Report, error) {
	report, err := s.runOnce(ctx, s.config)
	if err != nil || s.again == nil || !s.again.failed || report.Verdict == result.NonConformant || report.EndedBy != "" {
		return report, err
	}
	s.line.say("what had failed passes by itself: playing everything, since it may take what other scenarios do")
	whole := s.config
	whole.Selection.Scenarios, whole.Selection.PlayAll = nil, s.again.playAll
	if s.again.jobs != nil {
		whole.Jobs = *s.again.jobs
	}
	whole.Deep = max(whole.Deep, s.again.deep)
	return s.runOnce(ctx, whole)
}
