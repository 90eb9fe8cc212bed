package view

import (
	"slices"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Section is the rules with the same outcome: one by one, or in groups that share a reason.
type Section struct {
	ID          SectionID
	Title, Lead string
	Status      result.Status
	Rules       []*Rule
	Groups      []*Group // nil where the rules are listed one by one
}

// SectionID identifies a section, also as an anchor of the page.
type SectionID string

// The sections. The rules of notImplemented fail because their endpoint is missing.
const (
	NotImplemented SectionID = "not-implemented"
	Failures       SectionID = "failures"
	Unstable       SectionID = "unstable"
	Warnings       SectionID = "warnings"
	Waived         SectionID = "waived"
	Blocked        SectionID = "blocked"
	Errors         SectionID = "errors"
	Skipped        SectionID = "skipped"
)

// sections sorts the rules into those that have any.
func (v *View) sections(r *result.Report) []*Section {
	warned := "The contract recommends these, or the target answers in a way that is only just acceptable."
	if r.FailOn == rules.Should {
		warned += " In this run a broken should counts against the verdict."
	}
	all := []*Section{
		{ID: NotImplemented, Title: "Not implemented", Status: result.Fail, Lead: "Valid requests to these endpoints are answered as if they were not there. The one for which most rules wait comes first."},
		{ID: Failures, Title: "Failures", Status: result.Fail, Lead: "Each of these makes the target not conformant."},
		{ID: Unstable, Title: "Unstable", Status: result.Unstable, Lead: "These came out differently when they were repeated."},
		{ID: Warnings, Title: "Warnings", Status: result.Warn, Lead: warned},
		{ID: Waived, Title: "Waived", Status: result.Waived, Lead: "Known deviations that a waiver accepts for now."},
		{ID: Blocked, Title: "Blocked", Status: result.Blocked, Lead: "What these rules need does not work: fix that first, then run again."},
		{ID: Errors, Title: "Errors", Status: result.Error, Lead: "The judge could not judge these."},
		{ID: Skipped, Title: "Skipped", Status: result.Skipped, Lead: "These were left out of the run."},
	}
	if breachesOf(r) != nil {
		unseenSections(all)
	}
	v.findAbsent(r)
	for _, s := range all {
		for _, rule := range v.Rules {
			if rule.Status == s.Status && (s.Status != result.Fail || (rule.Absent != "") == (s.ID == NotImplemented)) {
				s.Rules = append(s.Rules, rule)
			}
		}
	}
	v.group(r, all)
	return slices.DeleteFunc(all, func(s *Section) bool { return len(s.Rules) == 0 })
}

// Broken are the rules that are named before their evidence: those that fail or are
// unstable, unless their endpoint is missing.
func (v *View) Broken() []*Rule {
	var broken []*Rule
	for _, s := range v.Sections {
		if s.Groups == nil && (s.Status == result.Fail || s.Status == result.Unstable) {
			broken = append(broken, s.Rules...)
		}
	}
	return broken
}

// IsFirst reports whether a rule is the first that is told one by one.
func (v *View) IsFirst(rule *Rule) bool {
	i := slices.IndexFunc(v.Sections, func(s *Section) bool { return s.Groups == nil && s.Status != result.Skipped })
	return i >= 0 && v.Sections[i].Rules[0] == rule
}

// Heading is the section's title with the number of its rules.
func (s *Section) Heading() string {
	n, they, need := result.Plural(len(s.Rules), "rule"), "they", "need"
	if len(s.Rules) == 1 {
		they, need = "it", "needs"
	}
	switch s.ID {
	case NotImplemented:
		return s.Title + ": what " + n + " " + need + " is not there"
	case Unstable:
		return s.Title + ": " + n + " came out differently when repeated"
	case Blocked:
		return s.Title + ": " + n + " could not be judged, since what " + they + " " + need + " does not work"
	case Errors:
		return s.Title + ": " + n + " could not be judged"
	}
	return s.Title + ": " + n
}

// findAbsent marks the failures of endpoints that the report says are missing.
func (v *View) findAbsent(r *result.Report) {
	absent := map[int]bool{}
	for _, e := range r.Endpoints {
		absent[e.Number] = e.Missing()
	}
	for _, rule := range v.Rules {
		var in []string
		for _, c := range rule.Checks {
			switch {
			case c.Status != result.Fail:
			case absent[c.Number]:
				in = append(in, c.Result.Endpoint)
			default: // it fails at other endpoints, too
				in = append(in, "")
			}
		}
		if rule.Status != result.Fail || len(in) == 0 || slices.Contains(in, "") {
			continue
		}
		rule.Absent = v.Index.full(in[0])
		if len(in) > 1 {
			rule.Absent += " and " + v.Index.Short(in[1:])
		}
		rule.Absent = plain.Short(rule.Absent)
	}
}

// Section is the section with an outcome, nil where no rule has it.
func (v *View) Section(id SectionID) *Section {
	for _, s := range v.Sections {
		if s.ID == id {
			return s
		}
	}
	return nil
}
