package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// maxTale is how long a tale is, in bytes, before its beginning is left out.
const maxTale = 200

// values match what a drawn story was sent, in its log.
var values = regexp.MustCompile(` with \{.*?(?:(; (?:user|in the|a session|endpoint) )|$)`)

// tale is a drawn story in short: who did what, and which step decides. The values are left
// out. Without the steps it is the story's log.
func tale(c *result.Check) string {
	seed, _, _ := strings.Cut(c.Scenario, ": ")
	s := StoryOf(&Check{Result: c})
	if s == nil || !strings.HasPrefix(seed, "drawn from ") {
		told := values.ReplaceAllString(c.Scenario, "$1")
		if strings.HasPrefix(told, "drawn from ") || strings.HasPrefix(told, result.StoryPrefix) || told == "" {
			return told
		}
		return told + " (seen in passing)" // a scenario, which is about something else
	}
	said := map[string]int{}
	var phrases []string
	for i, step := range s.Steps {
		what := step.What
		key := step.Who() + what
		said[key]++
		switch n := said[key]; {
		case n == 2:
			what += " again"
		case n > 2:
			what += " for the " + ordinal(n) + " time"
		}
		switch {
		case step.Decides && step.AtOnce:
			what = "; at the same time, which decides: " + step.Who() + " " + what
		case step.Decides:
			what = "; decides: " + step.Who() + " " + what
		case step.AtOnce:
			what = "; at the same time " + step.Who() + " " + what
		case i == 0 || s.Steps[i-1].Actor != step.Actor:
			what = "; " + step.Who() + " " + what
		default:
			what = ", " + what
		}
		phrases = append(phrases, what)
	}
	told, more := "", ""
	for _, phrase := range slices.Backward(phrases) {
		if len(told)+len(phrase) > maxTale {
			more = "… "
			break
		}
		told = phrase + told
	}
	return seed + ": " + more + strings.TrimLeft(told, ";, ")
}

func ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		ending = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	}
	if ending == "" {
		ending = "th"
	}
	return fmt.Sprint(n, ending)
}

// readable is the fields of a JSON object as a person writes them; any other body stays as
// it is.
func readable(body string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &fields) != nil {
		return body
	}
	const most = 60 // bytes of a value
	var told []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var text string
		if json.Unmarshal(fields[name], &text) != nil {
			text = unspelled(fields[name])
		}
		told = append(told, name+": "+plain.Cut(text, most))
	}
	return strings.Join(told, ", ")
}

// unspelled is a JSON value without escapes that it can do without.
func unspelled(value json.RawMessage) string {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if decoder.Decode(&v) != nil || encoder.Encode(v) != nil {
		return string(value)
	}
	return strings.TrimSpace(b.String())
}
