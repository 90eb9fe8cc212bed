package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"
)

// bindGate declares the flags about a run without a target.
func (s *settings) bindGate(f *pflag.FlagSet) {
	f.BoolVar(&s.self, "self", false, "judge the embedded reference server, even if CI is set")
	f.BoolVar(&s.required, "require-target", false, "fail with exit 2 if no target is given (default if CI is set)")
}

// checkGate refuses to judge the embedded server where a pipeline forgot to name a target: its
// verdict would mean nothing.
func (s *settings) checkGate() error {
	named := s.config.Target.BaseURL != ""
	switch {
	case s.self && named && s.from["base-url"] != fromDefault:
		return fmt.Errorf("--self judges the embedded server, and %s names another: leave one out", s.origin("base-url"))
	case s.self && named && s.exec != "":
		return errors.New("--self judges the embedded server, and --exec starts another: leave one out")
	case s.self && s.required:
		return fmt.Errorf("--self has no target, and %s wants one: leave one out", s.origin("require-target"))
	case s.self, named, s.embedded, s.from["base-url"] == fromFlag:
		return nil
	case s.required:
		return fmt.Errorf("no target, and %s wants one: %s", s.origin("require-target"), waysToTarget)
	case inCI():
		return errors.New("no target, and CI is set: " + waysToTarget)
	}
	return nil
}

const waysToTarget = "set CONFORM_BASE_URL, or start your server with --exec 'CMD'; --self judges the embedded one"

// inCI reports whether a pipeline runs the command, as all of the common ones say it.
func inCI() bool {
	value := os.Getenv("CI")
	return value != "" && value != "false" && value != "0"
}
