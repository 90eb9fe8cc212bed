package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/result"
)

// errChanged ends a run when a watched file has changed.
var errChanged = errors.New("a file changed")

// watch judges the target, again whenever a file changes, until it is interrupted. The exit
// code is that of the last complete run.
func (s *session) watch(ctx context.Context) error {
	if s.from["wait"] == fromDefault {
		s.wait = execWait // a target that restarts on changes is down for a while
	}
	if s.embedded {
		return errors.New("--watch judges again what changes: give --exec, or the --base-url of a target that follows its files by itself")
	}
	var written []string
	for _, each := range s.outputs.all {
		written = append(written, each.path)
	}
	w, err := newWatcher(s.settings.watch, written)
	if err != nil {
		return err
	}
	defer w.notify.Close()
	r := rounds{session: s, board: result.Board{}}
	for {
		changed, err := r.until(ctx, w.changes)
		if fatal(err) {
			return err
		}
		if ctx.Err() != nil {
			return r.code
		}
		if changed == "" {
			s.line.say("watching for changes; Ctrl-C ends")
			select {
			case changed = <-w.changes:
			case <-ctx.Done():
				return r.code
			}
		}
		s.line.say(filepath.Base(changed) + " changed: judging again")
	}
}

// fatal reports whether an error is a mistake in the settings, which no change of the
// target fixes.
func fatal(err error) bool {
	var mistake *conformance.ConfigError
	return errors.As(err, &mistake)
}

// rounds are the runs while files are watched.
type rounds struct {
	*session
	board  result.Board
	latest *result.Report // of the last whole run, nil before
	code   error          // the exit code of that run
}

// until runs a round until it ends or a file changes, and returns that file.
func (r *rounds) until(ctx context.Context, changes <-chan string) (changed string, err error) {
	running, breakOff := context.WithCancelCause(ctx)
	defer breakOff(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = r.round(running)
	}()
	select {
	case changed = <-changes:
		breakOff(errChanged)
	case <-done:
	}
	<-done
	if err != nil && changed == "" && ctx.Err() == nil {
		fmt.Fprintf(r.std.err, "conform: %v\n", err)
	}
	return changed, err
}

// round judges the target once: first what did not pass in the last run, then everything.
func (r *rounds) round(ctx context.Context) error {
	running, stop, err := r.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	some, err := r.firstWhatFailed(running)
	if err != nil {
		return err
	}
	report, err := r.run(running)
	if running.Err() != nil || err != nil && !r.saysNext(err) {
		return brokenOff(running, err)
	}
	if err != nil { // nothing is judged yet that the next round could begin with
		r.code = r.conclude(running, report, err)
		return nil
	}
	report.DoubtWhatFailedIn(some)
	turns := r.board.Update(report)
	first := r.latest == nil
	r.latest = report
	if !first {
		r.outputs.quietly()
		if err := r.print(turns, report); err != nil {
			return err
		}
	}
	r.code = r.conclude(running, report, nil)
	return nil
}

// firstWhatFailed runs what did not pass in the last whole run, and what depends on it, if
// that is a small part of the whole, and prints what became green and red. It returns the report of
// that, nil if nothing was run.
func (r *rounds) firstWhatFailed(ctx context.Context) (some *result.Report, err error) {
	if r.latest == nil {
		return nil, nil
	}
	found, err := unpassed(r.latest)
	if err != nil {
		return nil, err
	}
	all, err := scenarioNames()
	if err != nil {
		return nil, err
	}
	if len(found.names) == 0 || len(found.names) > len(all)/2 {
		return nil, nil
	}
	first := r.config
	first.Selection.Scenarios, r.stories = found.names, found.stories
	defer func() { r.stories = nil }()
	some, err = r.runOnce(ctx, first)
	if err != nil || ctx.Err() != nil {
		return nil, brokenOff(ctx, err)
	}
	if turns := r.board.Update(some); len(turns) > 0 {
		return some, r.print(turns, nil)
	}
	return some, nil
}

// brokenOff is why a round did not end.
func brokenOff(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return interruption(ctx)
	}
	return err
}

// print prints which rules became green and red, and the verdict of a whole run.
func (r *rounds) print(turns []result.Turn, now *result.Report) error {
	return screen.Turns(r.std.out, turns, now, r.layout(r.std.out))
}
