package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// replayCommand runs the scenarios that judged a rule again.
func replayCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "replay REPORT.json --rule RULE",
		Short: "Run again exactly the scenarios that judged a rule",
		Long: `replay runs again the scenarios that judged a rule in a report, and the shortened stories that broke
it, against the same target and with the same seed. If the rule now passes, all scenarios are
played, since the failure may depend on others. Tokens come from the environment or from flags, as
in a run; a token is sent to the report's target only if --base-url or CONFORM_BASE_URL names the
target too. The other flags of a run can be used as well, such as --repeat and --ca-cert.`,
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
	if s.again != nil && !flags.Changed("jobs") && !flags.Changed("procs") {
		whole := s.config.Jobs
		s.again.jobs, s.config.Jobs = &whole, 1 // a fixed order matters more than speed for a few scenarios
	}
	return nil
}

// certificateTrust is the flag by which a target's certificate was trusted, if it is one of
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

// selectScenarios selects those that judged the rules of --rule in a report.
func (s *settings) selectScenarios(r *result.Report) error {
	selection := &s.config.Selection
	if len(selection.Rules) == 0 {
		return errors.New("replay takes the rule that is to be judged again, such as --rule feed.order")
	}
	known, err := scenarioNames()
	if err != nil {
		return err
	}
	found := again{playAll: true}
	for _, id := range selection.Rules {
		i := slices.IndexFunc(r.Rules, func(rule result.Rule) bool { return rule.ID == id })
		if i < 0 {
			return unknownRule(rules.Load(), id)
		}
		for k := range r.Rules[i].Checks {
			found.add(r, id, &r.Rules[i].Checks[k], known)
		}
		if r.Rules[i].ShownInPassing() {
			selection.PlayAll, s.config.Deep = true, max(s.config.Deep, found.deep) // no scenario shows it by itself
		}
	}
	if !selection.PlayAll {
		s.playAgain(found)
	}
	return nil
}
