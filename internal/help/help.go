// Package help is what the commands say of themselves: their help, and their version.
package help

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// Lay lays out the help of a command and those beneath it, in lines that fit the terminal.
func Lay(root *cobra.Command) {
	fill(root, columns())
	flagHelp()
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages |", "Flags | flagHelp |"))
}

// fill wraps what commands say of themselves. A paragraph in which a line is indented stays as
// it is.
func fill(command *cobra.Command, width int) {
	paragraphs := strings.Split(command.Long, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = wrap(p, width)
		}
	}
	command.Long = strings.Join(paragraphs, "\n\n")
	for _, child := range command.Commands() {
		fill(child, width)
	}
}

// wrap puts the words of a paragraph in lines of so many characters, if no word is longer.
func wrap(paragraph string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(paragraph) {
		length := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+length > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
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
		ofLibrary := strings.HasPrefix(fmt.Sprintf("%T", f.Value), "*pflag.") // which knows when [] is none
		if f.DefValue == "[]" && !ofLibrary {
			line.DefValue = ""
		}
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			line.NoOptDefVal, line.DefValue, line.Usage = "", "", usage
			line.Value = shownValue{f.Value, "[" + kind + "]"}
		}
		shown.AddFlag(&line)
	})
	const slop = 5 // by which pflag exceeds its width rather than wrap a word
	return shown.FlagUsagesWrapped(columns() - slop)
}

// columns is how many columns the help takes: those of the terminal, but no more than are easy to
// read, and 80 if there is none.
func columns() int {
	const fallback, least, most = 80, 60, 100
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return fallback
	}
	return max(least, min(width, most))
}

// shownValue is a flag's value under another name of its type.
type shownValue struct {
	pflag.Value
	kind string
}

// Type is that name.
func (v shownValue) Type() string { return v.kind }
