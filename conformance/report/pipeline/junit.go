// Package pipeline writes reports for what runs and collects tests: JUnit XML, CTRF, Allure, GitHub annotations
// and badges.
package pipeline

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// junitTime is the form of time stamps that all readers of the layout accept: no zone.
const junitTime = "2006-01-02T15:04:05"

// The elements of the JUnit layout, in the order that its readers expect.
type (
	JUnit struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Time     seconds  `xml:"time,attr"`
		Suites   []Suite  `xml:"testsuite"`
	}
	Suite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       seconds         `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []Case          `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	Case struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    seconds       `xml:"time,attr"`
		Skipped *junitOutcome `xml:"skipped"`
		Error   *junitOutcome `xml:"error"`
		Failure *junitOutcome `xml:"failure"`
		Out     *junitText    `xml:"system-out"`
		rule    *view.Rule    // nil where it is of none
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// seconds is a duration as JUnit writes it, in whole milliseconds, so that the sums in the
// file are exact.
type seconds int64

// MarshalText writes three decimals.
func (s seconds) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", s/1000, s%1000), nil
}

// WriteJUnit writes the report as JUnit XML, for CI servers: a suite for each part of the
// contract and for the waivers, a case for each rule at each endpoint. Only what gates is a
// failure; a warning that does not, and a choice, pass with what there is to say in
// system-out. A case's time is that of the exchanges which the report shows of it.
func WriteJUnit(w io.Writer, v *view.View) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(JUnitOf(v)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// JUnitOf makes the suites of a report, whose cases the other formats have, too.
func JUnitOf(v *view.View) JUnit {
	r := v.Report
	all := JUnit{Name: "conform", Time: seconds(max(r.DurationMS, 0))}
	suite := func(name string) Suite {
		return Suite{Name: name, Timestamp: r.StartedAt.UTC().Format(junitTime), Properties: propertiesOf(v)}
	}
	for _, part := range v.Parts {
		s := suite(part.Name)
		for _, rule := range part.Rules {
			for _, at := range rule.ByEndpoint(r, v.Index) {
				s.add(caseOf(at))
			}
		}
		all.Suites = append(all.Suites, s)
	}
	if len(v.Waivers) > 0 {
		s := suite("waivers")
		for i, w := range v.Waivers {
			s.add(caseOfWaiver(i, w))
		}
		all.Suites = append(all.Suites, s)
	}
	red := func(s Suite) bool { return s.Failures+s.Errors > 0 }
	if r.Verdict != result.Conformant && !slices.ContainsFunc(all.Suites, red) { // so that a bad verdict is never green
		s := suite("verdict")
		s.add(Case{Class: "conform.verdict", Name: "verdict",
			Error: &junitOutcome{plain.Short(v.Verdict.Words + ": " + v.Verdict.Sentence), "incomplete", ""}})
		all.Suites = append(all.Suites, s)
	}
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	return all
}

func (s *Suite) add(c Case) {
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
	s.Cases = append(s.Cases, c)
}

func propertiesOf(v *view.View) []junitProperty {
	r := v.Report
	properties := []junitProperty{{"target", v.Target}, {"verdict", plain.Short(string(r.Verdict))}, {"fail_on", plain.Short(string(r.FailOn))},
		{"seed", fmt.Sprint(r.Seed)}, {"version", plain.Short(r.Tool.String())}}
	if told := v.Fact("settings"); told != "" {
		properties = append(properties, junitProperty{"settings", told})
	}
	if r.Implementation != nil {
		for _, told := range r.Implementation.Facts() {
			properties = append(properties, junitProperty{"implementation." + told[0], plain.Short(told[1])})
		}
	}
	if r.Claims != nil {
		properties = append(properties, junitProperty{"claims", v.Fact("claims")})
	}
	for _, note := range v.Notes {
		properties = append(properties, junitProperty{"note", note})
	}
	for _, gap := range r.NotJudged {
		properties = append(properties, junitProperty{"not judged", plain.Short(gap.What)})
	}
	return properties
}
