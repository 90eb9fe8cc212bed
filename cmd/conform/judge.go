package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/pflag"
)

// judge runs the suite and writes the reports.
func judge(ctx context.Context, s *settings, flags *pflag.FlagSet, std streams) error {
	n, err := newSession(s, flags, std)
	if err != nil {
		return err
	}
	if len(s.watch) > 0 {
		return n.watch(ctx)
	}
	running, stop, err := n.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	report, err := n.run(running)
	return n.conclude(running, report, err)
}

// reportOf is a report without results, on something that began at a time and ends now.
func (s *settings) reportOf(t result.Target, began time.Time) *result.Report {
	return &result.Report{
		Tool: s.tool(), Target: t, FailOn: rules.Level(s.failOn),
		StartedAt: began.UTC(), DurationMS: time.Since(began).Milliseconds(),
	}
}

// conclude writes the reports of a judgement other than a run of scenarios, and returns its
// exit code.
func conclude(r *result.Report, o *outputs, std streams) error {
	unwritten := o.write(r, nil)
	if r.EndedBy != "" {
		fmt.Fprintf(std.err, "conform: no verdict: %s\n", r.EndedBy)
		if unwritten != nil {
			fmt.Fprintf(std.err, "conform: %v\n", unwritten)
		}
		return exit(exitNoVerdict)
	}
	return verdictOf(r, unwritten, std)
}

// verdictOf is the run's exit code. The error of a report that could not be written is
// printed; it changes the code only where that would have been 0.
func verdictOf(r *result.Report, unwritten error, std streams) error {
	verdict := exitOf(r.Verdict)
	if unwritten == nil {
		return verdict
	}
	if verdict == nil {
		return unwritten
	}
	fmt.Fprintf(std.err, "conform: %v\n", unwritten)
	return verdict
}

// unjudged is why there is no verdict.
func unjudged(ctx context.Context, err error) error {
	var mistake *conformance.ConfigError
	switch {
	case errors.As(err, &mistake):
		return err
	case ctx.Err() != nil:
		err = interruption(ctx)
	}
	if setUpWrongly(err) {
		return err
	}
	return noVerdict{err}
}

// setUpWrongly reports whether an error is a mistake in the set-up, which no later try fixes.
func setUpWrongly(err error) bool {
	var unreachable *conformance.UnreachableError
	var ended serverEndedError
	return errors.As(err, &unreachable) && unreachable.Why.SetUp() || errors.As(err, &ended) && ended.Why().SetUp()
}

// interruption is why a run was broken off.
func interruption(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return errInterrupted
}

// exitOf is a verdict as an exit code.
func exitOf(v result.Verdict) error {
	switch v {
	case result.Conformant:
		return nil
	case result.NonConformant:
		return exit(exitNonConformant)
	}
	return exit(exitNoVerdict)
}

var errInterrupted = errors.New("interrupted")

// awaitTarget waits, with --wait, until the target answers. Unless it is a server that was started here, which has a
// name, the answer must look like the service's: something else may answer in its place.
func awaitTarget(ctx context.Context, j *conformance.Runner, wait time.Duration, server string, line *progress) error {
	if wait <= 0 {
		return nil
	}
	defer line.done()
	ours := server != ""
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	const between = 250 * time.Millisecond
	latest, began, told := errors.New("no answer"), time.Now(), false
	for {
		err := orWait(j.Contact(waiting))
		var unreachable *conformance.UnreachableError
		switch {
		case err == nil: // also where the answer was under way when the wait ended
			return nil
		case errors.As(err, &unreachable) && unreachable.Answered && ours:
			return nil // it answers; the run judges how
		case errors.As(err, &unreachable) && unreachable.Why == result.Untrusted: // which waiting does not fix
			return err
		case errors.As(err, &unreachable) && unreachable.Why == result.DeadHTTP2: // nor this
			return noVerdict{err}
		case errors.As(err, &unreachable):
			latest = err
			if ours {
				latest = &conformance.UnreachableError{Reason: unreachable.Reason, Hint: portHint(server)}
			}
		case waiting.Err() == nil:
			return err
		}
		soon := ours && time.Since(began) < time.Second // a server needs a moment to start
		if !told && !soon && waiting.Err() == nil {
			told = true
			what := ": " + strings.ReplaceAll(unreachable.Error(), "\n", "; ")
			if ours {
				what = " for " + server + " to answer"
			}
			line.wait(fmt.Sprintf("waiting up to %s%s", wait, what))
		}
		select {
		case <-waiting.Done():
			if ctx.Err() != nil {
				return unjudged(ctx, ctx.Err())
			}
			return unjudged(ctx, fmt.Errorf("waited %s: %w", wait, latest))
		case <-time.After(between):
		}
	}
}
