package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// maxAnnotations is how many annotations of a kind GitHub shows of one step.
const maxAnnotations = 10

// annotation is a message beside a run, in a heading and some lines.
type annotation struct{ title, message string }

// GitHub writes the report as workflow commands: the verdict as a notice, what
// keeps the target from being conformant as errors, the rest as warnings. Of each
// kind at most ten are written, which is what GitHub shows; a last notice then
// counts the others.
func GitHub(w io.Writer, r *conformance.Report, o TextOptions) error {
	out := bufio.NewWriter(w) // it keeps the first error for Flush
	at := placesOf(r)
	verdict := verdictWords(r.Verdict)
	command := func(kind string, a annotation) {
		fmt.Fprintf(out, "::%s title=%s::%s\n", kind, property(a.title), data(a.message))
	}
	command("notice", annotation{"conform: " + verdict, fmt.Sprintf("%s\n%s\nrequests: %s; seed %d", short(meaning(r)),
		short(r.Target.BaseURL), requests(r.Summary.Requests), r.Seed)})
	errors, warnings := annotations(r, at, againOf(r, o))
	for _, a := range errors[:min(len(errors), maxAnnotations)] {
		command("error", a)
	}
	for _, a := range warnings[:min(len(warnings), maxAnnotations)] {
		command("warning", a)
	}
	if more, mild := len(errors)-maxAnnotations, len(warnings)-maxAnnotations; more > 0 || mild > 0 {
		command("notice", annotation{"conform: there is more", fmt.Sprintf("%s and %s are not shown here; the JSON report has them",
			plural(max(more, 0), "more error"), plural(max(mild, 0), "more warning"))})
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the report as GitHub annotations: %w", err)
	}
	return nil
}

// annotations are one for each broken rule and each waiver that does not hold,
// and one for each reason for which rules could not be judged. Errors are never
// none when the verdict is not good.
func annotations(r *conformance.Report, at places, a again) (errors, warnings []annotation) {
	for i := range r.Rules {
		rule := &r.Rules[i]
		switch {
		case gates(r, rule):
			errors = append(errors, annotate(rule, at, a))
		case rule.Status == conformance.Warn:
			warnings = append(warnings, annotate(rule, at, a))
		}
	}
	for _, w := range r.Waivers {
		if w.State.Gates() {
			errors = append(errors, annotation{short(fmt.Sprintf("waiver of %s: %s", w.Rule, w.State)), short(w.Message)})
		}
	}
	for _, rule := range ending(r, conformance.Unstable) {
		errors = append(errors, annotate(rule, at, a))
	}
	for _, g := range grouped(holding(r, conformance.Error), whyError) {
		errors = append(errors, annotation{"could not be judged: " + plural(len(g.rules), "rule"),
			short(g.reason) + "\n" + short(members(g.rules, conformance.Error, at))})
	}
	for _, g := range grouped(holding(r, conformance.Blocked), whyBlocked) {
		errors = append(errors, annotation{"blocked: " + plural(len(g.rules), "rule"),
			short(g.reason) + "\n" + short(members(g.rules, conformance.Blocked, at))})
	}
	if len(errors) == 0 && r.Verdict != conformance.Conformant {
		errors = append(errors, annotation{"conform: " + verdictWords(r.Verdict), short(meaning(r))})
	}
	return errors, warnings
}

// annotate tells the first way in which a rule is broken, and counts the others.
func annotate(rule *conformance.RuleReport, at places, a again) annotation {
	all := breachesOf(rule, rule.Status)
	if len(all) == 0 { // a rule that has the status by itself
		all = []breach{{{Message: rule.Message}}}
	}
	first := all[0]
	title := clean(fmt.Sprintf("%s (%s)", rule.ID, rule.Level))
	if place := at.full(first[0].Endpoint); place != "" {
		title += " at " + clean(place)
	}
	lines := []string{short(said(first[0]))}
	if often := alike(rule, first, at); often != "" {
		lines = append(lines, short(often))
	}
	if len(all) > 1 {
		lines = append(lines, "and in "+plural(len(all)-1, "other way"))
	}
	lines = append(lines, short(rule.Statement), "more: conform explain "+clean(rule.ID), "again: "+a.of(rule.ID))
	return annotation{title, strings.Join(lines, "\n")}
}

// data is a text as the message of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is a text as the value of a workflow command's property.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
