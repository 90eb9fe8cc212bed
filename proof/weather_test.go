package proof_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/sync/errgroup"
)

// weatherRuns is how many runs a plain proof has in bad weather; STORM_RUNS says
// otherwise, and STORM_SEED from which seed on.
const weatherRuns = 40

// TestWeatherIsNobodysFault judges servers that follow the contract through weather
// drawn from a seed: what fails or warns is a false blame, and what could not be
// judged has to say why.
func TestWeatherIsNobodysFault(t *testing.T) {
	t.Parallel()
	runs, first := fromEnvironment(t, "STORM_RUNS", weatherRuns), fromEnvironment(t, "STORM_SEED", 1)
	all := startJudges(t, sideBySide)
	var mu sync.Mutex
	tally := weatherTally{reasons: map[string]int{}}
	var group errgroup.Group
	group.SetLimit(sideBySide)
	began := time.Now()
	for i := range runs {
		seed := int64(first + i)
		group.Go(func() error {
			report, err := all.judged(order{Weather: seed})
			mu.Lock()
			defer mu.Unlock()
			problems := tally.add(report, err)
			for _, problem := range problems {
				t.Errorf("seed %d: %s\n  in %s", seed, problem, climateOf(seed))
			}
			return nil
		})
	}
	_ = group.Wait() // which has no error to give
	for _, reason := range slices.Sorted(maps.Keys(tally.reasons)) {
		t.Logf("%5d rules not judged: %s", tally.reasons[reason], reason)
	}
	t.Logf("seeds %d to %d in %s: %s", first, first+runs-1, time.Since(began).Round(time.Second), tally)
	if tally.conformant == 0 || tally.weather == (result.Weather{}) {
		t.Error("there was no weather, or no verdict: nothing is proven")
	}
}

func fromEnvironment(t *testing.T, name string, fallback int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// weatherTally adds runs up.
type weatherTally struct {
	runs, conformant, incomplete, unreachable int
	falseBlames, judged, unjudged             int
	weather                                   result.Weather
	reasons                                   map[string]int // why rules were not judged
}

func (w weatherTally) String() string {
	return fmt.Sprintf("%d runs: %d conformant, %d without a verdict (%d of them not even begun); %d false blames; %d rules judged, %d not; %s",
		w.runs, w.conformant, w.incomplete, w.unreachable, w.falseBlames, w.judged, w.unjudged, w.weather)
}

// add adds a run, and tells what is wrong with its report.
func (w *weatherTally) add(report *result.Report, err error) []string {
	w.runs++
	if report == nil {
		w.incomplete++
		w.unreachable++
		if err == nil || !strings.Contains(err.Error(), "no answer from") && !strings.Contains(err.Error(), "time was up") && !strings.Contains(err.Error(), "the run's time is up") {
			return []string{fmt.Sprintf("no report: %v", err)}
		}
		return nil
	}
	if report.Weather != nil {
		w.weather = w.weather.Add(*report.Weather)
	}
	var problems []string
	statuses := map[string]result.Status{}
	for _, rule := range report.Rules {
		statuses[rule.ID] = rule.Status
	}
	for _, rule := range report.Rules {
		switch rule.Status {
		case result.Fail, result.Warn:
			w.falseBlames++
			problems = append(problems, fmt.Sprintf("%s is a %s: %s", rule.ID, rule.Status, messages(rule)))
		case result.Error, result.Blocked:
			w.unjudged++
			problems = append(problems, unexplained(rule, statuses)...)
			w.reasons[reasonOf(rule)]++
		case result.Skipped: // of another part, or not to be tried
		default:
			w.judged++
		}
	}
	switch report.Verdict {
	case result.Conformant:
		w.conformant++
	case result.Incomplete:
		w.incomplete++
	}
	return problems
}

// unexplained are the checks of a rule that could not be judged and do not say why.
func unexplained(rule result.Rule, statuses map[string]result.Status) []string {
	var problems []string
	for _, check := range rule.Checks {
		switch {
		case check.Status == result.Error && !slices.ContainsFunc(weatherWords(), func(w string) bool { return strings.Contains(check.Message, w) }):
			problems = append(problems, fmt.Sprintf("%s does not say in plain words why it was not judged: %q", rule.ID, check.Message))
		case check.Status == result.Blocked && (check.Message == "" || !unjudgedStatus(statuses[check.BlockedBy])):
			problems = append(problems, fmt.Sprintf("%s is blocked by %s, which is %s: %s", rule.ID, check.BlockedBy, cmp.Or(statuses[check.BlockedBy], "none"), check.Message))
		}
	}
	return problems
}

// reasonOf is why a rule was not judged, in the words of weatherWords.
func reasonOf(rule result.Rule) string {
	for _, word := range weatherWords() {
		if strings.Contains(messages(rule), word) {
			return word
		}
	}
	return string(rule.Status)
}

func unjudgedStatus(s result.Status) bool {
	return s == result.Fail || s == result.Warn || s == result.Error || s == result.Blocked
}

// weatherWords are how reports say that the weather kept them from judging.
func weatherWords() []string {
	return []string{"closed the connection", "reset the connection", "closed without a response", "no complete answer within", "intermediary answered",
		"the run's time was up", "left 3 requests in a row", "kept answering", "stopped answering", "connection was lost", "connection was refused"}
}
