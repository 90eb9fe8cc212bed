package main

import (
	"io"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/spf13/cobra"
)

// reportCommand converts a JSON report to another format.
func reportCommand(std streams) *cobra.Command {
	var s settings
	var path string
	cmd := &cobra.Command{
		Use:   "report FORMAT REPORT.json",
		Short: "Make another report of one written as JSON",
		Example: `  conform report html conform.json > conform.html
  conform report allure conform.json -o allure-results`,
		Args: arguments(2, 2, "report takes a format and a JSON report, such as: conform report html conform.json"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return append(report.Formats(), report.FolderFormat), cobra.ShellCompDirectiveNoFileComp
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
			if args[0] == report.FolderFormat {
				if err := takesFolder(anywhere{}, path); err != nil {
					return err
				}
				return writeFolder(anywhere{}, path, r, layout)
			}
			return writeTo(path, std, func(w io.Writer) error { return report.Write(w, args[0], r, layout) })
		},
	}
	cmd.Flags().BoolVar(&s.choices, "choices", false, "as text, also list what the target does where the contract is silent")
	cmd.Flags().StringVarP(&path, "output", "o", "-", "`FILE` to write, for allure the folder; - is stdout")
	s.bindColor(cmd.Flags())
	return cmd
}
