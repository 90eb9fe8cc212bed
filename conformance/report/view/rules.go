package view

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Rule is a rule with its outcome.
type Rule struct {
	ID, Part, Statement, Source, Message string
	Level                                rules.Level
	Status                               result.Status
	Gates                                bool // it makes the target non-conformant
	Checks                               []*Check
	Violations                           []Violation // the worst first; at least one has the rule's own status
	Where                                string      // the numbers of its endpoints
	Elsewhere                            string      // the other outcomes of its checks, for a rule that did not pass
	Explain, Rerun                       string      // commands; Rerun is "" where none would judge it
	Contract                             []string    // the lines of the contract that the rule's source names
	Absent                               string      // the missing endpoint because of which it fails
}

// Check is one check.
type Check struct {
	Endpoint                  string // with its number, "" where tied to none
	Number                    int    // of the endpoint, 0 for none
	Scenario                  string
	Status                    result.Status
	Message, Expected, Actual string
	BlockedBy                 string
	Reproduce                 string           // what shows it by itself, "" where its deciding request does
	Waived                    *result.Accepted // its texts cleaned, nil where nothing is waived
	Result                    *result.Check
}

// Violation is the checks of a rule that went wrong alike: with the same status, the same
// expectation and the same answer, apart from ids and numbers in a refusal. The first one is shown.
type Violation struct {
	*Check
	Alike []*Check
	Often string // how many checks are alike, and where
}

func (v *View) rule(r *result.Report, from *result.Rule) *Rule {
	rule := &Rule{ID: plain.Short(from.ID), Part: plain.Short(from.Part), Statement: plain.Short(from.Statement), Source: plain.Short(from.Source),
		Message: plain.Short(from.Message), Level: rules.Level(plain.Short(string(from.Level))), Status: status(from.Status), Gates: r.Gates(from.Level, from.Status),
		Explain: v.Commands.Explain(from.ID), Rerun: v.Commands.Judge(from)}
	for _, q := range from.Contract {
		if q.Text != "" {
			rule.Contract = append(rule.Contract, plain.Short(q.Text))
		}
	}
	for i := range from.Checks {
		check := v.check(&from.Checks[i])
		check.Reproduce = v.Commands.Reproduce(from, check.Result)
		rule.Checks = append(rule.Checks, check)
	}
	rule.complete(v.Index)
	return rule
}

// at is the rule as if it had been judged at one endpoint only.
func (rule *Rule) at(r *result.Report, index EndpointIndex, checks []*Check) *Rule {
	alone := *rule
	alone.Checks, alone.Violations, alone.Elsewhere = checks, nil, ""
	if len(checks) > 0 {
		alone.Status = worstOf(checks)
	}
	alone.Gates = r.Gates(alone.Level, alone.Status)
	alone.complete(index)
	return &alone
}

// complete adds what follows from all checks together.
func (rule *Rule) complete(index EndpointIndex) {
	var all []string
	for _, c := range rule.Checks {
		all = append(all, c.Result.Endpoint)
	}
	rule.Where = index.Short(all)
	for _, s := range result.Statuses() {
		if s != result.Pass && s != result.Observed && s != result.Skipped && s != result.Blocked {
			rule.Violations = append(rule.Violations, violationsOf(rule.Checks, s, index)...)
		}
	}
	var blocked []string
	for _, c := range rule.Checks {
		if c.Status == result.Blocked {
			blocked = append(blocked, c.Result.Endpoint)
		}
	}
	switch n := len(blocked); {
	case n == 0 || n == len(rule.Checks):
	case rule.Status == result.Blocked:
		rule.Elsewhere = fmt.Sprintf("%d of %d checks", n, len(rule.Checks))
	default:
		rule.Elsewhere = strings.TrimSuffix(fmt.Sprintf("blocked in %s, at %s", result.Plural(n, "other check"), index.Short(blocked)), ", at ")
	}
	told := func(w Violation) bool { return w.Status == rule.Status }
	if !slices.ContainsFunc(rule.Violations, told) { // a status that no check has
		alone := &Check{Status: rule.Status, Message: rule.Message, Result: &result.Check{}}
		if i := slices.IndexFunc(rule.Checks, func(c *Check) bool { return c.Status == rule.Status }); i >= 0 {
			alone = rule.Checks[i]
		}
		rule.Violations = slices.Insert(rule.Violations, 0, Violation{Check: alone})
	}
}

