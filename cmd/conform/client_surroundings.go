package main

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/nearest"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
)

// surrounding is a variant of the service that the contract allows.
type surrounding struct {
	name     string
	settings control.Settings
	manner   func(http.Handler) http.Handler // changes answers on the wire; nil for no change
	parts    []part
	weather  bool
	dialect  string // of which this is a single choice, "" if it is a whole
	breach   bool   // a fault makes it no lawful one: name is the fault's
}

// flags choose the surrounding alone; a single choice is only in its dialect.
func (s surrounding) flags() []string {
	dialect, weather := cmp.Or(s.dialect, s.name), "none"
	switch {
	case s.breach:
		return []string{"--faults=" + s.name}
	case s.name == plainSurrounding:
		dialect = "none"
	case s.weather:
		dialect, weather = "none", s.name
	}
	return []string{"--dialects", dialect, "--weather", weather}
}

// part is the smallest difference that can break a client: a choice, a kind of weather or a
// manner on the wire.
type part struct {
	name  string // such as user-ids=uuid
	rule  string
	shows shows // nil: it shows when the weather acts
}

const plainSurrounding = "default"

// dialects are the surroundings with other choices, and with manners on the wire.
func dialects() ([]surrounding, error) {
	var all []surrounding
	defaults := (refserver.Choices{}).Settings()
	for _, dialect := range refserver.Dialects() {
		s := surrounding{name: dialect.Name, settings: control.Settings{Choose: map[string]string{}}}
		for i, choice := range dialect.Choices.Settings() {
			if choice == defaults[i] {
				continue
			}
			t, known := tolerances()[choice.Name]
			if !known {
				return nil, fmt.Errorf("no rule says that a client lives with the choice %s", choice.Name)
			}
			s.settings.Choose[choice.Name] = choice.Value
			s.parts = append(s.parts, part{choice.Name + "=" + choice.Value, ruleOf(choice.Name, choice.Value), t.shows})
		}
		if len(s.parts) > 0 {
			all = append(all, s)
		}
	}
	for _, manner := range []struct {
		name  string
		wrap  func(http.Handler) http.Handler
		shows shows
	}{
		{"extra-fields", extraFields, succeeds()}, {"compression", compressed, acceptsGzip},
		{"chunking", chunked, answers()}, {"keep-alive", closing, answers()},
	} {
		all = append(all, surrounding{name: manner.name, manner: manner.wrap,
			parts: []part{{manner.name, "client.tolerates." + manner.name, manner.shows}}})
	}
	return all, nil
}

// climates are the surroundings with weather. A refusal is delayed for a moment, so that
// requests sent in parallel arrive before it.
func climates() []surrounding {
	var all []surrounding
	for _, climate := range []struct {
		name  string
		rules []string
	}{
		{"slow", often("delay=300ms", "")},
		{"weather-429", often("429", "")},
		{"weather-503", often("503", "")},
		{"weather-504", slices.Concat(often("504", "POST"), often("504,done", "PUT"), often("504", "DELETE"), often("504", "GET"))},
		{"weather-html", often("html=502", "GET")},
		{"weather-cut", often("cut=5", "GET")},
	} {
		all = append(all, surrounding{name: climate.name, settings: control.Settings{Weather: climate.rules},
			weather: true, parts: []part{{climate.name, "client.tolerates." + climate.name, nil}}})
	}
	return all
}

// often are rules that make the weather act on some requests of a method, "" for any: always
// the same ones, less and less often, and never on two in a row.
func often(what, method string) []string {
	on := ""
	if method != "" {
		on = ",on=" + method
	}
	var list []string
	for nth, step := 2, 3; nth < 100; nth, step = nth+step, step+1 {
		rule := fmt.Sprintf("%s%s,nth=%d", what, on, nth)
		if !strings.HasPrefix(what, "delay") {
			list = append(list, fmt.Sprintf("delay=150ms%s,nth=%d", on, nth))
		}
		list = append(list, rule)
	}
	return list
}

// alone is a surrounding with this choice only.
func (p part) alone() surrounding {
	name, value, _ := strings.Cut(p.name, "=")
	return surrounding{name: p.name, settings: control.Settings{Choose: map[string]string{name: value}}, parts: []part{p}}
}

// chosen selects surroundings by the value of a flag: all, none, or names.
func chosen(flag, value string, from []surrounding) ([]surrounding, error) {
	switch value {
	case "all":
		return from, nil
	case "none":
		return nil, nil
	}
	var names []string
	for _, s := range from {
		names = append(names, s.name)
	}
	var picked []surrounding
	for name := range strings.SplitSeq(value, ",") {
		i := slices.Index(names, strings.TrimSpace(name))
		if i < 0 {
			return nil, fmt.Errorf("--%s: there is no %q%s; there are all, none, %s", flag, name,
				nearest.Hint(name, names), strings.Join(names, ", "))
		}
		picked = append(picked, from[i])
	}
	return picked, nil
}
