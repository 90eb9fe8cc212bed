package control

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/seed"
	"github.com/socialfeed/conform/refserver/control/weather"
	"github.com/socialfeed/conform/refserver/faults"
)

// Settings are the initial settings of a world. The zero value is an empty world with the
// friendly defaults and without weather.
type Settings struct {
	Dialect string            `json:"dialect,omitempty"` // names with a plus between them: lagging+uuid-ids
	Choose  map[string]string `json:"choose,omitempty"`  // single choices, over the dialect's
	Faults  []string          `json:"faults,omitempty"`
	Weather []string          `json:"weather,omitempty"` // rules as weather.Parse takes them
	Seed    string            `json:"seed,omitempty"`    // as seed.Parse takes it
	Clock   time.Time         `json:"clock,omitzero"`    // where the clock stands still; zero lets it run
}

// clone shares nothing with the settings.
func (s Settings) clone() Settings {
	s.Choose, s.Faults, s.Weather = maps.Clone(s.Choose), slices.Clone(s.Faults), slices.Clone(s.Weather)
	return s
}

// choices composes the dialect with the single choices.
func (s Settings) choices() (refserver.Choices, error) {
	choices, err := refserver.Compose(cmp.Or(s.Dialect, "default"))
	if err != nil {
		return choices, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Choose)) {
		if err := choices.Choose(name, s.Choose[name]); err != nil {
			return choices, err
		}
	}
	return choices, nil
}

// apply puts choices and faults into a server's options.
func (s Settings) apply(options *refserver.Options) error {
	choices, err := s.choices()
	if err != nil {
		return err
	}
	options.Choices = choices
	for _, name := range s.Faults {
		fault, err := faults.Find(name)
		if err != nil {
			return err
		}
		if fault.Listen != nil {
			return fmt.Errorf("the fault %s is one of the connection: only a server that starts with it can have it", name)
		}
		inner := options.WrapStore
		options.WrapStore = nil
		fault.Apply(options)
		options.WrapStore = compose(inner, options.WrapStore)
	}
	return nil
}

func compose(inner, outer func(refserver.Store) refserver.Store) func(refserver.Store) refserver.Store {
	switch {
	case outer == nil:
		return inner
	case inner == nil:
		return outer
	}
	return func(s refserver.Store) refserver.Store { return outer(inner(s)) }
}

// Validate reports the first impossible setting.
func (s Settings) Validate() error {
	application := []string{"any"} // faults know that there is one, and it may not be made yet
	if err := s.apply(&refserver.Options{AppTokens: application}); err != nil {
		return err
	}
	if err := checkMoment(s.Clock); err != nil {
		return err
	}
	for _, text := range s.Weather {
		if _, err := weather.Parse(text); err != nil {
			return err
		}
	}
	if strings.TrimSpace(s.Seed) != "" {
		if _, err := seed.Parse(s.Seed); err != nil {
			return err
		}
	}
	return nil
}
