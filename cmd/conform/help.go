package main

import (
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns the help takes.
const helpWidth = 100

// useFlagHelp lays out the flags in the help of a command and those beneath it.
func useFlagHelp(root *cobra.Command) {
	flagHelp()
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages |", "Flags | flagHelp |"))
}

// flagHelp is made known to cobra's templates once: they are the same for all commands.
var flagHelp = sync.OnceFunc(func() { cobra.AddTemplateFunc("flagHelp", flagLines) })

// flagLines describes flags in lines that fit. A value that may be left out is in brackets.
func flagLines(flags *pflag.FlagSet) string {
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = flags.SortFlags
	flags.VisitAll(func(f *pflag.Flag) {
		line := *f
		kind, usage := pflag.UnquoteUsage(f)
		if f.DefValue == "[]" {
			line.DefValue = ""
		}
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			line.NoOptDefVal, line.DefValue, line.Usage = "", "", usage
			line.Value = shownValue{f.Value, "[" + kind + "]"}
		}
		shown.AddFlag(&line)
	})
	return shown.FlagUsagesWrapped(helpWidth)
}

// shownValue is a flag's value under another name of its type.
type shownValue struct {
	pflag.Value
	kind string
}

// Type is that name.
func (v shownValue) Type() string { return v.kind }
