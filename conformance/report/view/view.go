// Package view makes of a report what people read of it, the same in every format: rules by outcome, counts,
// groups, stories and the commands to run again.
package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// View is a report as people read it, the same in every format: each rule is in one section,
// that of its outcome, so that all counts agree. Its texts are cleaned, bounded and one line
// each; bodies and commands are made when a writer asks for them.
type View struct {
	Report     *result.Report
	Verdict    Verdict
	Target     string
	Facts      []Fact
	Notes      []string
	Tallies    []Tally
	Statuses   []result.Status // those of the tallies, in their order
	Rules      []*Rule         // in the catalogue's order
	Sections   []*Section      // the outcomes other than pass, the worst first; none is empty
	Endpoints  []Endpoint
	Parts      []*Part
	Exercised  *Exercised // nil where the report is not on a client
	Choices    []Choice
	Drift      []Drift // the choices that differ from the previous report
	Waivers    []Waiver
	WaiverSums string
	Commands   Commands
	Index      EndpointIndex
}

// Fact is a name and a value about a run.
type Fact struct{ Name, Value string }

// New makes the view of a report.
func New(r *result.Report, o Options) *View {
	v := &View{Report: r, Target: plain.Short(r.Target.BaseURL), Commands: newCommands(r, o), Index: newEndpointIndex(r)}
	for i := range r.Rules {
		v.Rules = append(v.Rules, v.rule(r, &r.Rules[i]))
	}
	v.Statuses, v.Tallies = talliesOf(v.Rules)
	v.Sections = v.sections(r)
	v.Endpoints = endpointsOf(r)
	v.Parts = v.parts()
	v.Exercised = exercisedOf(r)
	v.Choices = v.choices(r.Choices)
	if last := o.Last; last != nil && SameTarget(last.Target.BaseURL, r.Target.BaseURL) {
		v.Drift = v.drift(result.Compare(o.Last, r).Drift)
	}
	v.Waivers, v.WaiverSums = v.waivers(r.Waivers)
	v.Verdict = v.verdict(r)
	v.Facts = factsOf(r)
	for _, note := range r.Notes {
		v.Notes = append(v.Notes, plain.Short(note))
	}
	return v
}

// settingsTold lists settings as flags.
func settingsTold(settings map[string]string) string {
	var told []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		told = append(told, plain.Short("--"+name+"="+settings[name]))
	}
	return strings.Join(told, ", ")
}

