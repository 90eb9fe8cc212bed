package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// refuseOtherShells makes the completion command refuse unknown shells, for which it would
// otherwise print its help and succeed.
func refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = arguments(0, 0, "completion takes bash, zsh, fish or powershell")
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// completeRules completes rule ids in the shell.
func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, rule := range rules.Load().Rules() {
		ids = append(ids, rule.ID+"\t"+rule.Statement)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// completeFlags lets the shell complete what the flags of a run take.
func completeFlags(cmd *cobra.Command) {
	fixed := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	for flag, complete := range map[string]cobra.CompletionFunc{
		"rule":     completeRules,
		"skip":     completeRules,
		"part":     completeParts,
		"endpoint": fixed(endpointNumbers()...),
		"level":    fixed(string(rules.Must), string(rules.Should), string(rules.Choice)),
		"fail-on":  fixed(string(rules.Must), string(rules.Should)),
		"report":   completeReports,
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // the flag is not declared: a mistake of ours
		}
	}
}

// completeFixed lets the shell complete what a flag takes.
func completeFixed(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not declared: a mistake of ours
	}
}

func completeParts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var parts []string
	for _, rule := range rules.Load().Rules() {
		parts = append(parts, rule.Part())
	}
	return slices.Compact(parts), cobra.ShellCompDirectiveNoFileComp
}

// completeReports completes the format; the shell goes on with the path.
func completeReports(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var formats []string
	for _, format := range append(report.Formats(), report.FolderFormat) {
		formats = append(formats, format+"=")
	}
	return formats, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// endpointNumbers are the endpoints' numbers, each with its method and path.
func endpointNumbers() []string {
	var numbers []string
	for _, e := range rules.Endpoints() {
		numbers = append(numbers, fmt.Sprintf("%s\t%s", strconv.Itoa(int(e)), e))
	}
	return numbers
}
