package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"go.uber.org/goleak"
)

// programsVariable names the folder with the built programs: what is tested is
// what a person runs.
const programsVariable = "TESTED_PROGRAMS"

func TestMain(m *testing.M) {
	if way := os.Getenv(clientVariable); way != "" {
		os.Exit(beClient(way))
	}
	if path := os.Getenv(memoryVariable); path != "" {
		os.Exit(measure(path))
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "conform-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if output, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), ".", "../refserver").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the programs: %v\n%s", err, output)
		return 1
	}
	const rate = "950" // said, so that a target that limits nothing is not sent more: few tests are about what is drawn
	if err := errors.Join(os.Setenv(programsVariable, dir), os.Setenv("CONFORM_RATE", rate)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	// Most of what the tests do is wait, for processes and for what hostile targets do not send.
	if err := flag.Set("test.parallel", "8"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func program(name string) string { return filepath.Join(os.Getenv(programsVariable), name) }

// mostPatience ends a run that does not end by itself: far above what any takes.
const mostPatience = 6 * time.Minute

// command is conform with the given arguments, in an environment that says
// nothing to it.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), mostPatience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program("conform"), args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "CONFORM_") || name == "CI" || name == "NO_COLOR" || strings.HasSuffix(strings.ToLower(name), "_proxy")
	})
	cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+t.TempDir())
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// launch starts a command, whose end is waited for also where the test ends before it.
func launch(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Wait() // the test's context has ended it
		}
	})
}

// outcome is what a run of conform left behind.
type outcome struct {
	code           int
	stdout, stderr string
	written        string         // the JSON report as it was written, "" without
	report         *result.Report // nil without
}

// finish runs a command to its end.
func finish(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	return finishWhile(t, cmd, func() {})
}

// finishWhile runs a command to its end while something is done to it.
func finishWhile(t *testing.T, cmd *exec.Cmd, do func()) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Start()
	if err == nil {
		go do()
		err = cmd.Wait()
	}
	if exited := new(exec.ExitError); err != nil && !errors.As(err, &exited) {
		t.Fatalf("running conform: %v\n%s", err, stderr.String())
	}
	return outcome{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}

// conform runs the command with the given arguments.
func conform(t *testing.T, args ...string) outcome {
	t.Helper()
	return finish(t, command(t, args...))
}

// judged runs the command and reads its JSON report.
func judged(t *testing.T, args ...string) outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.json")
	o := conform(t, append(args, "--report", "json="+path)...)
	o.read(t, path)
	return o
}

// read reads a JSON report, which every run leaves that began.
func (o *outcome) read(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("exit %d without a JSON report: %v\n%s", o.code, err, o.stderr)
	}
	o.written, o.report = string(data), new(result.Report)
	if err := json.Unmarshal(data, o.report); err != nil {
		t.Fatalf("the JSON report does not decode: %v", err)
	}
}

// wants fails the test where the exit code is none of those wanted, and tells why.
func (o outcome) wants(t *testing.T, codes ...int) {
	t.Helper()
	if !slices.Contains(codes, o.code) {
		t.Errorf("exit %d, want %v\nstderr: %s\n%s", o.code, codes, o.stderr, strings.Join(o.troubles(), "\n"))
	}
}

// troubles are the checks that neither passed nor were skipped, and the notes.
func (o outcome) troubles() []string {
	if o.report == nil {
		return nil
	}
	all := slices.Clone(o.report.Notes)
	for _, rule := range o.report.Rules {
		for _, check := range rule.Checks {
			switch check.Status {
			case result.Pass, result.Observed, result.Skipped:
			default:
				all = append(all, fmt.Sprintf("%s %s at %s: %s (%s)", check.Status, rule.ID, check.Endpoint, check.Message, check.Scenario))
			}
		}
	}
	return all[:min(len(all), 12)]
}

// blamed are the rules that are broken.
func (o outcome) blamed() []string {
	var rules []string
	for _, rule := range o.report.Rules {
		if rule.Status == result.Fail || rule.Status == result.Warn {
			rules = append(rules, rule.ID)
		}
	}
	return rules
}

// fewLines sees that stderr is a word and no wall.
func (o outcome) fewLines(t *testing.T, most int) {
	t.Helper()
	lines := strings.Count(strings.TrimRight(o.stderr, "\n"), "\n") + 1
	if lines > most || strings.Contains(o.stderr, "Usage:") || strings.Contains(o.stderr, "goroutine ") {
		t.Errorf("stderr has %d lines, want %d at most:\n%s", lines, most, o.stderr)
	}
}
