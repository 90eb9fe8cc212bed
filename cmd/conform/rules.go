package main

import (
	"errors"
	"fmt"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report/rulebook"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// rulesCommand lists the catalogue.
func rulesCommand(std streams) *cobra.Command {
	var format string
	var client, inputs bool
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules of the contract",
		Long: `rules lists the rules of the contract. --inputs lists the values that generated stories send in bodies:
for each field of each endpoint the classes of valid values, which must come back, and of values with a
defect, with the rule that judges them. Values for #1 are also sent with withLogin=true.`,
		Example: `  conform rules
  conform rules --inputs
  conform rules --client --format json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if client && inputs {
				return errors.New("--inputs are of stories for services: leave out --client")
			}
			if inputs {
				return rulebook.Inputs(std.out, conformance.Inputs(), format)
			}
			catalogue := rules.Load()
			if client {
				catalogue = rules.LoadClient()
			}
			return rulebook.Rules(std.out, catalogue.Rules(), format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or markdown")
	cmd.Flags().BoolVar(&client, "client", false, "what the contract asks of a client, not of the service")
	cmd.Flags().BoolVar(&inputs, "inputs", false, "the values that drawn stories send, by endpoint and field")
	return cmd
}

func unknownRule(catalogue *rules.Catalogue, id string) error {
	if catalogue.Suggest(id) == "" {
		return fmt.Errorf("%w; conform rules lists them", catalogue.Unknown(id))
	}
	return catalogue.Unknown(id)
}
