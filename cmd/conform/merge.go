package main

import (
	"context"
	"errors"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// mergeCommand puts the reports of shards together.
func mergeCommand(std streams) *cobra.Command {
	var s settings
	var path string
	cmd := &cobra.Command{
		Use:   "merge SHARD.json|FOLDER|PATTERN...",
		Short: "Merge the reports of shards into one",
		Long: `merge makes one report of the reports of shards (conform --shard I/N), as if the run had not been
divided. The rules of a missing shard are errors. Exit codes are those of a run.

A folder stands for every *.json in it, and a quoted pattern for the files that match. With --wait,
merge first waits until each shard has a report; if a shard's run was cut off, it waits for the
report of a second try. After that time it merges the reports that are there.`,
		Example: `  conform --shard 1/3 --report json=shard-1.json   # and 2/3, 3/3, anywhere
  conform merge shard-*.json -o report.json
  conform merge '/reports/shard-*.json' --wait 20m --report html=report.html`,
		Args: arguments(1, many, "merge takes the JSON reports of shards, such as shard-*.json, or their folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path != "" {
				s.reports = append([]string{"json=" + path}, s.reports...)
			}
			if s.wait < 0 {
				return errors.New("--wait must not be below zero")
			}
			outputs, err := openOutputs(s, std)
			if err != nil {
				return err
			}
			if err := s.readWaivers(); err != nil {
				return err
			}
			merged, err := s.merge(cmd.Context(), args, std)
			if err != nil {
				return err
			}
			return verdictOf(merged, outputs.write(merged, nil), std)
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "`FILE` for the JSON report; - is stdout")
	cmd.Flags().DurationVar(&s.wait, "wait", 0, "how long to wait for the reports of all shards")
	s.bindOutputs(cmd)
	return cmd
}

func (s settings) merge(ctx context.Context, args []string, std streams) (*result.Report, error) {
	shards, err := newCollection(args, s.wait > 0, std)
	if err != nil {
		return nil, err
	}
	var merged *result.Report
	if s.wait > 0 {
		merged, err = shards.await(ctx, s.wait, newProgress(std.screen, s.quiet))
	} else {
		merged, err = shards.now()
	}
	if err != nil || s.waivers == "" {
		return merged, err
	}
	s.apply(merged, rules.Load())
	return merged, nil
}
