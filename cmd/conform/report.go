package main

import (
	"github.com/socialfeed/conform/conformance/report"
	"github.com/spf13/cobra"
)

// reportCommand converts a JSON report to another format.
func reportCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:     "report FORMAT REPORT.json",
		Short:   "Make another report of one written as JSON",
		Example: "  conform report html conform.json > conform.html",
		Args:    arguments(2, 2, "report takes a format and a JSON report, such as: conform report html conform.json"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return report.Formats(), cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := readReport(args[1], std)
			if err != nil {
				return err
			}
			layout := s.layoutOf(args[1], std)
			layout.Choices = s.choices
			return report.Write(std.out, args[0], r, layout)
		},
	}
	cmd.Flags().BoolVar(&s.choices, "choices", false, "as text, also list what the target does where the contract is silent")
	s.bindColor(cmd.Flags())
	return cmd
}
