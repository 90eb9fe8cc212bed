package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
)

// diffCommand compares two reports.
func diffCommand(std streams) *cobra.Command {
	var s settings
	var format, failOn string
	cmd := &cobra.Command{
		Use:   "diff OLD.json NEW.json",
		Short: "Compare two reports: what broke, what was fixed, which choices changed",
		Long: `diff compares two reports rule by rule and endpoint by endpoint. It lists checks that are newly
broken, fixed, newly judged or no longer judged, and choices that changed.

Exit: 0 no regression · 1 a rule that gates is newly broken (with --fail-on drift also: a choice
changed) · 2 usage · 3 no regression, but something is no longer judged`,
		Args: arguments(2, 2, "diff takes two JSON reports, the old one and the new one"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkDiffFormat(format); err != nil {
				return err
			}
			if failOn != "regressions" && failOn != "drift" {
				return fmt.Errorf("--fail-on takes regressions or drift, got %q", failOn)
			}
			old, err := readReport(args[0], std)
			if err != nil {
				return err
			}
			now, err := readReport(args[1], std)
			if err != nil {
				return err
			}
			if old.StartedAt.After(now.StartedAt) {
				fmt.Fprintln(std.err, "the first report is the later one: diff takes the old one first")
			}
			d := result.Compare(old, now)
			if err := report.Diff(std.out, format, d, s.layout(std.out)); err != nil && !readerGone(err) {
				return err
			}
			switch {
			case d.Regressed(), failOn == "drift" && len(d.Drift) > 0:
				return exit(exitNonConformant)
			case d.Lost():
				return exit(exitNoVerdict)
			}
			return nil
		},
	}
	bindDiffFormat(cmd, &format)
	cmd.Flags().StringVar(&failOn, "fail-on", "regressions", "what exits 1: regressions, or drift as well (changed choices)")
	completeFixed(cmd, "fail-on", "regressions", "drift")
	s.bindColor(cmd.Flags())
	return cmd
}

// bindDiffFormat declares the flag of a comparison's format.
func bindDiffFormat(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "text", strings.Join(report.DiffFormats(), ", "))
	completeFixed(cmd, "format", report.DiffFormats()...)
}

// checkDiffFormat refuses any other value of --format.
func checkDiffFormat(format string) error {
	if !slices.Contains(report.DiffFormats(), format) {
		return fmt.Errorf("--format takes %s, got %q", strings.Join(report.DiffFormats(), ", "), format)
	}
	return nil
}
