package report

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// ruleView is a rule with its outcome.
type ruleView struct {
	ID, Part, Statement, Source, Message string
	Level                                rules.Level
	Status                               result.Status
	Gates                                bool // it makes the target non-conformant
	Checks                               []*checkView
	Violations                           []violation // the worst first; at least one has the rule's own status
	Where                                string      // the numbers of its endpoints
	Elsewhere                            string      // the other outcomes of its checks, for a rule that did not pass
	Explain, Rerun                       string      // commands; Rerun is "" where none would judge it
	Contract                             []string    // the lines of the contract that the rule's source names
	Absent                               string      // the missing endpoint because of which it fails
}

// checkView is one check.
type checkView struct {
	Endpoint                  string // with its number, "" where tied to none
	Number                    int    // of the endpoint, 0 for none
	Scenario                  string
	Status                    result.Status
	Message, Expected, Actual string
	BlockedBy                 string
	Reproduce                 string           // what shows it by itself, "" where its deciding request does
	Waived                    *result.Accepted // its texts cleaned, nil where nothing is waived
	check                     *result.Check
}

// violation is the checks of a rule that went wrong alike: with the same status, the same
// expectation and the same answer, apart from ids and numbers in a refusal. The first one is shown.
type violation struct {
	*checkView
	Alike []*checkView
	Often string // how many checks are alike, and where
}

// Check is the check that is shown.
func (w violation) Check() *checkView { return w.checkView }

func (v *view) rule(r *result.Report, from *result.Rule) *ruleView {
	rule := &ruleView{ID: short(from.ID), Part: short(from.Part), Statement: short(from.Statement), Source: short(from.Source),
		Message: short(from.Message), Level: rules.Level(short(string(from.Level))), Status: status(from.Status), Gates: r.Gates(from.Level, from.Status),
		Explain: v.commands.explain(from.ID), Rerun: v.commands.judge(from)}
	for _, q := range from.Contract {
		if q.Text != "" {
			rule.Contract = append(rule.Contract, short(q.Text))
		}
	}
	for i := range from.Checks {
		check := v.check(&from.Checks[i])
		check.Reproduce = v.commands.reproduce(from, check.check)
		rule.Checks = append(rule.Checks, check)
	}
	rule.complete(v.index)
	return rule
}

// at is the rule as if it had been judged at one endpoint only.
func (rule *ruleView) at(r *result.Report, index endpointIndex, checks []*checkView) *ruleView {
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
func (rule *ruleView) complete(index endpointIndex) {
	var all []string
	for _, c := range rule.Checks {
		all = append(all, c.check.Endpoint)
	}
	rule.Where = index.short(all)
	for _, s := range result.Statuses() {
		if s != result.Pass && s != result.Observed && s != result.Skipped && s != result.Blocked {
			rule.Violations = append(rule.Violations, violationsOf(rule.Checks, s, index)...)
		}
	}
	var blocked []string
	for _, c := range rule.Checks {
		if c.Status == result.Blocked {
			blocked = append(blocked, c.check.Endpoint)
		}
	}
	switch n := len(blocked); {
	case n == 0 || n == len(rule.Checks):
	case rule.Status == result.Blocked:
		rule.Elsewhere = fmt.Sprintf("%d of %d checks", n, len(rule.Checks))
	default:
		rule.Elsewhere = strings.TrimSuffix(fmt.Sprintf("blocked in %s, at %s", result.Plural(n, "other check"), index.short(blocked)), ", at ")
	}
	told := func(w violation) bool { return w.Status == rule.Status }
	if !slices.ContainsFunc(rule.Violations, told) { // a status that no check has
		alone := &checkView{Status: rule.Status, Message: rule.Message, check: &result.Check{}}
		if i := slices.IndexFunc(rule.Checks, func(c *checkView) bool { return c.Status == rule.Status }); i >= 0 {
			alone = rule.Checks[i]
		}
		rule.Violations = slices.Insert(rule.Violations, 0, violation{checkView: alone})
	}
}

func violationsOf(checks []*checkView, status result.Status, index endpointIndex) []violation {
	of := slices.DeleteFunc(slices.Clone(checks), func(c *checkView) bool { return c.Status != status })
	var all []violation
	for _, alike := range inGroups(of, (*checkView).symptom) {
		w := violation{checkView: alike[0], Alike: alike[1:]}
		w.Often = w.often(len(checks), index)
		all = append(all, w)
	}
	return all
}

// symptom is what checks that went wrong alike have in common.
func (c *checkView) symptom() string {
	if c.Expected == "" {
		return c.Message
	}
	answer := ""
	if x := c.check.Decisive(); x != nil && x.Response != nil && x.Response.Status >= http.StatusBadRequest {
		answer = ownValues.ReplaceAllString(x.Response.Body, "") // a refusal says why
	}
	return fmt.Sprint(c.check.Answered(), " ", c.Expected, " ", answer)
}

// ownValues matches what differs between answers of the same kind: ids, times and counts.
var ownValues = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9]+`)

// often says how many of the checks are like the first, and where; "" for one alone.
func (w *violation) often(of int, index endpointIndex) string {
	if len(w.Alike) == 0 {
		return ""
	}
	endpoints := []string{w.check.Endpoint}
	for _, c := range w.Alike {
		endpoints = append(endpoints, c.check.Endpoint)
	}
	often := fmt.Sprintf("%d of %d checks", len(endpoints), of)
	if where := index.short(endpoints); where != "" {
		often += ", at " + where
	}
	return short(often)
}

func (v *view) check(c *result.Check) *checkView {
	check := &checkView{Endpoint: short(v.index.full(c.Endpoint)), Number: v.index[c.Endpoint], Status: status(c.Status),
		Message: short(c.Message), Expected: short(c.Expected), Actual: short(c.Actual), BlockedBy: short(c.BlockedBy), check: c}
	check.Scenario = short(told(c))
	if w := c.Waived; w != nil {
		check.Waived = &result.Accepted{Status: w.Status, Reason: short(w.Reason), Link: short(w.Link), Expires: short(w.Expires)}
	}
	return check
}

// told is a check's scenario, of a drawn story what happens in it.
func told(c *result.Check) string {
	if c.Drawn {
		return tale(c)
	}
	return c.Scenario
}

// status is a known status: a report from elsewhere may have others.
func status(s result.Status) result.Status { return result.Status(cut(oneLine(string(s)), 40)) }

// Said is what went wrong with a check, in a line.
func (c *checkView) Said() string {
	if c.Expected != "" {
		return "expected " + c.Expected + "; got " + c.Actual
	}
	return c.Message
}

// worstOf is the worst status of checks; an unknown one is worse than all.
func worstOf(checks []*checkView) result.Status {
	return slices.MinFunc(checks, func(a, b *checkView) int {
		return slices.Index(result.Statuses(), a.Status) - slices.Index(result.Statuses(), b.Status)
	}).Status
}

// symbolOf is the symbol of a status.
func symbolOf(s result.Status) string {
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

// maxViolations is how many different violations of a rule text and Markdown show.
const maxViolations = 3

// byEndpoint splits a rule into one for each endpoint it was judged at, in the order of the
// checks. A rule without checks is returned as it is.
func (rule *ruleView) byEndpoint(r *result.Report, index endpointIndex) []*ruleView {
	if len(rule.Checks) == 0 {
		return []*ruleView{rule}
	}
	var all []*ruleView
	for _, checks := range inGroups(rule.Checks, func(c *checkView) string { return c.check.Endpoint }) {
		all = append(all, rule.at(r, index, checks))
	}
	return all
}
