package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// maxAnnotations is how many annotations of a kind GitHub shows of one step.
const maxAnnotations = 10

// annotation is a message that GitHub shows beside a run: a heading and some lines.
type annotation struct{ title, message string }

// writeGitHub writes the report as workflow commands: the verdict as a notice, what keeps
// the target from being conformant as errors, the rest as warnings. A last notice counts
// what is beyond the ten of each kind that GitHub shows.
func writeGitHub(w io.Writer, v *view) error {
	out := bufio.NewWriter(w) // Flush returns its first error
	command := func(kind string, a annotation) {
		fmt.Fprintf(out, "::%s title=%s::%s\n", kind, property(a.title), data(a.message))
	}
	command("notice", annotation{"conform: " + v.Verdict.Words, fmt.Sprintf("%s\n%s\nrequests: %s; seed %s", v.Verdict.Sentence,
		v.Target, v.fact("requests"), v.fact("seed"))})
	errors, warnings := annotations(v)
	for _, a := range errors[:min(len(errors), maxAnnotations)] {
		command("error", a)
	}
	for _, a := range warnings[:min(len(warnings), maxAnnotations)] {
		command("warning", a)
	}
	if more, mild := len(errors)-maxAnnotations, len(warnings)-maxAnnotations; more > 0 || mild > 0 {
		command("notice", annotation{"conform: there is more", fmt.Sprintf("%s and %s are not shown here; the JSON report has them",
			result.Plural(max(more, 0), "more error"), result.Plural(max(mild, 0), "more warning"))})
	}
	return out.Flush()
}

// annotations are one for all endpoints that are not implemented, one for each other broken
// rule, one for each waiver that does not hold, and one for each reason why rules could not
// be judged. Unless the verdict is conformant, there is at least one error.
func annotations(v *view) (errors, warnings []annotation) {
	const unfitWaivers sectionID = "waivers" // no section of the report
	of := map[sectionID][]annotation{}
	for _, s := range v.Sections {
		of[s.ID] = annotationsOf(s)
		if s.Status == result.Warn && slices.ContainsFunc(s.Rules, func(rule *ruleView) bool { return !rule.Gates }) {
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
	for _, id := range []sectionID{notImplemented, sectionFailures, sectionWarnings, unfitWaivers, sectionUnstable, sectionErrors, sectionBlocked} {
		errors = append(errors, of[id]...)
	}
	if len(errors) == 0 && v.Verdict.Verdict != result.Conformant {
		errors = append(errors, annotation{"conform: " + v.Verdict.Words, v.Verdict.Sentence})
	}
	return errors, warnings
}

func annotationsOf(s *section) []annotation {
	var all []annotation
	switch s.ID {
	case notImplemented:
		var lines []string
		for _, g := range s.Groups {
			lines = append(lines, g.headline())
		}
		all = append(all, annotation{"not implemented: " + result.Plural(len(s.Groups), "endpoint"), strings.Join(lines, "\n")})
	case sectionFailures, sectionUnstable, sectionWarnings:
		for _, rule := range s.Rules {
			all = append(all, annotate(rule))
		}
	case sectionErrors, sectionBlocked:
		title := map[sectionID]string{sectionErrors: "could not be judged: ", sectionBlocked: "blocked: "}[s.ID]
		for _, g := range s.Groups {
			a := annotation{title + result.Plural(len(g.Rules), "rule"), g.headline() + "\n" + members(g.Rules)}
			if x := g.Last; x != nil && len(x.Curl) <= maxCommand {
				a.message += "\nafter: " + visible(x.Curl)
			}
			all = append(all, a)
		}
	}
	return all
}

// annotate shows a rule's first violation and counts the others.
func annotate(rule *ruleView) annotation {
	told := rule.Violations[0]
	lines := []string{short(told.Said())}
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
