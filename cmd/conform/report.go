package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
)

// reportCommand makes another report of one that was written as JSON.
func reportCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:     "report FORMAT REPORT.json",
		Short:   "Make another report of one written as JSON",
		Example: "  conform report html conform.json > conform.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("report takes a format and a JSON report, such as: conform report html conform.json")
			}
			return nil
		},
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
			look := s.look(std.out)
			look.Program, look.Choices = std.program, s.choices
			if args[1] != "-" {
				look.Report = args[1]
			}
			return report.Write(std.out, args[0], r, look)
		},
	}
	cmd.Flags().BoolVar(&s.choices, "choices", false, "as text, also list what the target does where the contract is silent")
	cmd.Flags().BoolVar(&s.noColor, "no-color", false, "no colours (NO_COLOR)")
	return cmd
}

// reportsAsArguments wants n arguments, or at least -n where n is negative.
func reportsAsArguments(n int, usage string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n && (n > 0 || len(args) < -n) {
			return errors.New(usage)
		}
		return nil
	}
}

// readReport reads a JSON report from a file, or from stdin for "-".
func readReport(path string, std streams) (*result.Report, error) {
	if path == "-" {
		return report.ReadJSON(std.in)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening a report: %w", err)
	}
	defer file.Close()
	r, err := report.ReadJSON(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
