package like

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// Choice is an observation in a report where the contract is silent.
type Choice struct {
	Rule     string `json:"rule"`
	Endpoint string `json:"endpoint"`
	Answer   string `json:"answer"`
}

// Fit is how the reference server comes nearest to another server.
type Fit struct {
	Choose map[string]string // the choices that are not the default's, by name
	Other  []Choice          // observations that no choice reproduces
	Untold []string          // the choices that the report says nothing about
}

// mostReport bounds a report, in bytes: conform writes none above it.
const mostReport = 64 << 20

// Read reads the choices of a report that conform wrote as JSON.
func Read(from io.Reader) ([]Choice, error) {
	var report struct {
		Schema  string   `json:"schema"`
		Choices []Choice `json:"choices"`
	}
	if err := json.NewDecoder(io.LimitReader(from, mostReport)).Decode(&report); err != nil {
		return nil, fmt.Errorf("it is not the JSON report of conform: %w", err)
	}
	if report.Schema != "conform.report/v1" {
		return nil, fmt.Errorf("it is not the JSON report of conform: its schema is %.40q, not %q", report.Schema, "conform.report/v1")
	}
	if len(report.Choices) == 0 {
		return nil, fmt.Errorf("the report records no choice: it is one of a run in which nothing answered, or one on a client")
	}
	return report.Choices, nil
}

// Of finds the choices under which the reference server answers as it was observed. If a server answers
// a rule differently at several endpoints, the majority counts.
func Of(observed []Choice) Fit {
	wanted, all := usual(observed), alternatives()
	fitted := refserver.Choices{}
	for _, rule := range slices.Sorted(maps.Keys(wanted)) {
		fitted = adopt(fitted, all, wanted, rule)
	}
	fit := Fit{Choose: map[string]string{}, Untold: untold(all, wanted)}
	defaults := (refserver.Choices{}).Settings()
	for i, setting := range fitted.Settings() {
		if setting != defaults[i] {
			fit.Choose[setting.Name] = setting.Value
		}
	}
	answers := withLimits(fitted)
	for _, choice := range observed {
		if answer, known := answers[choice.Rule]; !known || !agree(answer, choice.Answer) {
			fit.Other = append(fit.Other, choice)
		}
	}
	return fit
}

// usual is the most frequent answer of each rule.
func usual(observed []Choice) map[string]string {
	times, usual := map[Choice]int{}, map[string]string{}
	for _, choice := range observed {
		choice.Endpoint = ""
		times[choice]++
		if most, known := usual[choice.Rule]; !known || times[choice] > times[Choice{Rule: choice.Rule, Answer: most}] {
			usual[choice.Rule] = choice.Answer
		}
	}
	return usual
}

// adopt changes as few choices as make the answer to a rule the wanted one, and none of the answers that are
// right already. It changes nothing where no two choices do.
func adopt(c refserver.Choices, all []alternative, wanted map[string]string, rule string) refserver.Choices {
	before := right(c, wanted)
	fits := func(c refserver.Choices) bool {
		now := right(c, wanted)
		return now[rule] && !slices.ContainsFunc(slices.Collect(maps.Keys(before)), func(rule string) bool { return !now[rule] })
	}
	if fits(c) {
		return c
	}
	for _, one := range all {
		if changed := one.in(c); fits(changed) {
			return changed
		}
	}
	for i, one := range all {
		for _, two := range all[i+1:] {
			if changed := two.in(one.in(c)); fits(changed) {
				return changed
			}
		}
	}
	return c
}

// right are the rules whose answers are those wanted.
func right(c refserver.Choices, wanted map[string]string) map[string]bool {
	rules := map[string]bool{}
	for rule, answer := range withLimits(c) {
		if want, told := wanted[rule]; told && agree(answer, want) {
			rules[rule] = true
		}
	}
	return rules
}

// alternative is a value of a choice that is not the default's.
type alternative struct {
	field int // of the type of the choices
	name  string
	value reflect.Value
}

// alternatives are all values that any dialect has.
func alternatives() (all []alternative) {
	known := map[refserver.Setting]bool{}
	for _, dialect := range refserver.Dialects() {
		fields := reflect.ValueOf(dialect.Choices)
		for i, setting := range dialect.Choices.Settings() {
			if !fields.Field(i).IsZero() && !known[setting] {
				known[setting] = true
				all = append(all, alternative{i, setting.Name, fields.Field(i)})
			}
		}
	}
	return all
}

// in are the choices with this one.
func (a alternative) in(c refserver.Choices) refserver.Choices {
	reflect.ValueOf(&c).Elem().Field(a.field).Set(a.value)
	return c
}

// without are the choices with the default's value of this one.
func (a alternative) without(c refserver.Choices) refserver.Choices {
	reflect.ValueOf(&c).Elem().Field(a.field).SetZero()
	return c
}

// untold are the choices that change no answer to the rules that were answered, whatever the others are.
func untold(all []alternative, wanted map[string]string) (names []string) {
	tells := map[string]bool{}
	for _, dialect := range refserver.Dialects() {
		for _, a := range all {
			if tells[a.name] {
				continue
			}
			with, without := withLimits(a.in(dialect.Choices)), withLimits(a.without(dialect.Choices))
			for rule := range wanted {
				tells[a.name] = tells[a.name] || with[rule] != without[rule]
			}
		}
	}
	for _, setting := range (refserver.Choices{}).Settings() {
		if !tells[setting.Name] {
			names = append(names, setting.Name)
		}
	}
	return names
}

// agree compares answers. Those of forms name the endpoints where each was seen, which are fewer where a
// run judged less: they agree where they say nothing different of the same endpoint.
func agree(a, b string) bool {
	left, ok := forms(a)
	right, also := forms(b)
	if !ok || !also {
		return a == b
	}
	common := false
	for endpoint, form := range left {
		other, there := right[endpoint]
		if !there {
			other, there = right[everywhere]
		}
		if there && other != form {
			return false
		}
		common = common || there
	}
	if form, all := left[everywhere]; all {
		for _, other := range right {
			if other != form {
				return false
			}
		}
		return true
	}
	return common
}

const everywhere = ""

// forms reads "digit string at POST /0.2/user/login; integer at GET /0.2/user", or "UUID everywhere".
func forms(answer string) (map[string]string, bool) {
	all := map[string]string{}
	for part := range strings.SplitSeq(answer, "; ") {
		if form, is := strings.CutSuffix(part, " everywhere"); is {
			all[everywhere] = form
			continue
		}
		form, endpoints, is := strings.Cut(part, " at ")
		if !is {
			return nil, false
		}
		for endpoint := range strings.SplitSeq(endpoints, ", ") {
			all[endpoint] = form
		}
	}
	return all, true
}