func factsOf(r *result.Report) []Fact {
	checks := 0
	for _, n := range r.Summary.Checks {
		checks += n
	}
	gate := "a broken must"
	if r.FailOn == rules.Should {
		gate = "a broken must or should"
	}
	facts := []Fact{
		{"started", r.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")},
		{"duration", tenths(r.DurationMS)},
		{"requests", requests(r.Summary.Requests)},
		{"rules", fmt.Sprintf("%d, with %s", len(r.Rules), result.Plural(checks, "check"))},
		{"fails on", gate},
		{"seed", fmt.Sprint(r.Seed)},
		{"judge", "version " + cmp.Or(plain.Short(r.Tool.String()), "unknown") + " of conform"},
	}
	if len(r.Tool.Settings) > 0 {
		facts = append(facts, Fact{"settings", settingsTold(r.Tool.Settings)})
	}
	if r.JudgedAgain != nil {
		facts = append(facts, Fact{"again", plain.Short(r.JudgedAgain.String())})
	}
	if r.Implementation != nil {
		facts = append(facts, Fact{"server", plain.Short(r.Implementation.String())})
	}
	if r.Claims != nil {
		facts = append(facts, Fact{"claims", plain.Short(claimsTold(r.Claims))})
	}
	if r.Repeats > 1 {
		facts = append(facts, Fact{"played", fmt.Sprintf("in %d repeats", r.Repeats)})
	}
	if r.Shard != nil {
		facts = append(facts, Fact{"part", r.Shard.String() + " of the scenarios, for conform merge"})
	}
	if r.Missing != "" {
		facts = append(facts, Fact{"missing", plain.Short(r.Missing)})
	}
	if r.Weather != nil {
		facts = append(facts, Fact{"retries", r.Weather.String()})
	}
	if r.WatchedMS > 0 {
		facts = append(facts, Fact{"deletions", "re-checked after " + tenths(r.WatchedMS) + " at least (--hold)"})
	}
	if r.Jobs > 0 {
		facts = append(facts, Fact{"jobs", fmt.Sprintf("up to %d at the same time, chosen by how the target answered (--jobs auto)", r.Jobs)})
	}
	if d := r.Stories; d != nil && d.Requests > 0 {
		facts = append(facts, Fact{"drawn", fmt.Sprintf("stories of %s, which covered %d states and values", result.Plural(d.Requests, "request"), d.Covered)})
	}
	if d := r.Stories; d != nil && d.Kept != nil {
		facts = append(facts, Fact{"corpus", keptStories(d.Kept)})
	}
	if d := r.Stories; d != nil && d.NoneSince != "" {
		facts = append(facts, Fact{"drawn", "no story: " + plain.Short(d.NoneSince)})
	}
	return facts
}

// claimsTold says which endpoints, and which parts, are claimed.
func claimsTold(c *result.Claims) string {
	told := c.String() + ": " + Numbered(c.Endpoints)
	if len(c.Parts) > 0 {
		told += "; " + strings.Join(c.Parts, ", ")
	}
	return told
}

// keptStories says what became of the stories that earlier runs have kept.
func keptStories(k *result.KeptStories) string {
	told := fmt.Sprintf("%d kept, %d played, of which %d showed a difference again", k.Of, k.Played, k.Showed)
	if k.Apart > 0 {
		told += fmt.Sprintf("; %d not, for lack of a second app token", k.Apart)
	}
	if left := k.Of - k.Played - k.Apart; left > 0 {
		told += fmt.Sprintf("; %d not to the end", left)
	}
	return told
}

// Fact is the value of a fact by its name, "" where the run has none.
func (v *View) Fact(name string) string {
	for _, f := range v.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func tenths(ms int64) string {
	return (time.Duration(ms) * time.Millisecond).Round(100 * time.Millisecond).String()
}

// requests counts them by method, the most frequent first.
func requests(by map[string]int) string {
	methods := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b))
	})
	total := 0
	for i, method := range methods {
		total += by[method]
		methods[i] = fmt.Sprintf("%s %d", method, by[method])
	}
	if total == 0 {
		return "none"
	}
	return plain.Short(fmt.Sprintf("%d (%s)", total, strings.Join(methods, ", ")))
}

// Tally counts the rules of a level by outcome.
type Tally struct {
	Level rules.Level // "all" for those of every level
	N     map[result.Status]int
	All   int
}

// talliesOf counts by level, and then all rules. Levels without rules are left out, and so
// are outcomes that only some runs can have, where they do not occur.
func talliesOf(all []*Rule) ([]result.Status, []Tally) {
	var tallies []Tally
	for _, level := range []rules.Level{rules.Must, rules.Should, rules.Choice, "all"} {
		t := Tally{Level: level, N: map[result.Status]int{}}
		for _, rule := range all {
			if rule.Level == level || level == "all" {
				t.N[rule.Status]++
				t.All++
			}
		}
		if t.All > 0 {
			tallies = append(tallies, t)
		}
	}
	statuses := []result.Status{result.Pass, result.Warn, result.Fail, result.Blocked, result.Error, result.Observed, result.Skipped}
	for _, rare := range []result.Status{result.Unstable, result.Waived} {
		if len(tallies) > 0 && tallies[len(tallies)-1].N[rare] > 0 {
			statuses = append(statuses, rare)
		}
	}
	return statuses, tallies
}

// Options are the names that commands in any format contain, and what a report is compared with.
type Options struct {
	// Report is the path of the JSON report, for commands to name; "" for none.
	Report string
	// Replayed is the path of the JSON report whose scenarios and stories were played again, for
	// commands to name where there is no Report; "" for none.
	Replayed string
	Last     *result.Report // the previous report; nil for none
	// Program is the name that the program was called by, for commands; "" is conform.
	Program string
}
