package deploy_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

const (
	appToken    = "the-app"
	secondToken = "another-app"
	// rate spares the tests the pace that a target with the contract's own limits is owed.
	rate = "30000"
	// atOnce is how many shards are played side by side.
	atOnce = 2
)

// target is a reference server in a process of its own.
type target struct{ url, caFile string }

// serve starts a reference server, with a fault unless that is blank.
func serve(t *testing.T, fault string) target {
	t.Helper()
	served := target{caFile: filepath.Join(t.TempDir(), "ca.pem")}
	cmd := exec.Command(program("refserver"), "--addr", "127.0.0.1:0", "--ca-out", served.caFile, "--rate-limit", "0",
		"--app-token", appToken, "--app-token", secondToken, "--fault", fault)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	for lines := bufio.NewScanner(output); served.url == "" && lines.Scan(); {
		if url, found := strings.CutPrefix(lines.Text(), "base URL:"); found {
			served.url = strings.TrimSpace(url)
		}
	}
	return served
}

// whole is what a single run says of the target.
func (s target) whole(t *testing.T) outcome {
	t.Helper()
	report := filepath.Join(t.TempDir(), "whole.json")
	o := run(t, t.TempDir(), append(s.environment(), "CONFORM_CA_CERT="+s.caFile), program("conform"), "--quiet", "--report", "json="+report)
	o.read(t, report)
	return o
}

// environment is what pipelines keep as secrets and variables.
func (s target) environment() []string {
	return []string{"CONFORM_BASE_URL=" + s.url, "CONFORM_APP_TOKEN=" + appToken, "CONFORM_SECOND_APP_TOKEN=" + secondToken, "CONFORM_RATE=" + rate}
}

// outcome is what a command left behind.
type outcome struct {
	code   int
	output string
	report *result.Report
}

// patience ends what does not end by itself: far above what anything here takes.
const patience = 2 * time.Minute

// run runs a command in a folder, with no environment but the given one.
func run(t *testing.T, dir string, env []string, name string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var output bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append([]string{}, env...), &output, &output
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if exited := new(exec.ExitError); err != nil && !errors.As(err, &exited) {
		t.Errorf("running %s: %v\n%s", name, err, output.String())
	}
	return outcome{code: cmd.ProcessState.ExitCode(), output: output.String()}
}

// script runs lines as pipelines do: by bash, up to the first that fails.
func script(t *testing.T, dir string, env []string, lines string) outcome {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("pipelines run their scripts by bash, and there is none here")
	}
	return run(t, dir, append([]string{"PATH=" + os.Getenv("PATH")}, env...), bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", lines)
}

// read reads the report that a command wrote.
func (o *outcome) read(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("exit %d without a report: %v\n%s", o.code, err, o.output)
	}
	o.report = new(result.Report)
	if err := json.UnmarshalCaseSensitivePreserveInts(data, o.report); err != nil {
		t.Fatalf("%s does not decode: %v", path, err)
	}
}

// equals sees that a merged report says of every rule what a single run says.
func (o outcome) equals(t *testing.T, whole outcome) {
	t.Helper()
	if o.code != whole.code || o.report.Verdict != whole.report.Verdict {
		t.Errorf("merged: %s, exit %d; a single run: %s, exit %d\n%s", o.report.Verdict, o.code, whole.report.Verdict, whole.code, o.output)
	}
	if got, want := judgements(o.report), judgements(whole.report); !slices.Equal(got, want) {
		t.Errorf("the merged report differs from that of a single run:\n%s", difference(got, want))
	}
	for _, both := range [][2]any{{o.report.Summary.Rules, whole.report.Summary.Rules}, {o.report.Summary.Checks, whole.report.Summary.Checks}} {
		if fmt.Sprint(both[0]) != fmt.Sprint(both[1]) {
			t.Errorf("merged %v\nwhole  %v", both[0], both[1])
		}
	}
}

// judgements are the outcome of each rule, and of each of its checks by endpoint.
func judgements(r *result.Report) []string {
	all := map[string]bool{}
	for _, rule := range r.Rules {
		all[fmt.Sprintf("%s: %s", rule.ID, rule.Status)] = true
		for _, check := range rule.Checks {
			all[fmt.Sprintf("%s at %s: %s", rule.ID, check.Endpoint, check.Status)] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func difference(got, want []string) string {
	var lines []string
	for _, line := range got {
		if !slices.Contains(want, line) {
			lines = append(lines, "merged: "+line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			lines = append(lines, "whole:  "+line)
		}
	}
	return strings.Join(lines, "\n")
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// strictly reads YAML as the API does: what is unknown, there twice or in other
// letters than it is called is an error.
func strictly(text []byte, into any) error {
	data, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	mistakes, err := json.UnmarshalStrict(data, into)
	return errors.Join(append(mistakes, err)...)
}
