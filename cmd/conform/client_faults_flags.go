package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver/faults"
	"github.com/spf13/pflag"
)

// breachSettings are the flags about whether a client's tests notice.
type breachSettings struct {
	names    string // of faults, all, or "" for none
	budget   time.Duration
	minScore float64 // in percent
}

const allFaults = "all"

func (s *breachSettings) bind(f *pflag.FlagSet) {
	f.StringVar(&s.names, "faults", "", "break one rule at a time, and see whether the tests notice: all, or `NAME,…`")
	f.Lookup("faults").NoOptDefVal = allFaults
	f.DurationVar(&s.budget, "budget", 10*time.Minute, "with --faults: no run begins after this time")
	f.Float64Var(&s.minScore, "min-score", 0, "with --faults: exit 1 below this `PERCENT` of noticed breaches, 3 if the budget is too small to tell")
}

func (s *breachSettings) check(f *pflag.FlagSet) error {
	switch {
	case s.names != "" && (f.Changed("dialects") || f.Changed("weather")):
		return errors.New("--faults breaks the default service: leave out --dialects and --weather")
	case s.names != "" && f.Changed("waivers"):
		return errors.New("--faults takes no --waivers: leave out the faults in question")
	case s.names == "" && (f.Changed("budget") || f.Changed("min-score")):
		return errors.New("--budget and --min-score go with --faults")
	case s.budget <= 0:
		return errors.New("--budget must be above zero")
	case s.minScore < 0 || s.minScore > 100:
		return errors.New("--min-score is a percentage, from 0 to 100")
	}
	_, err := s.chosen()
	return err
}

// chosen are the faults to try: those that always show first. Those of the connection are none
// of them, since no test asks for plain HTTP.
func (s *breachSettings) chosen() ([]faults.Fault, error) {
	all := slices.DeleteFunc(append(faults.All(), faults.SecondOrder()...), func(f faults.Fault) bool { return f.Listen != nil })
	if s.names == allFaults || s.names == "" {
		return all, nil
	}
	var chosen []faults.Fault
	for name := range strings.SplitSeq(s.names, ",") {
		fault, err := faults.Find(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("--faults: %w; refserver --list-faults names them", err)
		}
		if fault.Listen != nil {
			return nil, fmt.Errorf("--faults: %s is a fault of the connection, which no client's tests meet", fault.Name)
		}
		chosen = append(chosen, fault)
	}
	return chosen, nil
}
