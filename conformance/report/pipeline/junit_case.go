package pipeline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// maxTime bounds an exchange's duration in milliseconds, so that a forged report cannot
// overflow the sums.
const maxTime = 1e9

// caseOf is a rule at one endpoint.
func caseOf(rule *view.Rule) Case {
	out := Case{Class: "conform." + rule.Part, Name: rule.ID, rule: rule}
	for _, c := range rule.Checks {
		out.Name = rule.ID + strings.TrimSuffix(" @ "+plain.Short(c.Result.Endpoint), " @ ")
		for _, x := range c.Result.Exchanges {
			out.Time += seconds(math.Round(min(max(x.DurationMS, 0), maxTime)))
		}
	}
	told := rule.Violations[0]
	message := cmp.Or(told.Message, rule.Message, string(rule.Status))
	if told.BlockedBy != "" {
		message = plain.Short("blocked by " + told.BlockedBy + ": " + message)
	}
	switch {
	case rule.Gates:
		out.Failure = &junitOutcome{message, string(rule.Level), screen.Evidence(rule)}
	case rule.Status == result.Warn:
		out.Out = &junitText{screen.Evidence(rule)}
	case rule.Status == result.Waived:
		waived := "waived"
		if w := told.Waived; w != nil {
			waived = plain.Short(fmt.Sprintf("waived until %s: %s %s", w.Expires, w.Reason, w.Link))
		}
		out.Skipped, out.Out = &junitOutcome{Message: waived}, &junitText{screen.Evidence(rule)}
	case rule.Status == result.Skipped:
		out.Skipped = &junitOutcome{Message: cmp.Or(rule.Message, told.Message, "not judged")}
	case rule.Status == result.Observed:
		out.Out = &junitText{strings.Join(answers(rule), "\n")}
	case rule.Status != result.Pass:
		out.Error = &junitOutcome{message, string(rule.Status), screen.Evidence(rule)}
	}
	return out
}

// answers are what the target does where the contract is silent.
func answers(rule *view.Rule) []string {
	var all []string
	for _, c := range rule.Checks {
		if c.Status == result.Observed && !slices.Contains(all, c.Message) {
			all = append(all, c.Message)
		}
	}
	return all
}

func caseOfWaiver(i int, w view.Waiver) Case {
	c := Case{Class: "conform.waivers", Name: fmt.Sprintf("waiver %d: %s", i+1, w.Rule) + strings.TrimSuffix(" @ "+w.Endpoint, " @ ")}
	switch {
	case w.Gates:
		c.Failure = &junitOutcome{w.Message, w.State, "reason: " + w.Reason}
	case w.State == string(result.WaiverUnjudged):
		c.Skipped = &junitOutcome{Message: w.Message}
	default:
		c.Out = &junitText{w.Message + "\nreason: " + w.Reason}
	}
	return c
}
