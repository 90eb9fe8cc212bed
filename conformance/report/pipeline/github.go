package pipeline

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// MaxAnnotations is how many annotations of a kind GitHub shows of one step.
const MaxAnnotations = 10

// annotation is a message that GitHub shows beside a run: a heading and some lines.
type annotation struct{ title, message string }

// WriteGitHub writes the report as workflow commands: the verdict as a notice, what keeps
// the target from being conformant as errors, the rest as warnings. A last notice counts
// what is beyond the ten of each kind that GitHub shows.
func WriteGitHub(w io.Writer, v *view.View) error {
	out := bufio.NewWriter(w) // Flush returns its first error
	command := func(kind string, a annotation) {
		fmt.Fprintf(out, "::%s title=%s::%s\n", kind, property(a.title), data(a.message))
	}
	command("notice", annotation{"conform: " + v.Verdict.Words, fmt.Sprintf("%s\n%s\nrequests: %s; seed %s", v.Verdict.Sentence,
		v.Target, v.Fact("requests"), v.Fact("seed"))})
	errors, warnings := annotations(v)
	for _, a := range errors[:min(len(errors), MaxAnnotations)] {
		command("error", a)
	}
	for _, a := range warnings[:min(len(warnings), MaxAnnotations)] {
		command("warning", a)
	}
	if more, mild := len(errors)-MaxAnnotations, len(warnings)-MaxAnnotations; more > 0 || mild > 0 {
		command("notice", annotation{"conform: there is more", fmt.Sprintf("%s and %s are not shown here; the JSON report has them",
			result.Plural(max(more, 0), "more error"), result.Plural(max(mild, 0), "more warning"))})
	}
	return out.Flush()
}

// annotations are one for all endpoints that are not implemented, one for each other broken
// rule, one for each waiver that does not hold, and one for each reason why rules could not
// be judged. Unless the verdict is conformant, there is at least one error.
func annotations(v *view.View) (errors, warnings []annotation) {
	const unfitWaivers view.SectionID = "waivers" // no section of the report
	of := map[view.SectionID][]annotation{}
	for _, s := range v.Sections {
		of[s.ID] = annotationsOf(s)
		if s.Status == result.Warn && slices.ContainsFunc(s.Rules, func(rule *view.Rule) bool { return !rule.Gates }) {
			warnings = of[s.ID]
			delete(of, s.ID)
		}
	}
	for _, w := range v.Waivers {
		if w.Gates {
			of[unfitWaivers] = append(of[unfitWaivers], annotation{fmt.Sprintf("waiver of %s: %s", w.Rule, w.State), w.Message})
		}
	}
	for _, w := range v.Waivers {
		if w.Ends {
			warnings = append(warnings, annotation{"waiver of " + w.Rule + " ends soon", w.Message})
		}
	}
	for _, id := range []view.SectionID{view.NotImplemented, view.Failures, view.Warnings, unfitWaivers, view.Unstable, view.Errors, view.Blocked} {
		errors = append(errors, of[id]...)
	}
	if len(errors) == 0 && v.Verdict.Verdict != result.Conformant {
		errors = append(errors, annotation{"conform: " + v.Verdict.Words, v.Verdict.Sentence})
	}
	return errors, warnings
}

func annotationsOf(s *view.Section) []annotation {
	var all []annotation
	switch s.ID {
	case view.NotImplemented:
		var lines []string
		for _, g := range s.Groups {
			lines = append(lines, g.Headline())
		}
		all = append(all, annotation{"not implemented: " + result.Plural(len(s.Groups), "endpoint"), strings.Join(lines, "\n")})
	case view.Failures, view.Unstable, view.Warnings:
		for _, rule := range s.Rules {
			all = append(all, annotate(rule))
		}
	case view.Errors, view.Blocked:
		title := map[view.SectionID]string{view.Errors: "could not be judged: ", view.Blocked: "blocked: "}[s.ID]
		for _, g := range s.Groups {
			a := annotation{title + result.Plural(len(g.Rules), "rule"), g.Headline() + "\n" + view.Members(g.Rules)}
			if x := g.Last; x != nil && len(x.Curl) <= plain.MaxCommand {
				a.message += "\nafter: " + plain.Visible(x.Curl)
			}
			all = append(all, a)
		}
	}
	return all
}

// annotate shows a rule's first violation and counts the others.
func annotate(rule *view.Rule) annotation {
	told := rule.Violations[0]
	lines := []string{plain.Short(told.Said())}
	if told.Often != "" {
		lines = append(lines, told.Often)
	}
	if others := len(rule.Violations) - 1; others > 0 {
		lines = append(lines, "and in "+result.Plural(others, "other way"))
	}
	lines = append(lines, rule.Statement, "more: "+rule.Explain)
	if rule.Rerun != "" {
		lines = append(lines, "again: "+rule.Rerun)
	}
	return annotation{strings.TrimSuffix(fmt.Sprintf("%s (%s) at %s", rule.ID, rule.Level, told.Endpoint), " at "), strings.Join(lines, "\n")}
}

// data is a text as the message of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is a text as the value of a workflow command's property.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
