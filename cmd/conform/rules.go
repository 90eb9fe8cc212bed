package main

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// rulesCommand lists the catalogue.
func rulesCommand(std streams) *cobra.Command {
	var format string
	var client bool
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules of the contract",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			catalogue := rules.Load()
			if client {
				catalogue = rules.LoadClient()
			}
			return report.Rules(std.out, catalogue.Rules(), format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or markdown")
	cmd.Flags().BoolVar(&client, "client", false, "what the contract asks of a client, not of the service")
	return cmd
}

func unknownRule(catalogue *rules.Catalogue, id string) error {
	if catalogue.Suggest(id) == "" {
		return fmt.Errorf("%w; conform rules lists them", catalogue.Unknown(id))
	}
	return catalogue.Unknown(id)
}
