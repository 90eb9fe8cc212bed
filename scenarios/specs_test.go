package scenarios_test

import (
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// The scenarios are specs of a team's own Ginkgo suite, which the ginkgo command
// filters, spreads over processes and reports as it does any other.
func TestSpecsOfAGinkgoSuite(t *testing.T) {
	suite := filepath.Join(t.TempDir(), "service.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", suite, "../examples/ginkgo").CombinedOutput(); err != nil {
		t.Fatalf("building the example: %v\n%s", err, out)
	}
	const newestFirst = "the events of all followed users are in one feed, each once, the newest first"
	for _, tc := range []struct {
		name, fault   string
		filter        []string
		specs, failed int
		says          string // in the failure of the spec newestFirst
	}{
		{"a label", "", []string{"--label-filter=feed.order"}, 2, 0, ""},
		{"labels and a file", "", []string{"--label-filter=feed && must && !feed.order", "--focus-file=scenarios/feed.go"}, 2, 0, ""},
		{"a broken rule", "feed-repeats-newest", []string{"--label-filter=feed.order"}, 2, 1,
			"feed.merge at GET /0.2/user/feed: fail: expected event "},
		{"a spec of the team's own", "feed-repeats-newest", []string{"--focus=own beside"}, 1, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			args := append([]string{"tool", "ginkgo", "--procs=2", "--no-color", "--output-dir=" + dir,
				"--junit-report=junit.xml", "--json-report=report.json"}, tc.filter...)
			command := exec.CommandContext(t.Context(), "go", append(args, suite)...)
			command.Env = append(os.Environ(), serve(t, tc.fault)...)
			out, err := command.CombinedOutput()
			if exit := new(exec.ExitError); (err != nil) != (tc.failed > 0) || err != nil && !errors.As(err, &exit) {
				t.Fatalf("ginkgo ends with %v\n%s", err, out)
			}
			if !strings.Contains(string(out), "Running in parallel across 2 processes") {
				t.Errorf("not in parallel:\n%s", out)
			}
			ran, failed := 0, map[string]string{}
			for _, c := range casesIn(t, filepath.Join(dir, "junit.xml")) {
				if strings.HasPrefix(c.Name, "[It]") && c.Skipped == nil {
					ran++
				}
				if c.Failure != nil {
					failed[c.Name] = c.Failure.Message
				}
			}
			if ran != tc.specs || len(failed) != tc.failed {
				t.Errorf("%d specs ran, %d failed: %v\n%s", ran, len(failed), failed, out)
			}
			for name, message := range failed {
				if !strings.Contains(name, newestFirst) || !strings.Contains(message, tc.says) {
					t.Errorf("%s fails with %q", name, message)
				}
			}
			if spec := specIn(t, filepath.Join(dir, "report.json"), newestFirst); spec.State.Is(types.SpecStatePassed | types.SpecStateFailed) {
				var entries []string
				for _, entry := range spec.ReportEntries {
					entries = append(entries, entry.Name)
				}
				if got := strings.Join(entries, ", "); got != "feed.merge at GET /0.2/user/feed, feed.order at GET /0.2/user/feed" {
					t.Errorf("the spec's entries are %s", got)
				}
			}
		})
	}
}

// The documentation shows what the example does.
func TestTheExampleIsDocumented(t *testing.T) {
	example, err := os.ReadFile("../examples/ginkgo/service_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/go-test.md")
	if err != nil {
		t.Fatal(err)
	}
	begin, end := strings.Index(string(example), "func TestService"), strings.Index(string(example), "\n\nvar _ = It(")
	if !strings.Contains(string(page), "```go\n"+string(example[begin:end])+"\n```") {
		t.Error("docs/go-test.md does not show examples/ginkgo/service_test.go as it is")
	}
}

// serve serves the contract with a fault, blank for none, and returns the
// environment that has the example judge it.
func serve(t *testing.T, fault string) []string {
	t.Helper()
	options := refserver.Options{AppTokens: []string{"token"}, RateLimit: -1}
	if fault != "" {
		broken, err := faults.Find(fault)
		if err != nil {
			t.Fatal(err)
		}
		broken.Apply(&options)
	}
	handler, err := refserver.New(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"CONFORM_BASE_URL=" + server.URL, "CONFORM_APP_TOKEN=token", "CONFORM_CA_CERT=" + ca}
}

type junitCase struct {
	Name    string    `xml:"name,attr"`
	Skipped *struct{} `xml:"skipped"`
	Failure *struct {
		Message string `xml:"message,attr"`
	} `xml:"failure"`
}

func casesIn(t *testing.T, path string) []junitCase {
	t.Helper()
	var report struct {
		Cases []junitCase `xml:"testsuite>testcase"`
	}
	if data, err := os.ReadFile(path); err != nil {
		t.Fatal(err)
	} else if err := xml.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	return report.Cases
}

// specIn finds a spec in one of Ginkgo's JSON reports.
func specIn(t *testing.T, path, text string) types.SpecReport {
	t.Helper()
	var reports []types.Report
	if data, err := os.ReadFile(path); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(data, &reports); err != nil {
		t.Fatal(err)
	}
	for _, spec := range reports[0].SpecReports {
		if spec.LeafNodeText == text {
			return spec
		}
	}
	t.Fatalf("the report has no spec %q", text)
	return types.SpecReport{}
}
