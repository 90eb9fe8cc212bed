package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errEmpty is the error of a flag that was given an empty text, most often by a variable that a
// pipeline forgot to set: ignored, it would judge everything.
var errEmpty = errors.New("it is empty")

// filled is a flag's value that is not empty.
type filled struct{ pflag.Value }

// Set sets the value.
func (v filled) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmpty
	}
	return v.Value.Set(text)
}

// filledList is filled for a flag that takes several values.
type filledList struct {
	filled
	pflag.SliceValue
}

// mayBeEmpty marks a flag that an empty text means something to.
const mayBeEmpty = "may-be-empty"

// refuseEmpty makes the flags and arguments of a command and those beneath it refuse empty texts.
func refuseEmpty(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		several, isList := f.Value.(pflag.SliceValue)
		switch _, may := f.Annotations[mayBeEmpty]; {
		case may:
		case isList:
			f.Value = filledList{filled{f.Value}, several}
		case f.Value.Type() == "string":
			f.Value = filled{f.Value}
		}
	})
	if check := cmd.Args; check != nil || cmd.Runnable() {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			for i, arg := range args {
				if strings.TrimSpace(arg) == "" && (i == 0 || cmd.Name() != "client") { // a client's command has its own
					return fmt.Errorf("an argument of %s is empty: is a variable not set?", cmd.Name())
				}
			}
			if check == nil {
				return nil
			}
			return check(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		refuseEmpty(sub)
	}
}

// emptyFlag says what to give in place of nothing.
func emptyFlag(f *pflag.Flag) error {
	kind, _ := pflag.UnquoteUsage(f)
	return fmt.Errorf("--%s is empty: give its %s, or leave it out", f.Name, kind)
}
