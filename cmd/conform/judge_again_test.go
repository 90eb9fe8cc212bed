//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// A report is judged again without its target: what its exchanges still show stands, what they do not
// show any more is gone, and what the old judge did not tell is found.
func TestReportIsJudgedAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "old.json")
	o := conform(t, "--part", "versions", "--part", "transport", "--exec", refserverByExec("--fault transport-null-in-version"), "--allow-http",
		"--report", "json="+path, "--report", "har="+filepath.Join(folder, "old.har"))
	o.wants(t, exitNonConformant)
	o.read(t, path)
	again := func(edit func(r *result.Report)) outcome {
		t.Helper()
		r := *o.report
		if err := json.Unmarshal([]byte(o.written), &r); err != nil {
			t.Fatal(err)
		}
		edit(&r)
		edited := filepath.Join(folder, "edited.json")
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(edited, data, 0o600); err != nil {
			t.Fatal(err)
		}
		now := conform(t, "report", "json", edited, "--judge-again")
		now.report = &result.Report{}
		if err := json.Unmarshal([]byte(now.stdout), now.report); err != nil {
			t.Fatalf("%v: %s", err, now.stderr)
		}
		return now
	}
	for name, c := range map[string]struct {
		edit func(*result.Report)
		code int
		want result.JudgedAgain
	}{
		"as it is": {func(*result.Report) {}, exitNonConformant, result.JudgedAgain{Failures: 1, Stand: 1}},
		"mended":   {withoutNull, exitConformant, result.JudgedAgain{Failures: 1, NoLonger: 1}},
		"not told": {withoutFailures, exitNonConformant, result.JudgedAgain{Found: 1}},
		"cut off":  {cutOff, exitNonConformant, result.JudgedAgain{Failures: 1}},
	} {
		now := again(c.edit)
		now.wants(t, c.code)
		got := *now.report.JudgedAgain
		if got.Tool = (result.Tool{}); got.String() != c.want.String() {
			t.Errorf("%s: %s, want %s", name, got.String(), c.want.String())
		}
		if !strings.Contains(now.stderr, "could be judged again without the target") {
			t.Errorf("%s: stderr says %q", name, now.stderr)
		}
	}
	conform(t, "report", path).wants(t, exitUsage)
}

// eachExchange edits all stored exchanges.
func eachExchange(r *result.Report, edit func(*result.Exchange)) {
	for _, c := range r.EachCheck() {
		for i := range c.Exchanges {
			edit(&c.Exchanges[i])
		}
	}
	for i := range r.Exchanges {
		edit(&r.Exchanges[i])
	}
}

// withoutNull is as if null were no violation any more.
func withoutNull(r *result.Report) {
	eachExchange(r, func(x *result.Exchange) {
		if x.Response != nil {
			x.Response.Body = strings.ReplaceAll(x.Response.Body, "null", "false")
		}
	})
}

// withoutFailures is the report of a judge that did not know the rule.
func withoutFailures(r *result.Report) {
	for i := range r.Rules {
		r.Rules[i].Checks = slices.DeleteFunc(r.Rules[i].Checks, func(c result.Check) bool { return c.FoundBroken() })
	}
}

// cutOff has no body in full.
func cutOff(r *result.Report) {
	eachExchange(r, func(x *result.Exchange) {
		if x.Response != nil {
			x.Response.Body += "… (cut at 1 of 2 bytes)"
		}
	})
}
