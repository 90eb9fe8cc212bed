package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/pflag"
)

// session holds everything that the runs of one command share.
type session struct {
	*settings
	std      streams
	outputs  *outputs
	line     *progress
	embedded bool
	server   *server // the target with --exec, nil for none
}

// newSession completes the settings, and checks that the reports can be written.
func newSession(s *settings, flags *pflag.FlagSet, std streams) (*session, error) {
	if err := s.complete(flags); err != nil {
		return nil, err
	}
	outputs, err := openOutputs(*s, std)
	if err != nil {
		return nil, err
	}
	n := &session{settings: s, std: std, outputs: outputs, line: newProgress(std.screen, s.quiet), embedded: s.config.Target.BaseURL == ""}
	if err := s.selectLastFailed(outputs.json(), n.line, std); err != nil {
		return nil, err
	}
	s.config.Progress = n.line.tell
	for _, warning := range s.warnings {
		n.line.say("conform: " + warning)
	}
	if s.configFile != "" {
		n.line.say("settings from " + s.configFile)
	}
	return n, nil
}

// serve starts the target with --exec, or the embedded one. The context ends when the target
// does.
func (s *session) serve(ctx context.Context) (running context.Context, stop func(), err error) {
	switch {
	case s.embedded:
		target, stop, err := startEmbedded(ctx, s.config.RateLimits)
		if err != nil {
			return nil, nil, fmt.Errorf("starting the embedded reference server: %w", err)
		}
		s.config.Target = target
		if s.config.Rate == 0 && !s.config.RateLimits {
			s.config.Rate = embeddedRate
		}
		return ctx, stop, nil
	case s.exec != "":
		server, err := startServer(ctx, s.settings)
		if err != nil {
			return nil, nil, err
		}
		s.server = server
		forget := s.std.last.add(func() { killGroup(server.cmd) })
		running, cancel := server.whileItRuns(ctx)
		return running, func() {
			defer forget()
			cancel()
			if server.stop() {
				if last := server.last.text(); last != "" {
					fmt.Fprintf(s.std.err, "the last lines of the server:\n%s", last)
				} else {
					fmt.Fprintln(s.std.err, "the server said nothing")
				}
			}
		}, nil
	}
	return ctx, func() {}, nil
}

// runOnce judges the target once. The report is nil if there was nothing to judge.
func (s *session) runOnce(ctx context.Context, config conformance.Config) (*result.Report, error) {
	if !s.embedded {
		config.UsersDir = usersDir()
	}
	j, err := conformance.New(config, s.register)
	if err != nil {
		return nil, err
	}
	if s.config.RateLimits {
		s.line.say("judging the rate limits too: up to a burst beyond the limit in each category and a wait of one minute, at the end")
	}
	awaited := awaitTarget(ctx, j, s.wait, s.ownServer(), s.line)
	report, err := result.Repeat(ctx, s.repeat, j.Run) // also where the target never answered, or the server ended: its report says so
	s.line.done()
	err = orWait(err)
	if err != nil && awaited != nil {
		err = awaited
	}
	if report == nil {
		return nil, err
	}
	if s.restarts > 0 && err == nil && report.EndedBy == "" {
		s.playRestarts(ctx, report)
	}
	report.Tool = s.tool()
	report.Target.Embedded, report.Target.Trust = s.embedded, append(s.trust(), s.started()...)
	s.apply(report, j.Catalogue())
	if unkept := s.keepStories(report); unkept != nil {
		s.line.say("conform: " + unkept.Error()) // an error here changes no verdict
	}
	return report, err
}

// saysNext reports whether a run that ended with an error has a report of what to do next: the
// target answers, and not as the service does yet.
func (s *session) saysNext(err error) bool {
	var stranger *conformance.UnreachableError
	return s.next && errors.As(err, &stranger) && stranger.Answered
}

// conclude writes the reports of a run, and returns its exit code.
func (s *session) conclude(ctx context.Context, report *result.Report, err error) error {
	if report == nil {
		return err
	}
	unwritten := s.outputs.write(report, err)
	if s.saysNext(err) && unwritten == nil {
		return exit(exitNoVerdict) // what is to be done next says it
	}
	if err != nil {
		return unjudged(ctx, errors.Join(err, unwritten))
	}
	if report.EndedBy != "" {
		fmt.Fprintf(s.std.err, "conform: %s\n", report.EndedBy)
	}
	return verdictOf(report, unwritten, s.std)
}
