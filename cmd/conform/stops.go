package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/socialfeed/conform/conformance/result"
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
	f.StringVar(&s.lastFailed.report, "last-failed", "", "play only what did not pass in `REPORT`.json, and everything once that passes; default: the file of --report json=")
	f.Lookup("last-failed").NoOptDefVal = ofThisRun
	markFile(f, "last-failed", "json")
	f.BoolVar(&s.config.NoHeaders, "no-headers", false, "leave out the headers X-Conform-Scenario, which names scenario and rule to the target's log, and traceparent")
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

// selectLastFailed selects what did not pass in an earlier run. If all passed, or there was no run
// yet, everything is selected.
func (s *settings) selectLastFailed(written string, line *progress, std streams) error {
	path := s.lastFailed.report
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
	case errors.Is(err, fs.ErrNotExist) && s.lastFailed.report == ofThisRun:
		line.say("there is no " + path + " yet: judging everything")
		return nil
	case err != nil:
		return fmt.Errorf("--last-failed: %w", err)
	}
	found, err := unpassed(r)
	if err != nil {
		return err
	}
	if s.from["seed"] == fromDefault {
		s.config.Seed = r.Seed
	}
	switch {
	case len(found.names) > 0 && found.deep == 0:
		line.say("playing " + found.String() + " that did not pass in " + path)
		s.playAgain(found)
	case r.Verdict == result.Conformant:
		line.say("nothing failed in " + path + ": judging everything")
	default:
		line.say("what did not pass in " + path + " is of no scenario that can be played by itself: judging everything")
		s.config.Deep = max(s.config.Deep, found.deep)
	}
	return nil
}
