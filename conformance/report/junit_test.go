package report

import (
	"encoding/xml"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/pipeline"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestJUnitGolden(t *testing.T) {
	for name, r := range fixtures() {
		t.Run(name, func(t *testing.T) { golden(t, name+".junit.xml", writtenAs(t, "junit", r)) })
	}
}

// The elements of the layout as a CI server reads them.
type (
	readSuites struct {
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Suites   []readSuite `xml:"testsuite"`
	}
	readSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Time     float64    `xml:"time,attr"`
		Cases    []readCase `xml:"testcase"`
	}
	readCase struct {
		Class   string    `xml:"classname,attr"`
		Time    float64   `xml:"time,attr"`
		Skipped *struct{} `xml:"skipped"`
		Error   *struct{} `xml:"error"`
		Failure *struct{} `xml:"failure"`
	}
)

// add adds a case and counts it by its first outcome.
func (s *readSuite) add(c readCase) {
	s.Tests++
	s.Time += c.Time
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// CI servers add up by themselves what the attributes say.
func TestJUnitAddsUp(t *testing.T) {
	for name, r := range everyReport() {
		var all readSuites
		if err := xml.Unmarshal([]byte(writtenAs(t, "junit", r)), &all); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var tests, failures, errors int
		for _, suite := range all.Suites {
			want := readSuite{Name: suite.Name}
			for _, c := range suite.Cases {
				want.add(c)
				if c.Class != "conform."+suite.Name {
					t.Errorf("%s: a case of %s is in the suite %s", name, c.Class, suite.Name)
				}
			}
			if want.Tests != suite.Tests || want.Failures != suite.Failures || want.Errors != suite.Errors ||
				want.Skipped != suite.Skipped || math.Abs(want.Time-suite.Time) > 1e-6 {
				t.Errorf("%s: the suite %s says %+v, its cases %+v", name, suite.Name, suite, want)
			}
			tests, failures, errors = tests+suite.Tests, failures+suite.Failures, errors+suite.Errors
		}
		if tests == 0 || tests != all.Tests || failures != all.Failures || errors != all.Errors {
			t.Errorf("%s: %d tests, %d failures, %d errors in all of %d, %d, %d", name, all.Tests, all.Failures, all.Errors, tests, failures, errors)
		}
		if green := all.Failures+all.Errors == 0; green != (r.Verdict == result.Conformant) {
			t.Errorf("%s: the verdict is %s with %d failures and %d errors", name, r.Verdict, all.Failures, all.Errors)
		}
	}
}

func TestJUnitFollowsTheSchema(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed (libxml2-utils): the layout was checked by TestJUnitLayout alone")
	}
	for name, r := range everyReport() {
		check := exec.Command(xmllint, "--noout", "--huge", "--schema", "testdata/junit.xsd", "-")
		check.Stdin = strings.NewReader(writtenAs(t, "junit", r))
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, plain.Cut(string(out), 2000))
		}
	}
}

// The layout's elements, each with its attributes and with what may stand in it.
func TestJUnitLayout(t *testing.T) {
	outcome := map[string]bool{"message": true, "type": true}
	attributes := map[string]map[string]bool{
		"testsuites": {"name": true, "tests": true, "failures": true, "errors": true, "time": true},
		"testsuite":  {"name": true, "tests": true, "failures": true, "errors": true, "skipped": true, "time": true, "timestamp": true},
		"properties": {}, "property": {"name": true, "value": true},
		"testcase": {"classname": true, "name": true, "time": true},
		"failure":  outcome, "error": outcome, "skipped": outcome, "system-out": {},
	}
	within := map[string]string{"testsuites": "", "testsuite": "testsuites", "properties": "testsuite", "property": "properties",
		"testcase": "testsuite", "failure": "testcase", "error": "testcase", "skipped": "testcase", "system-out": "testcase"}
	for name, r := range everyReport() {
		decoder := xml.NewDecoder(strings.NewReader(writtenAs(t, "junit", r)))
		open := []string{""}
		for token, err := decoder.Token(); token != nil; token, err = decoder.Token() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch e := token.(type) {
			case xml.StartElement:
				known, ok := attributes[e.Name.Local]
				if !ok || within[e.Name.Local] != open[len(open)-1] {
					t.Errorf("%s: %s in %v", name, e.Name.Local, open)
				}
				for _, a := range e.Attr {
					if !known[a.Name.Local] {
						t.Errorf("%s: %s has an attribute %s", name, e.Name.Local, a.Name.Local)
					}
				}
				open = append(open, e.Name.Local)
			case xml.EndElement:
				open = open[:len(open)-1]
			}
		}
		if len(open) != 1 {
			t.Errorf("%s: %v is not closed", name, open)
		}
	}
}

