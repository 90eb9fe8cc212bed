package report

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/socialfeed/conform/conformance"
)

// maxBreaches is how many different breaches of one rule are told.
const maxBreaches = 3

// breach is the checks of a rule that went wrong alike: with the same
// expectation and the same status in the response. The first one is told.
type breach []conformance.CheckReport

func breachesOf(rule *conformance.RuleReport, status conformance.Status) []breach {
	var all []breach
	index := map[string]int{}
	for _, c := range rule.Checks {
		if c.Status != status {
			continue
		}
		key := fmt.Sprint(responseStatus(c), " ", c.Expected)
		if c.Expected == "" {
			key = c.Message
		}
		i, known := index[key]
		if !known {
			i = len(all)
			index[key] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], c)
	}
	return all
}

// failures tells every broken rule, with its evidence.
func (p *page) failures(r *conformance.Report, at places) {
	broken := holding(r, conformance.Fail)
	if len(broken) == 0 {
		return
	}
	p.heading("%s", headingOf(broken, conformance.Fail))
	for _, rule := range broken {
		p.breaches(rule, conformance.Fail, at, p.evidence)
	}
}

// warnings tells the rules with warnings, without the evidence.
func (p *page) warnings(r *conformance.Report, at places) {
	warned := holding(r, conformance.Warn)
	if len(warned) == 0 {
		return
	}
	gating := ""
	if r.FailOn == conformance.Should {
		gating = "; those of the level should gate (--fail-on should)"
	}
	p.heading("%s%s", headingOf(warned, conformance.Warn), gating)
	for _, rule := range warned {
		p.breaches(rule, conformance.Warn, at, func(conformance.CheckReport) {})
	}
}

// holding lists the rules that have a check with the status.
func holding(r *conformance.Report, s conformance.Status) []*conformance.RuleReport {
	var rules []*conformance.RuleReport
	for i := range r.Rules {
		rule := &r.Rules[i]
		if rule.Status == s || slices.ContainsFunc(rule.Checks, func(c conformance.CheckReport) bool { return c.Status == s }) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// breaches tells what went wrong with a rule: each breach with more about its first check.
func (p *page) breaches(rule *conformance.RuleReport, s conformance.Status, at places, more func(conformance.CheckReport)) {
	all := breachesOf(rule, s)
	if len(all) == 0 { // a rule that has the status by itself
		all = []breach{{{Status: s, Message: rule.Message}}}
	}
	for i, b := range all[:min(len(all), maxBreaches)] {
		p.line("")
		p.title(rule, b[0], at)
		if i == 0 {
			p.paragraph(rule.Statement, 3)
		}
		if c := b[0]; c.Expected != "" {
			p.field("expected", c.Expected, 2)
			p.field("got", c.Actual, 2)
		} else {
			p.field("message", c.Message, 3)
		}
		p.field("alike", alike(rule, b, at), 2)
		more(b[0])
	}
	if rest := len(all) - maxBreaches; rest > 0 {
		p.field("others", fmt.Sprintf("it is broken in %s more: see the JSON report", plural(rest, "way")), 1)
	}
	p.field("source", rule.Source, 2)
	p.field("more", "conform explain "+rule.ID, 1)
	if s != conformance.Warn {
		lines, _ := command(p.again.of(rule.ID), p.width-labelWidth-4)
		p.lines("again", lines)
	}
}

// title is the first line of a breach, or two where one is too narrow.
func (p *page) title(rule *conformance.RuleReport, c conformance.CheckReport, at places) {
	symbol, color := look(c.Status)
	word := fmt.Sprintf("%s %s", symbol, strings.ToUpper(string(c.Status)))
	id := fmt.Sprintf("%s (%s)", clean(rule.ID), clean(string(rule.Level)))
	place := clean(at.full(c.Endpoint))
	line := p.paint(color, word) + "  " + p.paint(text.Bold, id)
	if columns(word)+columns(id)+columns(place)+4 <= p.width {
		p.line(line + "  " + place)
		return
	}
	p.line(line)
	p.paragraph(place, 2)
}

// alike tells how many checks of the rule came out like the first, and where.
func alike(rule *conformance.RuleReport, b breach, at places) string {
	if len(b) == 1 {
		return ""
	}
	var endpoints []string
	for _, c := range b {
		endpoints = append(endpoints, c.Endpoint)
	}
	often := fmt.Sprintf("%d of %d checks", len(b), len(rule.Checks))
	if where := at.short(endpoints); where != "" {
		often += ", at " + where
	}
	return often
}

// tried tells the scenario, and the command that repeats the exchange that decided,
// which it returns; nil where none did.
func (p *page) tried(c conformance.CheckReport, command func(curl string, width int) (lines []string, note string)) *conformance.Exchange {
	p.field("scenario", c.Scenario, 2)
	x := decisive(c)
	if x == nil {
		return nil
	}
	lines, note := command(x.Curl, p.width-labelWidth-4)
	p.lines("try", lines)
	p.field("", note, 1)
	return x
}

// evidence is the scenario and the exchange that decided, as a command to repeat
// it and as what came back.
func (p *page) evidence(c conformance.CheckReport) {
	x := p.tried(c, command)
	if x == nil {
		return
	}
	if x.Response == nil {
		p.field("response", "none: "+x.Error, 2)
		return
	}
	p.field("response", strings.Join(append([]string{statusLine(x.Response.Status)}, telling(x.Response.Headers)...), "; "), 2)
	if body := clean(x.Response.Body); !strings.Contains(clean(c.Actual), body) {
		p.field("", body, 2)
	}
}

// decisive is the exchange that a check was decided by, the last; nil when it has none.
func decisive(c conformance.CheckReport) *conformance.Exchange {
	if len(c.Exchanges) == 0 {
		return nil
	}
	return &c.Exchanges[len(c.Exchanges)-1]
}

func responseStatus(c conformance.CheckReport) int {
	if x := decisive(c); x != nil && x.Response != nil {
		return x.Response.Status
	}
	return 0
}

// telling are the headers of a response that the contract's rules are about.
func telling(h http.Header) []string {
	var shown []string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		switch http.CanonicalHeaderKey(name) {
		case "Content-Type", "Allow", "Location", "Retry-After", "Www-Authenticate",
			"Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers":
			shown = append(shown, name+": "+strings.Join(h[name], ", "))
		}
	}
	return shown
}
