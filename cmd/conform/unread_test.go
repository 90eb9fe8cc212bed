//go:build linux

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestAReaderThatHasGoneChangesNoVerdict compares reports for a reader who reads nothing.
func TestAReaderThatHasGoneChangesNoVerdict(t *testing.T) {
	t.Parallel()
	written := func(status result.Status) string {
		return file(t, handmade(t, &result.Report{Schema: result.Schema, FailOn: "must", Verdict: result.Conformant, Rules: []result.Rule{
			{ID: "feed.status", Level: "must", Part: "feed", Status: status, Checks: []result.Check{{Endpoint: "GET /0.2/user/feed", Status: status, Exchanges: []result.Exchange{}}}}}}))
	}
	good, bad := written(result.Pass), written(result.Fail)
	for args, want := range map[[2]string]int{{good, bad}: exitNonConformant, {bad, good}: exitConformant} {
		cmd := command(t, "diff", args[0], args[1])
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		cmd.Stdout = writer
		_ = cmd.Run() // its error is the exit code
		writer.Close()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("exit %d, want %d", code, want)
		}
	}
}

// TestReportsThatCannotBeWrittenAreTold has traffic without a verdict, and a device that is full.
func TestReportsThatCannotBeWrittenAreTold(t *testing.T) {
	t.Parallel()
	o := conform(t, "har", file(t, []byte(`{"log":{"entries":[]}}`)), "--report", "json=/dev/full")
	o.wants(t, exitNoVerdict)
	if !strings.Contains(o.stderr, "writing the json report to /dev/full") {
		t.Errorf("stderr says %q", o.stderr)
	}
}
