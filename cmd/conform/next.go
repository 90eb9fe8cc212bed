package main

import (
	"github.com/socialfeed/conform/conformance/report"
	"github.com/spf13/cobra"
)

// nextCommand says what to do next, after a report or a run of its own.
func nextCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "next [REPORT.json]",
		Short: "Show what to do next, by how many rules wait for it",
		Long: `next shows one step: the endpoint to implement or the rule to fix next, chosen because most other
rules depend on it. It quotes the contract and shows an example request with its answer, and the
target's answer. Without a report it judges the target first, with the flags and exit codes of a
run.`,
		Example: `  conform next report.json
  conform next --exec 'exec python3 server.py' --watch server.py`,
		Args: arguments(0, 1, "next takes one JSON report, such as report.json, or none to judge the target first"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				s.next = true
				return judge(cmd.Context(), &s, cmd.Flags(), std)
			}
			r, err := readReport(args[0], std)
			if err != nil {
				return err
			}
			return report.New(r, optionsFor(args[0], std)).Write(std.out, nextFormat, s.layout(std.out))
		},
	}
	s.bind(cmd)
	return cmd
}
