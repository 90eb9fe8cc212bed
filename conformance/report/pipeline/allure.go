package pipeline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// The parts of a test result as Allure reads it, in a file of its own.
type (
	allureResult struct {
		UUID        string        `json:"uuid"`
		HistoryID   string        `json:"historyId"` // the same in each run
		TestCaseID  string        `json:"testCaseId"`
		FullName    string        `json:"fullName"`
		Name        string        `json:"name"`
		Description string        `json:"description,omitempty"`
		Status      string        `json:"status"`
		Details     allureDetails `json:"statusDetails"`
		Stage       string        `json:"stage"`
		Start       int64         `json:"start"` // in milliseconds since 1970, as Stop
		Stop        int64         `json:"stop"`
		Labels      []allureLabel `json:"labels"`
	}
	allureDetails struct {
		Message string `json:"message,omitempty"`
		Trace   string `json:"trace,omitempty"`
		Known   bool   `json:"known,omitempty"` // a waiver accepts it
		Flaky   bool   `json:"flaky,omitempty"`
	}
	allureLabel struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

var allureFile = regexp.MustCompile(`^conform-[0-9a-f]{32}-result\.json$`)

// OwnFile reports whether a file in the folder of such a report has a name that only WriteAllure gives: one
// that it does not write again is of an earlier run.
func OwnFile(name string) bool { return allureFile.MatchString(name) }

// WriteAllure writes the report in files that Allure reads. It has put write each under its name.
func WriteAllure(put func(name string, write func(io.Writer) error) error, v *view.View) error {
	r := v.Report
	met := map[string]int{}
	for _, s := range JUnitOf(v).Suites {
		for _, c := range s.Cases {
			full := c.Class + ": " + c.Name
			if met[full]++; met[full] > 1 { // a report from elsewhere may have two of one name
				full += fmt.Sprintf(" (%d)", met[full])
			}
			one := allureOf(r, s, c, full)
			err := put("conform-"+one.HistoryID+"-result.json", func(w io.Writer) error {
				return clean.Guarded(w, clean.JSON, func(w io.Writer) error { return indented.Write(w, one) })
			})
			if err != nil {
				return fmt.Errorf("writing the report for Allure: %w", err)
			}
		}
	}
	return nil
}

// allureOf is a case of the JUnit report. What could not be judged is broken.
func allureOf(r *result.Report, s Suite, c Case, full string) allureResult {
	test := ctrfTestOf(s.Name, c)
	start := r.StartedAt.UnixMilli()
	out := allureResult{
		UUID: digest(fmt.Sprint(full, r.StartedAt.UnixNano(), r.Seed)), HistoryID: digest(full), TestCaseID: digest(full), FullName: full, Name: test.Name,
		Status: test.Status, Details: allureDetails{Message: test.Message, Trace: test.Trace}, Stage: "finished",
		Start: start, Stop: start + test.Duration,
		Labels: []allureLabel{{"framework", "conform"}, {"parentSuite", "contract"}, {"suite", cmp.Or(s.Name, "none")}, {"host", plain.Short(r.Target.BaseURL)}},
	}
	if test.Status == "other" {
		out.Status = "broken"
	}
	if r.Implementation != nil {
		for _, told := range r.Implementation.Facts() {
			out.Labels = append(out.Labels, allureLabel{"implementation." + told[0], plain.Short(told[1])})
		}
	}
	if rule := c.rule; rule != nil {
		severity := map[rules.Level]string{rules.Must: "critical", rules.Should: "normal"}
		out.Description = rule.Statement
		out.Details.Known, out.Details.Flaky = rule.Status == result.Waived, rule.Status == result.Unstable
		out.Labels = append(out.Labels, allureLabel{"severity", cmp.Or(severity[rule.Level], "minor")})
	}
	return out
}

// digest is a text in 32 hexadecimal digits.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
