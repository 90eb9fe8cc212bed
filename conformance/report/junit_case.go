package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// maxTime is more milliseconds than any exchange takes: what a report that was
// not made here claims beyond it would overflow the sums.
const maxTime = 1e9

// ruleCase is the checks of a rule at one endpoint.
type ruleCase struct {
	endpoint string
	status   conformance.Status // the worst of the checks
	checks   []conformance.CheckReport
}

// casesOf sorts a rule's checks by endpoint, in the order in which the endpoints
// come up; of a rule without checks it makes one case.
func casesOf(rule *conformance.RuleReport) []ruleCase {
	var cases []ruleCase
	for _, c := range rule.Checks {
		i := slices.IndexFunc(cases, func(rc ruleCase) bool { return rc.endpoint == c.Endpoint })
		if i < 0 {
			i = len(cases)
			cases = append(cases, ruleCase{endpoint: c.Endpoint})
		}
		cases[i].checks = append(cases[i].checks, c)
	}
	for i := range cases {
		cases[i].status = worstOf(cases[i].checks)
	}
	if len(cases) == 0 {
		return []ruleCase{{status: rule.Status}}
	}
	return cases
}

// worstOf is what checks add up to; a status that there is not comes first.
func worstOf(checks []conformance.CheckReport) conformance.Status {
	return slices.MinFunc(checks, func(a, b conformance.CheckReport) int {
		return cmp.Compare(slices.Index(conformance.Statuses(), a.Status), slices.Index(conformance.Statuses(), b.Status))
	}).Status
}

func (c ruleCase) junit(r *conformance.Report, rule *conformance.RuleReport, at places, a again) junitCase {
	alone := *rule // the rule as if it had been judged at this endpoint only
	alone.Checks, alone.Status = c.checks, c.status
	out := junitCase{Class: "conform." + clean(rule.Part), Name: clean(rule.ID)}
	if c.endpoint != "" {
		out.Name += " @ " + clean(c.endpoint)
	}
	for _, check := range c.checks {
		for _, x := range check.Exchanges {
			out.Time += seconds(math.Round(min(max(x.DurationMS, 0), maxTime)))
		}
	}
	switch {
	case gates(r, &alone):
		out.Failure = &junitOutcome{c.message(rule), string(rule.Level), told(&alone, at, a)}
	case c.status == conformance.Warn:
		out.Out = &junitText{told(&alone, at, a)}
	case c.status == conformance.Waived:
		out.Skipped, out.Out = &junitOutcome{Message: c.waiver()}, &junitText{told(&alone, at, a)}
	case c.status == conformance.Skipped:
		out.Skipped = &junitOutcome{Message: short(whySkipped(&alone))}
	case c.status == conformance.Observed:
		out.Out = &junitText{strings.Join(c.answers(), "\n")}
	case c.status != conformance.Pass:
		out.Error = &junitOutcome{c.message(rule), clean(string(c.status)), told(&alone, at, a)}
	}
	return out
}

// message is what the case comes to, in a line.
func (c ruleCase) message(rule *conformance.RuleReport) string {
	decided := firstOf(&conformance.RuleReport{Checks: c.checks}, c.status)
	said := cmp.Or(decided.Message, rule.Message, string(c.status))
	if decided.BlockedBy != "" {
		said = "blocked by " + decided.BlockedBy + ": " + said
	}
	return short(said)
}

// waiver tells why the deviation is accepted, and until when.
func (c ruleCase) waiver() string {
	if w := firstOf(&conformance.RuleReport{Checks: c.checks}, conformance.Waived).Waived; w != nil {
		return short(fmt.Sprintf("waived until %s: %s %s", w.Expires, w.Reason, w.Link))
	}
	return "waived"
}

// answers are what the target does where the contract is silent.
func (c ruleCase) answers() []string {
	var all []string
	for _, check := range c.checks {
		if answer := short(check.Message); check.Status == conformance.Observed && !slices.Contains(all, answer) {
			all = append(all, answer)
		}
	}
	return all
}

// short is a text in one line of at most 1,000 bytes and a mark.
func short(s string) string { return cut(clean(cut(s, 1000)), 1000) }

// junitRest is what the verdict rests on beside the rules: the waivers, each a
// case, and the verdict itself where nothing else in the file would be red for it.
func junitRest(r *conformance.Report, suites []junitSuite) []junitSuite {
	var rest []junitSuite
	if len(r.Waivers) > 0 {
		waivers := newJUnitSuite(r, "waivers")
		for i, w := range r.Waivers {
			waivers.add(waiverCase(i, w))
		}
		rest = append(rest, waivers)
	}
	green := !slices.ContainsFunc(slices.Concat(suites, rest), func(s junitSuite) bool { return s.Failures+s.Errors > 0 })
	if green && r.Verdict != conformance.Conformant {
		verdict := newJUnitSuite(r, "verdict")
		verdict.add(junitCase{Class: "conform.verdict", Name: "verdict",
			Error: &junitOutcome{short(verdictWords(r.Verdict) + ": " + meaning(r)), "incomplete", ""}})
		rest = append(rest, verdict)
	}
	return rest
}

func waiverCase(i int, w conformance.WaiverReport) junitCase {
	c := junitCase{Class: "conform.waivers", Name: fmt.Sprintf("waiver %d: %s", i+1, short(w.Rule))}
	if w.Endpoint != "" {
		c.Name += " @ " + short(w.Endpoint)
	}
	message := short(w.Message)
	switch {
	case w.State.Gates():
		c.Failure = &junitOutcome{message, short(string(w.State)), short("reason: " + w.Reason)}
	case w.State == conformance.WaiverUnjudged:
		c.Skipped = &junitOutcome{Message: message}
	default:
		c.Out = &junitText{message + "\n" + short("reason: "+w.Reason)}
	}
	return c
}

// told is what went wrong with a rule, as in the text report, with the whole of
// the exchanges that decided.
func told(rule *conformance.RuleReport, at places, a again) string {
	var b bytes.Buffer
	p := newPage(&b, TextOptions{})
	p.again = a
	p.breaches(rule, rule.Status, at, func(c conformance.CheckReport) {
		if x := p.tried(c, shownCommand); x != nil {
			p.lines("exchange", transcript(x))
		}
	})
	p.out.Flush() // a buffer takes everything
	return "\n" + strings.TrimLeft(b.String(), "\n")
}