func violationsOf(checks []*Check, status result.Status, index EndpointIndex) []Violation {
	of := slices.DeleteFunc(slices.Clone(checks), func(c *Check) bool { return c.Status != status })
	var all []Violation
	for _, alike := range InGroups(of, (*Check).symptom) {
		w := Violation{Check: alike[0], Alike: alike[1:]}
		w.Often = w.often(len(checks), index)
		all = append(all, w)
	}
	return all
}

// symptom is what checks that went wrong alike have in common.
func (c *Check) symptom() string {
	if c.Expected == "" {
		return c.Message
	}
	answer := ""
	if x := c.Result.Decisive(); x != nil && x.Response != nil && x.Response.Status >= http.StatusBadRequest {
		answer = ownValues.ReplaceAllString(x.Response.Body, "") // a refusal says why
	}
	return fmt.Sprint(c.Result.Answered(), " ", c.Expected, " ", answer)
}

// ownValues matches what differs between answers of the same kind: ids, times and counts.
var ownValues = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9]+`)

// often says how many of the checks are like the first, and where; "" for one alone.
func (w *Violation) often(of int, index EndpointIndex) string {
	if len(w.Alike) == 0 {
		return ""
	}
	endpoints := []string{w.Result.Endpoint}
	for _, c := range w.Alike {
		endpoints = append(endpoints, c.Result.Endpoint)
	}
	often := fmt.Sprintf("%d of %d checks", len(endpoints), of)
	if where := index.Short(endpoints); where != "" {
		often += ", at " + where
	}
	return plain.Short(often)
}

func (v *View) check(c *result.Check) *Check {
	check := &Check{Endpoint: plain.Short(v.Index.full(c.Endpoint)), Number: v.Index[c.Endpoint], Status: status(c.Status),
		Message: plain.Short(c.Message), Expected: plain.Short(c.Expected), Actual: plain.Short(c.Actual), BlockedBy: plain.Short(c.BlockedBy), Result: c}
	check.Scenario = plain.Short(Told(c))
	if w := c.Waived; w != nil {
		check.Waived = &result.Accepted{Status: w.Status, Reason: plain.Short(w.Reason), Link: plain.Short(w.Link), Expires: plain.Short(w.Expires)}
	}
	return check
}

// Told is a check's scenario, of a drawn story what happens in it.
func Told(c *result.Check) string {
	if c.Drawn {
		return tale(c)
	}
	return c.Scenario
}

// status is a known status: a report from elsewhere may have others.
func status(s result.Status) result.Status {
	return result.Status(plain.Cut(plain.Line(string(s)), 40))
}

// Said is what went wrong with a check, in a line.
func (c *Check) Said() string {
	if c.Expected != "" {
		return "expected " + c.Expected + "; got " + c.Actual
	}
	return c.Message
}

// worstOf is the worst status of checks; an unknown one is worse than all.
func worstOf(checks []*Check) result.Status {
	return slices.MinFunc(checks, func(a, b *Check) int {
		return slices.Index(result.Statuses(), a.Status) - slices.Index(result.Statuses(), b.Status)
	}).Status
}

// Symbol is the symbol of a status.
func Symbol(s result.Status) string {
	switch s {
	case result.Pass:
		return "✓"
	case result.Fail:
		return "✗"
	case result.Warn, result.Error, result.Unstable:
		return "!"
	}
	return "–"
}

// MaxViolations is how many different violations of a rule text and Markdown show.
const MaxViolations = 3

// ByEndpoint splits a rule into one for each endpoint it was judged at, in the order of the
// checks. A rule without checks is returned as it is.
func (rule *Rule) ByEndpoint(r *result.Report, index EndpointIndex) []*Rule {
	if len(rule.Checks) == 0 {
		return []*Rule{rule}
	}
	var all []*Rule
	for _, checks := range InGroups(rule.Checks, func(c *Check) string { return c.Result.Endpoint }) {
		all = append(all, rule.at(r, index, checks))
	}
	return all
}
