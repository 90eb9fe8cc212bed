package main

import (
	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
)

// driftCommand compares a fake with the real service.
func driftCommand(std streams) *cobra.Command {
	var s settings
	var format string
	cmd := &cobra.Command{
		Use:   "drift REAL.json FAKE.json",
		Short: "Show where a fake and the real service differ for clients",
		Long: `drift compares the report on a real service with the report on its fake, and lists the differences
that clients see: broken rules, choices, statuses, ids, times, fields, and the length of lists.
Times, fields, lists, and statuses without a rule are compared only if both reports have all
exchanges (--report har=FILE beside --report json=FILE), and lists only if both runs had the same
--seed. refserver --like REAL.json starts a fake that behaves like the real service.

Exit: 0 alike · 1 they differ · 2 usage`,
		Example: `  conform --seed 7 --report json=real.json --report har=real.har --base-url https://feeds.example.com
  conform --seed 7 --report json=fake.json --report har=fake.har --exec 'exec refserver --http --like real.json --addr 127.0.0.1:$PORT --app-token "$APP_TOKEN"'
  conform drift real.json fake.json`,
		Args: arguments(2, 2, "drift takes two JSON reports, that on the real service and that on the fake"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkDiffFormat(format); err != nil {
				return err
			}
			real, err := readReport(args[0], std)
			if err != nil {
				return err
			}
			fake, err := readReport(args[1], std)
			if err != nil {
				return err
			}
			d := result.DriftOf(real, fake)
			if err := report.Drift(std.out, format, d, s.layout(std.out)); err != nil && !readerGone(err) {
				return err
			}
			if len(d.Differences) > 0 {
				return exit(exitNonConformant)
			}
			return nil
		},
	}
	bindDiffFormat(cmd, &format)
	s.bindColor(cmd.Flags())
	return cmd
}
