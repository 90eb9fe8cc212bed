package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/report/rulebook"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// explainCommand explains one rule, or lists what a word matches.
func explainCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "explain RULE | ENDPOINT | WORD",
		Short: "Explain one rule: what it says, where it comes from, how it is judged",
		Long: `explain describes one rule: its statement, the contract's words, the endpoints at which it is judged
and how, and an example. For an endpoint's number, or a word, it lists the rules and the lines of the
contract that match.`,
		Example: `  conform explain feed.purge.followers
  conform explain 21
  conform explain purge`,
		Args:              arguments(1, many, "explain takes one rule, such as feed.purge.followers, an endpoint's number or a word; conform rules lists them"),
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			catalogue := rules.LoadAll()
			asked := strings.Join(args, " ")
			if err := noSuchThing(asked); err != nil {
				return err
			}
			if rule, ok := catalogue.Rule(asked); ok {
				return rulebook.Explain(std.out, rule, s.layout(std.out))
			}
			services := catalogue.Only(func(rule rules.Rule) bool { return rule.Part() != rules.ClientPart })
			found := rulebook.Find(services, rules.ReadContract(), asked)
			if found.Empty() {
				found = rulebook.Find(catalogue, rules.ReadContract(), asked)
			}
			if found.Empty() {
				return unknownRule(catalogue, asked)
			}
			return rulebook.Found(std.out, found, s.layout(std.out))
		},
	}
	s.bindColor(cmd.Flags())
	return cmd
}

// noSuchThing is the error of a number that is not an endpoint's, and of a placeholder that was
// copied. A number of three digits may be a status.
func noSuchThing(asked string) error {
	const firstStatus = 100
	n, err := strconv.Atoi(strings.TrimPrefix(asked, "#"))
	_, isEndpoint := rules.ParseEndpoint(asked)
	switch {
	case err == nil && n < firstStatus && !isEndpoint:
		return fmt.Errorf("there is no endpoint %s: endpoints are 1 to %d", asked, int(rules.Versions))
	case asked == "RULE":
		return errors.New("RULE stands for a rule's id, such as feed.order; conform rules lists them")
	}
	return nil
}

// contractCommand shows the contract, or what judges it.
func contractCommand(std streams) *cobra.Command {
	var s settings
	withRules := false
	cmd := &cobra.Command{
		Use:   "contract [PART]",
		Short: "Show the contract, or the part of it whose title begins with a word",
		Long: `contract shows the contract. With --rules it shows each sentence of it with the rules that judge the
sentence, or with the reason why no rule does.`,
		Example: `  conform contract
  conform contract limits
  conform contract --rules events`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return rules.ReadContract().Parts(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			contract, part := rules.ReadContract(), strings.Join(args, " ")
			text := contract.Whole()
			if part != "" {
				text = contract.Part(part)
			}
			if text == "" {
				return fmt.Errorf("the contract has no part %q; its parts: %s", part, strings.Join(contract.Parts(), ", "))
			}
			if withRules {
				return rulebook.Ledger(std.out, contract.LedgerOf(part, rules.LoadAll().Rules()), s.layout(std.out))
			}
			_, err := fmt.Fprint(std.out, text)
			return err
		},
	}
	s.bindColor(cmd.Flags())
	cmd.Flags().BoolVar(&withRules, "rules", false, "show each sentence with the rules that judge it")
	return cmd
}
