package result

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/clean"
	"go.yaml.in/yaml/v3"
)

// DraftWaivers is the smallest file of waivers under which a run that comes out like the report
// has no failure left: those that hold already, and new ones, up to the given day, whose reasons
// are still to be written. A rule that fails in all of its checks gets one waiver, another one
// for each endpoint where it does; where one HTTP status decided them all, for that one alone.
// What was unstable is waived as intermittent. What could not be judged for other reasons than a
// failure is not for waiving.
func DraftWaivers(r *Report, expires time.Time) Waivers {
	r.nameRootCauses()
	drafted := Waivers{}
	for _, w := range r.Waivers {
		if !w.State.Gates() {
			drafted = append(drafted, w.Waiver)
		}
	}
	for _, rule := range r.Rules {
		wanted := func(c Check) bool { return r.Gates(rule.Level, c.Status) }
		drafted = append(drafted, draftFor(rule, "", expires, wanted)...)
		unstable := draftFor(rule, "", expires, func(c Check) bool { return c.Status == Unstable })
		for i := range unstable {
			unstable[i].Intermittent, unstable[i].Answer = true, 0
		}
		drafted = append(drafted, unstable...)
		wanted = func(c Check) bool { return c.Status == Blocked && !r.broken(c.BlockedBy) }
		drafted = append(drafted, draftFor(rule, Blocked, expires, wanted)...)
	}
	return drafted
}

// draftFor makes the waivers for the checks of a rule that are wanted.
func draftFor(rule Rule, status Status, expires time.Time, wanted func(Check) bool) []Waiver {
	all, endpoints := true, []string{}
	for _, c := range rule.Checks {
		switch {
		case wanted(c):
			if !slices.Contains(endpoints, c.Endpoint) {
				endpoints = append(endpoints, c.Endpoint)
			}
		case c.Status != Skipped && c.Status != Observed:
			all = false
		}
	}
	if len(endpoints) == 0 {
		return nil
	}
	if all || slices.Contains(endpoints, "") { // what is tied to no endpoint has no narrower name
		endpoints = []string{""}
	}
	var drafted []Waiver
	for _, endpoint := range endpoints {
		drafted = append(drafted, Waiver{Rule: rule.ID, Endpoint: endpoint, Status: status, Answer: answerOf(rule, endpoint, wanted),
			Reason: unwritten + ": why is this accepted for now?", Expires: expires.UTC().Format(time.DateOnly)})
	}
	return drafted
}

// answerOf is the HTTP status that decided every check that a waiver is for, 0
// where there is no such one. What is judged on every exchange is decided by the
// first that broke it, which the order of a run can change.
func answerOf(rule Rule, endpoint string, wanted func(Check) bool) int {
	answer := 0
	for _, c := range rule.Checks {
		if !wanted(c) || endpoint != "" && c.Endpoint != endpoint {
			continue
		}
		is := c.Answered()
		if is == 0 || c.Broken > 0 || answer != 0 && is != answer {
			return 0
		}
		answer = is
	}
	return answer
}

// Write writes the waivers as the YAML that ReadWaivers reads.
func (ws Waivers) Write(w io.Writer) error {
	var err error
	if len(ws) == 0 { // which the encoder writes without an end of line
		_, err = io.WriteString(w, "[]\n")
	} else {
		err = ws.encode(w)
	}
	if err != nil {
		return fmt.Errorf("writing the waivers: %w", err)
	}
	return nil
}

func (ws Waivers) encode(w io.Writer) error {
	var list yaml.Node
	if err := list.Encode(ws); err != nil {
		return err
	}
	for _, waiver := range list.Content {
		for _, text := range waiver.Content {
			if clean.NeedsQuotes(text.Value) {
				text.Style = yaml.DoubleQuotedStyle
			}
		}
	}
	lines := clean.NewWriter(w, clean.YAML)
	encoder := yaml.NewEncoder(lines)
	encoder.SetIndent(2)
	return cmp.Or(encoder.Encode(&list), encoder.Close(), lines.Flush())
}