func junitReport(r *result.Report) pipeline.JUnit {
	return pipeline.JUnitOf(view.New(r, view.Options{}))
}

func caseNamed(t *testing.T, r *result.Report, name string) pipeline.Case {
	t.Helper()
	for _, suite := range junitReport(r).Suites {
		for _, c := range suite.Cases {
			if c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("there is no case %q", name)
	return pipeline.Case{}
}

func TestJUnitOutcomes(t *testing.T) {
	failed := caseNamed(t, failing(), "users.get.other @ GET /0.2/users/{UserID}")
	if failed.Failure == nil || failed.Failure.Type != "must" || !strings.Contains(failed.Failure.Text, "curl -sS") ||
		!strings.Contains(failed.Failure.Text, "< 404 Not Found") || !strings.Contains(failed.Failure.Message, "expected 200 OK") {
		t.Errorf("a failure: %+v", failed.Failure)
	}
	warned := caseNamed(t, failing(), "sessions.login.id-string @ POST /0.2/user/login")
	if warned.Failure != nil || warned.Out == nil || !strings.Contains(warned.Out.Text, "a string") {
		t.Errorf("a warning: %+v", warned)
	}
	strict := failing()
	strict.FailOn = rules.Should
	if c := caseNamed(t, strict, "sessions.login.id-string @ POST /0.2/user/login"); c.Failure == nil || c.Failure.Type != "should" {
		t.Errorf("a warning that gates: %+v", c)
	}
	if c := caseNamed(t, blockedRun(), "search.email @ GET /0.2/users/search"); c.Error == nil || c.Error.Type != "blocked" ||
		!strings.HasPrefix(c.Error.Message, "blocked by users.create.status: ") {
		t.Errorf("blocked: %+v", c.Error)
	}
	if c := caseNamed(t, passing(), "limits.rate.get"); c.Skipped == nil || c.Skipped.Message != "needs --rate-limits" {
		t.Errorf("skipped: %+v", c)
	}
	answered := passing()
	for i := range answered.Rules {
		if rule := &answered.Rules[i]; rule.Status == result.Observed {
			rule.Checks[0].Message = "kept as sent"
		}
	}
	if c := caseNamed(t, answered, "choices.number-3 @ GET /0.2/user"); c.Out == nil || c.Out.Text != "kept as sent" || c.Failure != nil || c.Skipped != nil {
		t.Errorf("a choice: %+v", c)
	}
}

// Several checks of a rule at one endpoint are one case, the worst of them.
func TestJUnitOneCasePerRuleAndEndpoint(t *testing.T) {
	rule := newRule("users.me.get", rules.Must, newCheck(rules.GetMe, result.Pass),
		broken(rules.GetMe, result.Fail, "200 OK", 500, "{}"), newCheck(rules.Feed, result.Pass),
		broken(rules.GetMe, result.Warn, "200 OK", 201, "{}"))
	cases := junitReport(newReport(result.NonConformant, []result.Rule{rule})).Suites[0].Cases
	if len(cases) != 2 || cases[0].Failure == nil || cases[1].Failure != nil || cases[0].Time != 6 {
		t.Errorf("got %+v", cases)
	}
}

// A rule without checks, and one whose status nobody knows, are not green.
func TestJUnitIsNeverSilentlyGreen(t *testing.T) {
	for _, status := range []result.Status{result.Error, result.Blocked, "unheard-of"} {
		rule := newRule("users.me.get", rules.Must)
		rule.Status, rule.Message = status, "nothing judged it"
		withCheck := newRule("users.me.put", rules.Must, newCheck(rules.GetMe, status), newCheck(rules.GetMe, result.Pass))
		for _, c := range junitReport(newReport(result.Incomplete, []result.Rule{rule, withCheck})).Suites[0].Cases {
			if c.Error == nil {
				t.Errorf("%s at %s: %+v", status, c.Name, c)
			}
		}
	}
}
