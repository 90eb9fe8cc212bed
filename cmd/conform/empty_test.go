package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestEmptyTextsAreMistakes gives every flag of every command that takes a text an empty one, as a
// pipeline does whose variable was never set.
func TestEmptyTextsAreMistakes(t *testing.T) {
	t.Parallel()
	texts := 0
	var try func(cmd *cobra.Command, before []string)
	try = func(cmd *cobra.Command, before []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains([]string{"string", "stringSlice", "stringArray"}, f.Value.Type()) || f.Name == "corpus" {
				return
			}
			texts++
			args := append(slices.Clone(before), "--"+f.Name+"=")
			var out, errs strings.Builder
			code := execute(t.Context(), args, streams{out: &out, err: &errs, screen: &errs})
			if said := errs.String(); code != exitUsage || !strings.Contains(said, "--"+f.Name+" is empty: ") || strings.Count(said, "\n") != 1 || out.Len() > 0 {
				t.Errorf("%q: exit %d, %q", args, code, said)
			}
		})
		for _, sub := range cmd.Commands() {
			try(sub, append(slices.Clone(before), sub.Name()))
		}
	}
	try(rootCommand(streams{}), nil)
	const fewest = 50
	if texts < fewest {
		t.Errorf("%d flags were tried", texts)
	}
	for _, args := range [][]string{{""}, {"explain", ""}, {"explain", "feed", " "}, {"contract", ""}, {"next", ""}, {"diff", "a.json", ""}, {"merge", ""},
		{"report", "", "a.json"}, {"report", "html", ""}, {"har", ""}, {"man", ""}, {"client", "--", ""}, {"reproduce", ""}, {"waive", ""}, {"replay", ""}, {"keep", ""}} {
		var out, errs strings.Builder
		if code := execute(t.Context(), args, streams{out: &out, err: &errs, screen: &errs}); code != exitUsage || !strings.Contains(errs.String(), "empty") || out.Len() > 0 {
			t.Errorf("%q: exit %d, %q", args, code, errs.String())
		}
	}
}
