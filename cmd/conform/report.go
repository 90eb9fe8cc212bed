package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/socialfeed/conform/conformance/rejudge"
	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
)

// reportCommand converts a JSON report to another format.
func reportCommand(std streams) *cobra.Command {
	var s settings
	var path string
	var again bool
	cmd := &cobra.Command{
		Use:   "report [FORMAT] REPORT.json",
		Short: "Convert a JSON report to another format",
		Long: `report converts a JSON report to another format. --judge-again also judges the stored exchanges
again with this version of conform, without the target. That reaches rules that hold for every
response, and statuses that decide alone. The report says how many failures were judged again, and
which remain. A report with all exchanges reaches further (--report har=FILE keeps them in the JSON
report as well).

Exit: 0; with --judge-again 0 conformant · 1 not conformant · 2 usage · 3 no verdict`,
		Example: `  conform report html conform.json > conform.html
  conform report allure conform.json -o allure-results
  conform report conform.json --judge-again`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 2 || len(args) == 1 && again {
				return nil
			}
			return errors.New("report takes a format and a JSON report, such as: conform report html conform.json")
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return append(report.Formats(), report.FolderFormat), cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error {
			format, from := "text", args[len(args)-1]
			if len(args) == 2 {
				format = args[0]
			}
			if !again {
				return s.convert(format, from, path, nil, std)
			}
			return s.convert(format, from, path, func(r *result.Report) { rejudge.Report(r, s.tool()) }, std)
		},
	}
	cmd.Flags().BoolVar(&s.choices, "choices", false, "as text, also list what the target does if the contract leaves it open")
	cmd.Flags().BoolVar(&again, "judge-again", false, "judge the stored exchanges again, without the target, as far as they reach")
	cmd.Flags().StringVarP(&path, "output", "o", "-", "`FILE` to write, for allure the folder; - is stdout")
	s.bindColor(cmd.Flags())
	return cmd
}

// convert writes a report that was read in another format. The judge that judges it again, or nil, decides
// the exit code.
func (s *settings) convert(format, from, to string, judge func(*result.Report), std streams) error {
	r, err := readReport(from, std)
	if err != nil {
		return err
	}
	if judge != nil {
		if r.Client != nil {
			return errors.New("--judge-again takes the report on a server: conform har judges the traffic of clients again")
		}
		judge(r)
	}
	layout := s.layout(std.out)
	layout.Choices = s.choices
	document := report.New(r, optionsFor(from, std))
	switch {
	case format != report.FolderFormat:
		err = writeTo(to, std, func(w io.Writer) error { return document.Write(w, format, layout) })
	default:
		if err = takesFolder(anywhere{}, to); err == nil {
			err = writeFolder(anywhere{}, to, document)
		}
	}
	if err != nil || judge == nil {
		return err
	}
	if s.judgedAgainElsewhere(format, to) {
		fmt.Fprintf(std.err, "conform: %s\n", r.JudgedAgain)
	}
	return exitOf(r.Verdict)
}

// judgedAgainElsewhere reports whether a person does not read the report that says how far it was judged
// again.
func (s *settings) judgedAgainElsewhere(format, to string) bool {
	return to != "-" || !slices.Contains([]string{"text", "markdown"}, format)
}
