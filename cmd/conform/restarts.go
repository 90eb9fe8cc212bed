package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/restarts"
	"github.com/socialfeed/conform/conformance/result"
)

// completeRestarts checks the flag --restarts.
func (s *settings) completeRestarts() error {
	switch {
	case s.restarts < 0:
		return errors.New("--restarts must not be below zero")
	case s.restarts == 0:
		return nil
	case s.exec == "":
		return errors.New("--restarts needs --exec: conform stops and kills only a target that it starts itself")
	case s.shard != "":
		return errors.New("--restarts cannot be judged beside other shards: judge it in a run of its own")
	}
	if err := restarts.Supported(); err != nil {
		return fmt.Errorf("--restarts: %w", err)
	}
	s.config.Restarts = true
	return nil
}

// playRestarts plays stories with restarts in the place of the run's target, and adds to the report
// what they show.
func (s *session) playRestarts(ctx context.Context, r *result.Report) {
	close(s.server.released)
	if s.server.stop() {
		r.Notes = append(r.Notes, "the target ended by itself before its stories with restarts")
	}
	s.line.say(fmt.Sprintf("stopping, killing, pausing and starting the target inside stories, for %s", s.restarts))
	process, last, err := s.restartable()
	if err != nil {
		r.Notes = append(r.Notes, "no story with restarts was played: "+err.Error())
		return
	}
	defer s.std.last.add(process.Close)()
	defer process.Close()
	out, err := restarts.Run(ctx, restarts.Config{Target: process.Target, Process: process, Seed: r.Seed, Budget: s.restarts})
	if err != nil {
		if text := last.text(); text != "" {
			fmt.Fprintf(s.std.err, "the last lines of the server:\n%s", text)
		}
	}
	r.DurationMS = time.Since(r.StartedAt).Milliseconds()
	for method, n := range out.Requests {
		r.Summary.Requests[method] += n
	}
	r.Notes = append(r.Notes, out.Notes...)
	if len(out.Ignored) > 0 {
		r.Notes = append(r.Notes, "stories with restarts did not look at views that are wrong without a restart, too: "+strings.Join(out.Ignored, ", "))
	}
	r.Replace(out.Checks(err))
}

// restartable is the target as a process that can be started again and again.
func (s *session) restartable() (*restarts.Command, *lastLines, error) {
	trust, err := s.config.Target.TLS()
	if err != nil {
		return nil, nil, err
	}
	_, port, err := s.address()
	if err != nil {
		return nil, nil, err
	}
	last := newLastLines(s.settings)
	const longestStop = 10 * time.Second
	return &restarts.Command{
		New: func() *exec.Cmd { return serverCommand(s.settings, port, last) },
		Target: restarts.Target{
			BaseURL: s.config.Target.BaseURL, AppToken: s.config.Target.AppToken, UserAgent: "conform/" + s.config.Version,
			Client: &http.Client{
				Transport:     &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true},
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			},
			Settle: s.config.Settle, Timeout: s.config.RequestTimeout,
		},
		Wait: max(s.wait, longestStop),
	}, last, nil
}

// restartsStory is the story with restarts that a report has of a rule, nil for none.
func restartsStory(r *result.Report, rule string) []byte {
	for at, c := range r.EachCheck() {
		if at.ID == rule && len(c.Restarts) > 0 && c.FoundBroken() {
			return c.Restarts
		}
	}
	return nil
}

// reproduceRestarts writes the script of a story with restarts.
func reproduceRestarts(story []byte, r *result.Report, rule, form, path string, std streams) error {
	if script.Form(form) != script.Shell {
		return fmt.Errorf("a story with restarts is written as %s alone, got --as %s", script.Shell, form)
	}
	command := ""
	if i := slices.Index(r.Target.Trust, "--exec"); i >= 0 && i+1 < len(r.Target.Trust) {
		command = r.Target.Trust[i+1]
	}
	text, err := restarts.Script(story, command, "Shows how "+rule+" is broken, with curl and jq: starts the server, stops or kills it, and starts it again.", "SERVER names another command than the one that was judged. Exit: 1 the failure is there, 0 it is not, 2 it cannot tell.")
	if err != nil {
		return err
	}
	return writeTo(path, std, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
