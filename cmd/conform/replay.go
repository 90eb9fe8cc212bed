package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
	"github.com/socialfeed/conform/scenarios"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// replayCommand runs the scenarios that judged a rule again.
func replayCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "replay REPORT.json --rule RULE",
		Short: "Run again exactly the scenarios that judged a rule",
		Long: `replay runs again the scenarios that judged a rule in a report, and the drawn stories
that broke it as they were shortened, against the same target and with the same seed. Tokens come from the environment or from flags, as in a run;
one goes to that target only where --base-url or CONFORM_BASE_URL names it too. The other flags of a run hold as well, such as --repeat and --ca-cert.`,
		Example: `  conform replay report.json --rule feed.order
  conform replay report.json --rule feed.order --base-url https://feeds.example.com --repeat 10`,
		Args: arguments(1, 1, "replay takes one JSON report, such as report.json"),
		RunE: ofReport(std, func(cmd *cobra.Command, r *result.Report) error {
			if err := s.replay(r, cmd.Flags()); err != nil {
				return err
			}
			if path := cmd.Flags().Arg(0); path != "-" {
				s.replayed = path
			}
			return judge(cmd.Context(), &s, cmd.Flags(), std)
		}),
	}
	s.bind(cmd)
	for _, name := range narrowing() {
		cmd.Flags().Lookup(name).Hidden = true
	}
	return cmd
}

// narrowing are the flags that replay does not take: the report selects the scenarios.
func narrowing() []string { return []string{"part", "endpoint", "level", "skip", "shard"} }

// replay runs again what a report names; flags override the report.
func (s *settings) replay(r *result.Report, flags *pflag.FlagSet) error {
	for _, name := range narrowing() {
		if flags.Changed(name) {
			return fmt.Errorf("--%s does not apply: replay plays what judged the rule", name)
		}
	}
	if err := s.selectScenarios(r); err != nil {
		return err
	}
	s.fixed = append(narrowing(), "rule", "base-url", "seed", "fail-on", "jobs", "procs")
	if !flags.Changed("base-url") {
		s.config.Target.BaseURL, s.embedded = r.Target.BaseURL, r.Target.Embedded
		s.namedBy, s.namedTrust = "the report", certificateTrust(r.Target)
	}
	if s.embedded {
		s.config.Target.BaseURL = ""
		s.fixed = append(s.fixed, append(tokenFlags(), "ca-cert", "insecure", "allow-http", "wait")...)
	}
	if !flags.Changed("seed") {
		s.config.Seed = r.Seed
	}
	if !flags.Changed("fail-on") {
		s.failOn = string(cmp.Or(r.FailOn, rules.Must))
	}
	if !flags.Changed("jobs") && !flags.Changed("procs") {
		s.config.Jobs = 1 // a fixed order matters more than speed for a few scenarios
	}
	return nil
}

// certificateTrust is the flag by which a target's certificate was trusted, where it is one of
// trust: a report proposes nothing else to type.
func certificateTrust(t result.Target) []string {
	switch {
	case len(t.Trust) > 0 && t.Trust[0] == "--insecure":
		return t.Trust[:1]
	case len(t.Trust) > 1 && t.Trust[0] == "--ca-cert":
		return t.Trust[:2]
	}
	return nil
}

// orScript says how a script shows what is wrong with a rule, "" where none does.
func orScript(rule result.Rule) string {
	if !slices.ContainsFunc(rule.Checks, func(c result.Check) bool { return c.Reproduction != nil && c.Reproduction.Unscriptable() == "" }) {
		return ""
	}
	return ", and " + shell.MustLine(shell.Call("conform", shell.Plain("reproduce"), shell.Plain("--rule"), report.Word(rule.ID))) + " writes a script that shows it"
}

// selectScenarios selects those that judged the rules of --rule in a report.
func (s *settings) selectScenarios(r *result.Report) error {
	selection := &s.config.Selection
	if len(selection.Rules) == 0 {
		return errors.New("replay takes the rule that is to be judged again, such as --rule feed.order")
	}
	for _, id := range selection.Rules {
		i := slices.IndexFunc(r.Rules, func(rule result.Rule) bool { return rule.ID == id })
		if i < 0 {
			return unknownRule(rules.Load(), id)
		}
		if r.Rules[i].ShownInPassing() {
			return fmt.Errorf("%s was broken beside the scenarios that judge it, and no story of it was kept: %s plays all again%s", id, report.DrawAgain(r), orScript(r.Rules[i]))
		}
		for _, check := range r.Rules[i].Checks {
			name := check.Scenario
			switch {
			case len(check.Story) > 0:
				name = keptName(id, check)
				s.stories = append(s.stories, keptStory{name, string(check.Story)})
			case name == "" || check.OfStory():
				continue
			}
			if !slices.Contains(selection.Scenarios, name) {
				selection.Scenarios = append(selection.Scenarios, name)
			}
		}
	}
	return nil
}

// keptStory is a drawn story that a report has, to be played as a scenario.
type keptStory struct{ name, text string }

// register adds the scenarios to a suite, and the drawn stories that are to be replayed.
func (s *settings) register(suite *conformance.Suite) {
	scenarios.Register(suite)
	for _, kept := range s.stories {
		suite.Story(kept.name, kept.text)
	}
}
