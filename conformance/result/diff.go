package result

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// diffSchema names the format of a Diff. Within it, keys are added but never renamed.
const diffSchema = "conform.diff/v1"

// Diff is what became different between two reports, rule by rule and endpoint by
// endpoint, in the catalogue's order. A waived deviation counts as what it is.
type Diff struct {
	Schema   string   `json:"schema"`
	Old      Side     `json:"old"`
	New      Side     `json:"new"`
	Broken   []Change `json:"newly_broken"`
	Mended   []Change `json:"mended"`
	Judged   []Change `json:"newly_judged"`
	Unjudged []Change `json:"no_longer_judged"`
	Drift    []Drift  `json:"changed_choices"`
	Traffic  *Traffic `json:"traffic,omitempty"` // nil where a report did not keep all of its exchanges
	Upgrade  *Upgrade `json:"upgrade,omitempty"` // nil where none was tried
}

// Side says which report one of the two is.
type Side struct {
	BaseURL   string    `json:"base_url"`
	Version   string    `json:"version"` // of the judge
	StartedAt time.Time `json:"started_at"`
	Verdict   Verdict   `json:"verdict"`
}

// Change is a rule at an endpoint that comes out differently. A status is empty
// where a report has no check of it.
type Change struct {
	Rule     string      `json:"rule"`
	Level    rules.Level `json:"level"`
	Endpoint string      `json:"endpoint"` // method and path, "" where tied to none
	Old      Status      `json:"old"`
	New      Status      `json:"new"`
	Message  string      `json:"message"`          // what the new check says or, where that is nothing, what the old one said
	Waived   bool        `json:"waived,omitempty"` // the new run waives it
	Gates    bool        `json:"gates"`            // it makes the target non-conformant, and did not before
}

// Drift is a choice that the target now makes differently. The contract promises that nothing
// changes within a version (Versioning, item 4), so clients may break.
type Drift struct {
	Rule     string `json:"rule"`
	Endpoint string `json:"endpoint"`
	Old      string `json:"old"`
	New      string `json:"new"`
}

// Compare returns what is different between an old report and a new one. A passive rule passes
// wherever no response broke it, as long as the run judges it at all.
func Compare(old, now *Report) *Diff {
	d := &Diff{Schema: diffSchema, Old: side(old), New: side(now),
		Broken: []Change{}, Mended: []Change{}, Judged: []Change{}, Unjudged: []Change{}, Drift: []Drift{}}
	before, after := standingsOf(old), standingsOf(now)
	for _, at := range places(now, old) {
		was, is := before.at[at], after.at[at]
		if before.passive[at.rule] || after.passive[at.rule] {
			if was.status == "" && before.judged[at.rule] {
				was.status = Pass // nothing broke it there
			}
			if is.status == "" && after.judged[at.rule] && was.status == Pass {
				is.status = Pass
			}
		}
		d.compare(at, was, is, now)
	}
	d.Traffic = compareTraffic(old, now)
	return d
}

// Empty reports that there is no difference.
func (d *Diff) Empty() bool {
	return len(d.Broken)+len(d.Mended)+len(d.Judged)+len(d.Unjudged)+len(d.Drift) == 0 && d.Traffic.Empty() && d.Upgrade.Empty()
}

// Noticeable reports whether a client that worked may not any more: something is newly broken, a
// choice is another, a request is answered otherwise, or something that was there is not after an
// upgrade. What is mended, new or slower is not.
func (d *Diff) Noticeable() bool {
	return len(d.Broken)+len(d.Drift) > 0 || d.Traffic.Noticeable() || d.Upgrade.Noticeable()
}

// Regressed reports that something gates that did not before.
func (d *Diff) Regressed() bool {
	return slices.ContainsFunc(d.Broken, func(c Change) bool { return c.Gates })
}

// Lost reports that something could not be judged any more, though it was selected: whether it
// still works is not known.
func (d *Diff) Lost() bool {
	return slices.ContainsFunc(d.Unjudged, func(c Change) bool { return c.New != "" && c.New != Skipped })
}

