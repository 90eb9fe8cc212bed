package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/scenarios"
)

// judge does the command's main job: it runs the suite and writes the reports.
func judge(ctx context.Context, s *settings, flags *pflag.FlagSet, std streams) error {
	if err := s.complete(flags); err != nil {
		return err
	}
	outputs, err := openOutputs(*s, std)
	if err != nil {
		return err
	}
	embedded := s.config.Target.BaseURL == ""
	if embedded {
		target, stop, err := startEmbedded(ctx)
		if err != nil {
			return fmt.Errorf("starting the embedded reference server: %w", err)
		}
		defer stop()
		s.config.Target = target
	}
	line := newProgress(std.err, s.quiet)
	s.config.Progress = line.tell
	if s.configFile != "" {
		line.say("settings from " + s.configFile)
	}
	j, err := conformance.New(s.config, scenarios.Register)
	if err != nil {
		return err
	}
	s.config.Seed = j.Seed() // for child processes too
	if s.config.RateLimits {
		line.say("judging the rate limits too: up to a burst beyond the limit in each category and a wait of one minute, at the end")
	}
	if err := awaitTarget(ctx, j, s.wait, line); err != nil {
		return err
	}
	report, err := conformance.Repeat(ctx, s.repeat, func(ctx context.Context) (*conformance.Report, error) {
		return runIn(ctx, j, *s)
	})
	line.done()
	if report == nil {
		return err
	}
	report.Target.Embedded, report.Target.Trust = embedded, s.trust()
	if s.waivers != "" {
		s.accepted.Apply(report, j.Catalogue(), report.StartedAt)
	}
	if wrote := outputs.write(report, err); wrote != nil {
		return wrote
	}
	if err != nil {
		return unjudged(ctx, err)
	}
	if report.EndedBy != "" {
		fmt.Fprintf(std.err, "conform: %s\n", report.EndedBy)
	}
	return exitOf(report.Verdict)
}

// unjudged is why there is no verdict.
func unjudged(ctx context.Context, err error) error {
	var mistake *conformance.ConfigError
	switch {
	case errors.As(err, &mistake):
		return err
	case ctx.Err() != nil:
		return noVerdict{errInterrupted}
	}
	return noVerdict{err}
}

// exitOf is a verdict as an exit code.
func exitOf(v conformance.Verdict) error {
	switch v {
	case conformance.Conformant:
		return nil
	case conformance.NonConformant:
		return exit(exitNonConformant)
	}
	return exit(exitNoVerdict)
}

var errInterrupted = errors.New("interrupted")

// runIn runs the suite in this process, or spread over several.
func runIn(ctx context.Context, j *conformance.Judge, s settings) (*conformance.Report, error) {
	if s.procs == 1 {
		return j.Run(ctx)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding the program to run %d times: %w", s.procs, err)
	}
	return j.RunIn(ctx, s.procs, processes{program: self, config: s.config}.play)
}

// awaitTarget waits until the target takes connections and answers, when told to.
func awaitTarget(ctx context.Context, j *conformance.Judge, wait time.Duration, line *progress) error {
	if wait <= 0 {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	const between = 250 * time.Millisecond
	latest := errors.New("no answer")
	for told := false; ; told = true {
		err := j.Contact(waiting)
		var unreachable *conformance.UnreachableError
		switch {
		case errors.As(err, &unreachable):
			latest = err
		case waiting.Err() == nil:
			return err
		}
		if !told && waiting.Err() == nil {
			line.say(fmt.Sprintf("waiting up to %s: %s", wait, unreachable.Reason))
		}
		select {
		case <-waiting.Done():
			if ctx.Err() != nil {
				return noVerdict{errInterrupted}
			}
			return noVerdict{fmt.Errorf("waited %s: %w", wait, latest)}
		case <-time.After(between):
		}
	}
}
