package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/scenarios"
	"github.com/spf13/pflag"
)

// lastFailed is the flag --last-failed.
type lastFailed struct{ report string }

// ofThisRun stands for the JSON report that the run itself writes.
const ofThisRun = "the JSON report of --report"

// bindStops declares the flags that make a run shorter.
func (s *settings) bindStops(f *pflag.FlagSet) {
	f.BoolVar(&s.failFast, "fail-fast", false, "stop at the first failure")
	f.IntVar(&s.config.MaxFailures, "max-failures", 0, "stop at `N` failures; 0: never")
	f.StringVar(&s.again.report, "last-failed", "", "play only what did not pass in `REPORT`.json; default: the file of --report json=")
	f.Lookup("last-failed").NoOptDefVal = ofThisRun
	markFile(f, "last-failed", "json")
	f.BoolVar(&s.config.NoHeaders, "no-headers", false, "leave out the header X-Conform-Scenario, which names scenario and rule to the target's log")
}

// completeStops checks these flags.
func (s *settings) completeStops() error {
	switch {
	case s.config.MaxFailures < 0:
		return errors.New("--max-failures must not be below zero; 0 never stops")
	case s.failFast && s.config.MaxFailures > 1:
		return fmt.Errorf("--fail-fast is --max-failures 1, and %s is %d: leave one out", s.origin("max-failures"), s.config.MaxFailures)
	case s.failFast:
		s.config.MaxFailures = 1
	}
	return nil
}

// selectLastFailed selects the scenarios that did not pass in an earlier run. If all passed,
// or there was no run yet, all scenarios are selected.
func (s *settings) selectLastFailed(written string, line *progress, std streams) error {
	path := s.again.report
	if path == "" {
		return nil
	}
	in := s.reach("last-failed")
	if path == ofThisRun {
		if path = written; path == "" {
			return errors.New("--last-failed takes the JSON report of an earlier run, such as --last-failed report.json")
		}
		in = s.reach("report")
	}
	r, err := readReportIn(in, path, std)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.again.report == ofThisRun:
		line.say("there is no " + path + " yet: judging everything")
		return nil
	case err != nil:
		return fmt.Errorf("--last-failed: %w", err)
	}
	names, err := unpassed(r)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		line.say("nothing failed in " + path + ": judging everything")
		return nil
	}
	line.say(fmt.Sprintf("playing the %d scenarios that did not pass in %s", len(names), path))
	s.config.Selection.Scenarios = names
	return nil
}

func scenarioNames() ([]string, error) { return conformance.Scenarios(scenarios.Register) }

// unpassed are the existing scenarios with a check in a report that neither passed nor was
// skipped.
func unpassed(r *result.Report) ([]string, error) {
	known, err := scenarioNames()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range r.EachCheck() {
		switch c.Status {
		case result.Pass, result.Observed, result.Skipped, result.Waived:
			continue
		}
		if slices.Contains(known, c.Scenario) && !slices.Contains(names, c.Scenario) {
			names = append(names, c.Scenario)
		}
	}
	return names, nil
}
