package conformance

import (
	"bytes"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestSpecsFailWithTheVerdict sees that of the specs of a run, too, one fails exactly where a
// check gates or could not be judged.
func TestSpecsFailWithTheVerdict(t *testing.T) {
	fails := func(c *Check) { c.Fail("one thing", "another") }
	for _, tc := range []struct {
		name, rule string
		failOn     rules.Level
		judge      func(*Check)
		passes     bool
	}{
		{"a must that holds", "versions.status", rules.Must, func(*Check) {}, true},
		{"a must that is broken", "versions.status", rules.Must, fails, false},
		{"a must with a warning", "versions.status", rules.Should, func(c *Check) { c.Warn("the best", "the second best") }, true},
		{"a should that is broken", "versions.disabled", rules.Must, fails, true},
		{"a should that is broken, and gates", "versions.disabled", rules.Should, fails, false},
		{"a choice", "search.self", rules.Must, fails, true},
		{"what cannot be tried", "versions.status", rules.Must, func(c *Check) { c.t.Skip("not here") }, true},
		{"what is blocked", "versions.status", rules.Must, func(c *Check) { c.t.Blocked("users.create.status", "needs luck") }, false},
		{"a defect of the suite", "versions.status", rules.Must, func(*Check) { panic("oh") }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := Config{Target: listOfVersions(t, "application/json"), Selection: rules.Selection{Rules: []string{tc.rule}}, FailOn: tc.failOn}
			expectSpecs(t, config, tc.rule, tc.judge, tc.passes)
		})
	}
	t.Run("a passive must that is broken", func(t *testing.T) {
		config := Config{Target: listOfVersions(t, "text/plain"), Selection: rules.Selection{Rules: []string{"versions.status", "transport.json-body"}}}
		expectSpecs(t, config, "versions.status", func(c *Check) { c.t.Send(Anonymous{}, rules.Versions) }, false)
	})
}

// expectSpecs plays a scenario that judges one rule, and expects its spec to pass or to fail, in
// silence, and the verdict to agree.
func expectSpecs(t *testing.T, config Config, rule string, judge func(*Check), passes bool) {
	t.Helper()
	runner, err := New(config, func(s *Suite) {
		s.Scenario("of one rule", Covers(rule), func(t *T) { t.Judge(rule, judge) })
	})
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(runner)
	defer r.wire.Close()
	shown := screen(t)
	if passed := r.perform(t.Context(), runner.suite.pick(runner.selected, Shard{})); passed != passes {
		t.Errorf("the specs pass: %v", passed)
	}
	if text := shown(); text != "" {
		t.Errorf("the screen shows %q", text)
	}
	report := &result.Report{FailOn: runner.config.FailOn}
	result.Assemble(report, runner.catalogue, runner.selected, r.result(t.Context(), 1))
	if (report.Verdict == result.Conformant) != passes {
		t.Errorf("the verdict is %s", report.Verdict)
	}
}

// listOfVersions is a target that has nothing but its versions.
func listOfVersions(t *testing.T, contentType string) Target {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, `[{"version":"0.2","status":"current"}]`)
	}))
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return Target{BaseURL: server.URL, AppToken: "token", CACert: ca}
}

// screen catches all that Ginkgo may print to, and returns what was printed.
func screen(t *testing.T) func() string {
	t.Helper()
	stdout, stderr, colored, coloredErr := os.Stdout, os.Stderr, formatter.ColorableStdOut, formatter.ColorableStdErr
	file, err := os.CreateTemp(t.TempDir(), "screen")
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	os.Stdout, os.Stderr, formatter.ColorableStdOut, formatter.ColorableStdErr = file, file, &printed, &printed
	return func() string {
		os.Stdout, os.Stderr, formatter.ColorableStdOut, formatter.ColorableStdErr = stdout, stderr, colored, coloredErr
		written, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(written) + printed.String()
	}
}
