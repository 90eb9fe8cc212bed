package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/conformance/report"
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
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := os.Open(args[1])
			if err != nil {
				return err
			}
			defer file.Close()
			r, err := report.ReadJSON(file)
			if err != nil {
				return fmt.Errorf("reading %s: %w", args[1], err)
			}
			look := s.look(std.out)
			look.Report = args[1]
			return report.Write(std.out, args[0], r, look)
		},
	}
	cmd.Flags().BoolVar(&s.noColor, "no-color", false, "no colours (NO_COLOR)")
	return cmd
}
