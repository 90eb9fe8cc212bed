package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report"
)

// rulesCommand lists the catalogue.
func rulesCommand(std streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules of the contract",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			catalogue, err := conformance.LoadCatalogue()
			if err != nil {
				return err
			}
			return report.Rules(std.out, catalogue.Rules(), format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or markdown")
	return cmd
}

// explainCommand tells all about one rule.
func explainCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "explain RULE",
		Short: "Tell one rule: what it says, where it comes from, how it is judged",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("explain takes one rule, such as feed.purge.followers; conform rules lists them")
			}
			return nil
		},
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			catalogue, err := conformance.LoadCatalogue()
			if err != nil {
				return err
			}
			rule, ok := catalogue.Rule(args[0])
			if !ok {
				return unknownRule(catalogue, args[0])
			}
			return report.Explain(std.out, rule, s.look(std.out))
		},
	}
	cmd.Flags().BoolVar(&s.noColor, "no-color", false, "no colours (NO_COLOR)")
	return cmd
}

func unknownRule(catalogue *conformance.Catalogue, id string) error {
	hint := "conform rules lists them"
	if near := catalogue.Suggest(id); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("there is no rule %q; %s", id, hint)
}
