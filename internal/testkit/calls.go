package testkit

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var (
	word = regexp.MustCompile(`^[a-z]+$`)
	flag = regexp.MustCompile(`^--?([a-zA-Z][a-z-]*)`)
)

// KnowsItsPages fails the test for each call of a program in the documentation that names a
// command or a flag that the program does not have.
func KnowsItsPages(t *testing.T, root *cobra.Command, folder string, fewest int) {
	t.Helper()
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	seen := 0
	for path, page := range Pages(t, folder) {
		for _, call := range Commands(page, root.Name()) {
			seen++
			if problem := unknown(root, call); problem != "" {
				t.Errorf("%s: %s %s: %s", filepath.Base(path), root.Name(), strings.Join(call, " "), problem)
			}
		}
	}
	if seen < fewest {
		t.Errorf("the documentation has only %d calls of %s", seen, root.Name())
	}
}

// unknown is the first word of a call that a command does not know, "" if it knows all of them.
func unknown(command *cobra.Command, call []string) string {
	if len(call) > 0 && word.MatchString(call[0]) && command.HasSubCommands() {
		i := slices.IndexFunc(command.Commands(), func(c *cobra.Command) bool { return c.Name() == call[0] })
		if i < 0 {
			return "there is no command " + call[0]
		}
		command = command.Commands()[i]
	}
	command.InitDefaultHelpFlag()
	command.InitDefaultVersionFlag()
	for _, argument := range call {
		match := flag.FindStringSubmatch(argument)
		switch {
		case match == nil:
		case len(match[1]) == 1 && !strings.HasPrefix(argument, "--"):
			if command.Flags().ShorthandLookup(match[1]) == nil && command.InheritedFlags().ShorthandLookup(match[1]) == nil {
				return "there is no flag -" + match[1]
			}
		case strings.HasPrefix(argument, "--") && command.Flags().Lookup(match[1]) == nil && command.InheritedFlags().Lookup(match[1]) == nil:
			return "there is no flag --" + match[1]
		}
	}
	return ""
}
