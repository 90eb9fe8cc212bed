package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/internal/nearest"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/faults"
)

// first are the settings that a world begins with. Faults of the connection go into the
// server's options instead.
func (set *settings) first(server *refserver.Options) (control.Settings, error) {
	first := control.Settings{Dialect: set.dialect, Choose: make(map[string]string), Weather: set.weather}
	if _, err := refserver.Compose(set.dialect); err != nil {
		return first, fmt.Errorf("--dialect: %w%s --list-dialects names them", err, cmp.Or(set.meantDialect(), ";"))
	}
	if err := cmp.Or(set.likeInto(&first), set.chooseInto(&first), set.faultsInto(&first, server), set.clockInto(&first), set.seedInto(&first)); err != nil {
		return first, err
	}
	return first, first.Validate()
}

// meantDialect suggests a dialect for the first that there is not, as the end of an error.
func (set *settings) meantDialect() string {
	for name := range strings.SplitSeq(set.dialect, "+") {
		if known := dialectNames(); !slices.Contains(known, strings.TrimSpace(name)) {
			return nearest.Hint(name, known)
		}
	}
	return ""
}

func (set *settings) chooseInto(first *control.Settings) error {
	for _, choice := range set.choose {
		name, value, given := strings.Cut(choice, "=")
		if !given {
			return fmt.Errorf("--choose %s: write NAME=VALUE, such as lag=10s", choice)
		}
		first.Choose[name] = value
		if err := (control.Settings{Choose: map[string]string{name: value}}).Validate(); err != nil {
			return fmt.Errorf("--choose %s: %w; --list-choices names them", choice, err)
		}
	}
	return nil
}

func (set *settings) faultsInto(first *control.Settings, server *refserver.Options) error {
	set.faults = slices.DeleteFunc(set.faults, func(name string) bool { return name == "" }) // an unset variable of a script
	for _, name := range set.faults {
		fault, err := faults.Find(name)
		if err != nil {
			return fmt.Errorf("--fault: %w; --list-faults names them", err)
		}
		if fault.Listen != nil {
			fault.Apply(server)
		} else {
			first.Faults = append(first.Faults, name)
		}
	}
	return nil
}

func (set *settings) clockInto(first *control.Settings) error {
	if set.clock == "" {
		return nil
	}
	var err error
	if first.Clock, err = time.Parse(time.RFC3339, set.clock); err != nil {
		return fmt.Errorf("--clock %s is not a time such as 2026-01-31T12:00:00Z", set.clock)
	}
	return nil
}

func (set *settings) seedInto(first *control.Settings) error {
	first.Seed = set.seed
	if set.seedFile == "" {
		return nil
	}
	text, err := os.ReadFile(set.seedFile)
	if err != nil {
		return fmt.Errorf("--seed-file: %w", err)
	}
	if first.Seed = string(text); strings.TrimSpace(first.Seed) == "" {
		return fmt.Errorf("--seed-file %s is empty", set.seedFile)
	}
	return nil
}
