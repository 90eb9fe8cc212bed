package pipeline

import (
	"cmp"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
)

// The parts of a report in the Common Test Report Format (ctrf.io).
type (
	CTRF struct {
		Format      string      `json:"reportFormat"`
		Version     string      `json:"specVersion"`
		GeneratedBy string      `json:"generatedBy"`
		Results     ctrfResults `json:"results"`
	}
	ctrfResults struct {
		Tool        ctrfTool        `json:"tool"`
		Summary     ctrfSummary     `json:"summary"`
		Tests       []ctrfTest      `json:"tests"`
		Environment ctrfEnvironment `json:"environment"`
	}
	ctrfTool struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	ctrfSummary struct {
		Tests    int   `json:"tests"`
		Passed   int   `json:"passed"`
		Failed   int   `json:"failed"`
		Skipped  int   `json:"skipped"`
		Pending  int   `json:"pending"`
		Other    int   `json:"other"`
		Start    int64 `json:"start"` // in milliseconds since 1970, as Stop
		Stop     int64 `json:"stop"`
		Duration int64 `json:"duration"` // in milliseconds
	}
	ctrfTest struct {
		Name      string   `json:"name"`
		Status    string   `json:"status"`
		Duration  int64    `json:"duration"` // in milliseconds
		Suite     []string `json:"suite,omitempty"`
		Message   string   `json:"message,omitempty"`
		Trace     string   `json:"trace,omitempty"`
		RawStatus string   `json:"rawStatus,omitempty"`
	}
	ctrfEnvironment struct {
		AppName    string            `json:"appName,omitempty"`
		AppVersion string            `json:"appVersion,omitempty"`
		Commit     string            `json:"commit,omitempty"`
		Extra      map[string]string `json:"extra"`
	}
)

// WriteCTRF writes the report in the Common Test Report Format: the cases of the JUnit report, of
// which only what gates has failed. What could not be judged has the status other.
func WriteCTRF(w io.Writer, v *view.View) error {
	r := v.Report
	start, duration := r.StartedAt.UnixMilli(), max(r.DurationMS, 0)
	report := CTRF{Format: "CTRF", Version: "0.0.0", GeneratedBy: "conform", Results: ctrfResults{
		Tool:        ctrfTool{Name: "conform", Version: plain.Short(r.Tool.String())},
		Summary:     ctrfSummary{Start: start, Stop: start + duration, Duration: duration},
		Tests:       []ctrfTest{},
		Environment: ctrfEnvironment{Extra: map[string]string{}},
	}}
	if i := r.Implementation; i != nil {
		e := &report.Results.Environment
		e.AppName, e.AppVersion, e.Commit = plain.Short(i.Name), plain.Short(i.Version), plain.Short(i.Commit)
	}
	for _, p := range propertiesOf(v) {
		report.Results.Environment.Extra[p.Name] = strings.TrimPrefix(report.Results.Environment.Extra[p.Name]+"; "+p.Value, "; ")
	}
	for _, s := range JUnitOf(v).Suites {
		for _, c := range s.Cases {
			report.Results.add(ctrfTestOf(s.Name, c))
		}
	}
	return indented.Write(w, report)
}

func ctrfTestOf(suite string, c Case) ctrfTest {
	test := ctrfTest{Name: cmp.Or(c.Name, "unnamed"), Status: "passed", Duration: int64(c.Time)}
	if suite != "" {
		test.Suite = []string{suite}
	}
	switch {
	case c.Failure != nil:
		test.Status, test.Message, test.Trace, test.RawStatus = "failed", c.Failure.Message, c.Failure.Text, c.Failure.Type
	case c.Error != nil:
		test.Status, test.Message, test.Trace, test.RawStatus = "other", c.Error.Message, c.Error.Text, c.Error.Type
	case c.Skipped != nil:
		test.Status, test.Message = "skipped", c.Skipped.Message
	case c.Out != nil:
		test.Message = c.Out.Text
	}
	return test
}

// add adds a test and counts it.
func (r *ctrfResults) add(t ctrfTest) {
	r.Tests = append(r.Tests, t)
	r.Summary.Tests++
	switch t.Status {
	case "failed":
		r.Summary.Failed++
	case "skipped":
		r.Summary.Skipped++
	case "other":
		r.Summary.Other++
	default:
		r.Summary.Passed++
	}
}
