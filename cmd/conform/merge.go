package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/conformance"
)

// mergeCommand puts the reports of shards together.
func mergeCommand(std streams) *cobra.Command {
	var s settings
	var path string
	cmd := &cobra.Command{
		Use:   "merge SHARD.json...",
		Short: "Put the reports of shards together into one",
		Long: `merge makes one report of those that conform --shard I/N left on any machine: the one
that a run of the whole would have given. What a missing shard would have judged is an
error. Exit codes are those of a run.`,
		Example: `  conform --shard 1/3 --report json=shard-1.json   # and 2/3, 3/3, anywhere
  conform merge shard-*.json -o report.json`,
		Args: reportsAsArguments(-1, "merge takes the JSON reports of shards, such as shard-*.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			if path != "" {
				s.reports = append([]string{"json=" + path}, s.reports...)
			}
			outputs, err := openOutputs(s, std)
			if err != nil {
				return err
			}
			if err := s.readWaivers(); err != nil {
				return err
			}
			merged, err := s.merge(args, std)
			if err != nil {
				return err
			}
			if err := outputs.write(merged, nil); err != nil {
				return err
			}
			return exitOf(merged.Verdict)
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "`FILE` for the JSON report; - is stdout")
	s.bindOutputs(cmd)
	return cmd
}

func (s settings) merge(paths []string, std streams) (*conformance.Report, error) {
	var reports []*conformance.Report
	for _, path := range paths {
		r, err := readReport(path, std)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	merged, err := conformance.Merge(reports)
	if err != nil || s.waivers == "" {
		return merged, err
	}
	catalogue, err := conformance.LoadCatalogue()
	if err != nil {
		return nil, fmt.Errorf("holding the report against the waivers: %w", err)
	}
	s.accepted.Apply(merged, catalogue, merged.StartedAt)
	return merged, nil
}
