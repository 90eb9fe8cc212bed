package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/socialfeed/conform/internal/nearest"
	"github.com/socialfeed/conform/refserver"
)

// flagError says what is wrong with a flag, and which one may have been meant.
func flagError(command *cobra.Command, err error) error {
	hint := ""
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var known []string
		command.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		hint = nearest.Hint("--"+unknown.GetSpecifiedName(), known)
	}
	return fmt.Errorf("%w%s see refserver --help", err, cmp.Or(hint, ";"))
}

// noArguments refuses arguments that are not commands.
func noArguments(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range command.Commands() {
		known = append(known, sub.Name())
	}
	return fmt.Errorf("unknown command or argument %q%s see refserver --help", args[0], cmp.Or(nearest.Hint(args[0], known), ";"))
}

func dialectNames() []string {
	var names []string
	for _, d := range refserver.Dialects() {
		names = append(names, d.Name)
	}
	return names
}

// together matches the flag library's message about two flags that exclude each other.
var together = regexp.MustCompile(`none of the others can be; \[(\S+) (\S+)\] were all set$`)

// plainly is an error in this command's words.
func plainly(err error) error {
	if both := together.FindStringSubmatch(err.Error()); both != nil {
		return fmt.Errorf("--%s and --%s exclude each other: leave one out; see refserver --help", both[1], both[2])
	}
	return err
}
