package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/result"
)

// shortening drops the requests from a reproduction that its failure does not need. A
// shorter script counts only where it fails on the target and passes on the reference
// server: a script without its arrangements could fail on any server.
type shortening struct {
	failure
	target conformance.Target
	sound  conformance.Target // the embedded reference server
	dir    string
}

const (
	mostTries  = 60
	tryTimeout = 5 * time.Minute
)

// shorten returns the failure's check with the shortest reproduction that was found at
// the target. The app tokens come from the environment.
func shorten(ctx context.Context, f failure, baseURL string, std streams) (result.Check, error) {
	check := f.check
	for _, tool := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			return check, fmt.Errorf("--shorten runs the script, which takes %s: there is none", tool)
		}
	}
	token := cmp.Or(os.Getenv("APP_TOKEN"), os.Getenv(variable("app-token")))
	if token == "" {
		return check, errors.New("--shorten takes the app token in APP_TOKEN")
	}
	sound, stop, err := startEmbedded(ctx, true)
	if err != nil {
		return check, err
	}
	defer stop()
	dir, err := os.MkdirTemp("", "conform-shorten")
	if err != nil {
		return check, fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), sound.CACert, 0o600); err != nil {
		return check, fmt.Errorf("writing the authority of the reference server: %w", err)
	}
	s := &shortening{failure: f, sound: sound, dir: dir, target: conformance.Target{BaseURL: baseURL, AppToken: token,
		SecondAppToken: cmp.Or(os.Getenv("SECOND_APP_TOKEN"), os.Getenv(variable("second-app-token")))}}
	began := time.Now()
	whole, err := s.shows(ctx, *check.Reproduction)
	if err != nil {
		return check, err
	}
	if !whole {
		return check, fmt.Errorf("%s does not tell %s from the reference server: nothing is left out", f.rule.ID, baseURL)
	}
	fmt.Fprintf(std.err, "leaving out requests of %d, by at most %d tries; the first one took %s\n",
		len(check.Reproduction.Steps), mostTries, time.Since(began).Round(time.Second))
	shorter, err := script.Shorten(ctx, *check.Reproduction, mostTries, s.shows)
	if err != nil {
		return check, err
	}
	fmt.Fprintf(std.err, "%d requests of %d show it\n", len(shorter.Steps), len(check.Reproduction.Steps))
	check.Reproduction = &shorter
	return check, nil
}

// shows reports whether a reproduction fails on the target and passes on the reference
// server.
func (s *shortening) shows(ctx context.Context, story result.Reproduction) (bool, error) {
	check := s.check
	check.Reproduction = &story
	path := filepath.Join(s.dir, "story.sh")
	if err := writeFile(anywhere{}, path, func(w io.Writer) error { return script.Write(w, script.Shell, s.report, s.rule, check) }); err != nil {
		return false, err
	}
	const fails, passes = 1, 0
	code, err := runScript(ctx, path, s.target, os.Getenv(authority))
	if err != nil || code != fails {
		return false, err
	}
	code, err = runScript(ctx, path, s.sound, filepath.Join(s.dir, "ca.pem"))
	return code == passes, err
}

// authority is the variable that names a script's authority, in place of the report's.
const authority = "CA_CERT"

// runScript runs a script against a target, and returns its exit code. The file ca is the
// target's authority, "" for the report's.
func runScript(ctx context.Context, script string, target conformance.Target, ca string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", script)
	cmd.Env = append(os.Environ(), "BASE_URL="+target.BaseURL, "APP_TOKEN="+target.AppToken, "SECOND_APP_TOKEN="+target.SecondAppToken, authority+"="+ca)
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return 0, fmt.Errorf("running the script: %w", err)
	}
	return cmd.ProcessState.ExitCode(), ctx.Err()
}