func side(r *Report) Side {
	return Side{BaseURL: r.Target.BaseURL, Version: r.Tool.Version, StartedAt: r.StartedAt, Verdict: r.Verdict}
}

// place is a rule at an endpoint.
type place struct{ rule, endpoint string }

// standing is how a rule came out at an endpoint: as the worst of its checks.
type standing struct {
	status  Status
	level   rules.Level
	message string
	waived  bool
	answers []string // of a choice
}

// standings is how the rules of a report came out.
type standings struct {
	at      map[place]standing
	judged  map[string]bool // the rules that have an outcome anywhere
	passive map[string]bool // those judged on every response, which have checks where any was about them
}

func standingsOf(r *Report) standings {
	all := standings{map[place]standing{}, map[string]bool{}, map[string]bool{}}
	for rule, c := range r.EachCheck() {
		at := place{rule.ID, c.Endpoint}
		s, known := all.at[at]
		status := c.original()
		worse := !known || Worst([]Status{s.status, status}) != s.status
		if worse || status == s.status && s.waived && c.Waived == nil { // what nobody waives counts
			s.status, s.level, s.message, s.waived = status, rule.Level, c.Message, c.Waived != nil
		}
		if c.Status == Observed && !slices.Contains(s.answers, c.Message) {
			s.answers = append(s.answers, c.Message)
		}
		all.at[at] = s
		all.judged[rule.ID] = all.judged[rule.ID] || harm(status) != unknown
		all.passive[rule.ID] = all.passive[rule.ID] || c.Seen > 0
	}
	return all
}

// places lists where the rules of reports are judged: in the order of the first
// one, and then what only the others have.
func places(reports ...*Report) []place {
	var rules []string
	endpoints := map[string]map[string]int{}
	for _, r := range reports {
		for _, rule := range r.Rules {
			if endpoints[rule.ID] == nil {
				endpoints[rule.ID] = map[string]int{}
				rules = append(rules, rule.ID)
			}
			for _, c := range rule.Checks {
				at, _ := EndpointNamed(c.Endpoint)
				endpoints[rule.ID][c.Endpoint] = int(at)
			}
		}
	}
	var all []place
	for _, rule := range rules {
		numbers := endpoints[rule]
		for _, endpoint := range slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
			return cmp.Or(cmp.Compare(numbers[a], numbers[b]), cmp.Compare(a, b))
		}) {
			all = append(all, place{rule, endpoint})
		}
	}
	return all
}

func (d *Diff) compare(at place, before, after standing, now *Report) {
	change := Change{Rule: at.rule, Level: rules.Level(cmp.Or(string(after.level), string(before.level))), Endpoint: at.endpoint,
		Old: before.status, New: after.status, Message: after.message, Waived: after.waived}
	if change.Message == "" && before.message != "" {
		change.Message = "before: " + before.message
	}
	switch was, is := harm(before.status), harm(after.status); {
	case was == unknown && is == unknown:
	case was == unknown:
		d.Judged = append(d.Judged, change)
	case is == unknown:
		d.Unjudged = append(d.Unjudged, change)
	case is > was:
		change.Gates = !after.waived && now.Gates(after.level, after.status)
		d.Broken = append(d.Broken, change)
	case is < was:
		d.Mended = append(d.Mended, change)
	case after.status == Observed && before.status == Observed && !sameAnswers(before.answers, after.answers):
		d.Drift = append(d.Drift, Drift{at.rule, at.endpoint, strings.Join(before.answers, "; "), strings.Join(after.answers, "; ")})
	}
}

const unknown = -1

// harm orders what was judged, from none on; it is unknown where nothing was.
func harm(s Status) int {
	switch s {
	case Pass, Observed:
		return 0
	case Warn:
		return 1
	case Fail:
		return 2
	}
	return unknown
}

func sameAnswers(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
