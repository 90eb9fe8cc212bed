package result_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// reported is a report with one check for each rule and status, such as
// "feed.order fail"; an answer may follow.
func reported(lines ...string) *result.Report {
	r := &result.Report{FailOn: rules.Must}
	for _, line := range lines {
		id, rest, _ := strings.Cut(line, " ")
		status, message, _ := strings.Cut(rest, " ")
		c := result.Check{Endpoint: rules.Feed.String(), Status: result.Status(status), Message: message}
		if status == string(result.Waived) {
			c.Waived = &result.Accepted{Status: result.Status(message)}
		}
		level := rules.Must
		if strings.HasPrefix(id, "should.") {
			level = rules.Should
		}
		r.Rules = append(r.Rules, result.Rule{ID: id, Level: level, Status: c.Status, Checks: []result.Check{c}})
	}
	return r
}

// different lists what a Diff says, a line each.
func different(d *result.Diff) []string {
	var lines []string
	for _, kind := range []struct {
		name    string
		changes []result.Change
	}{{"broken", d.Broken}, {"mended", d.Mended}, {"judged", d.Judged}, {"unjudged", d.Unjudged}} {
		for _, c := range kind.changes {
			lines = append(lines, fmt.Sprintf("%s %s %s>%s gates=%t waived=%t", kind.name, c.Rule, c.Old, c.New, c.Gates, c.Waived))
		}
	}
	for _, c := range d.Drift {
		lines = append(lines, fmt.Sprintf("drift %s %s>%s", c.Rule, c.Old, c.New))
	}
	return lines
}

func TestDiffOfOneRule(t *testing.T) {
	for _, turn := range []struct{ old, now, want string }{
		{"a pass", "a pass", ""},
		{"a fail", "a fail", ""},
		{"a pass", "a fail", "broken a pass>fail gates=true waived=false"},
		{"a warn", "a fail", "broken a warn>fail gates=true waived=false"},
		{"should.a pass", "should.a warn", "broken should.a pass>warn gates=false waived=false"},
		{"a pass", "a waived fail", "broken a pass>fail gates=false waived=true"},
		{"a fail", "a waived fail", ""},
		{"a waived fail", "a fail", ""},
		{"a waived fail", "a pass", "mended a fail>pass gates=false waived=false"},
		{"a fail", "a warn", "mended a fail>warn gates=false waived=false"},
		{"a skipped", "a fail", "judged a skipped>fail gates=false waived=false"},
		{"a blocked", "a pass", "judged a blocked>pass gates=false waived=false"},
		{"b pass", "b pass|a pass", "judged a >pass gates=false waived=false"},
		{"a pass", "a blocked", "unjudged a pass>blocked gates=false waived=false"},
		{"a pass", "a unstable", "unjudged a pass>unstable gates=false waived=false"},
		{"a pass", "", "unjudged a pass> gates=false waived=false"},
		{"a error", "a blocked", ""},
		{"a observed there", "a observed there", ""},
		{"a observed there", "a observed not there", "drift a there>not there"},
		{"a skipped", "a observed there", "judged a skipped>observed gates=false waived=false"},
	} {
		old, now := reported(strings.Split(turn.old, "|")...), reported(strings.Split(turn.now, "|")...)
		d := result.Compare(old, now)
		if got := strings.Join(different(d), "; "); got != turn.want {
			t.Errorf("%s, then %s: %q, want %q", turn.old, turn.now, got, turn.want)
		}
		if d.Empty() != (turn.want == "") || d.Regressed() != strings.Contains(turn.want, "gates=true") {
			t.Errorf("%s, then %s: empty %t, regressed %t", turn.old, turn.now, d.Empty(), d.Regressed())
		}
		if lost := strings.HasSuffix(turn.now, "blocked") || strings.HasSuffix(turn.now, "unstable"); d.Lost() != (lost && turn.want != "") {
			t.Errorf("%s, then %s: lost %t", turn.old, turn.now, d.Lost())
		}
	}
}

func TestDiffGatesAsTheNewRunDoes(t *testing.T) {
	old, now := reported("should.a pass"), reported("should.a warn")
	now.FailOn = rules.Should
	if d := result.Compare(old, now); !d.Regressed() {
		t.Errorf("a should that gates is no regression: %+v", d.Broken)
	}
}

func TestDiffIsInTheCataloguesOrder(t *testing.T) {
	old := reported("c pass", "a pass", "gone pass", "b pass")
	now := reported("c fail", "a fail", "b fail")
	now.Rules[1].Checks = append(now.Rules[1].Checks, result.Check{Endpoint: rules.GetMe.String(), Status: result.Fail}, result.Check{Status: result.Fail})
	old.Rules[1].Checks = append(old.Rules[1].Checks, result.Check{Status: result.Pass}, result.Check{Endpoint: rules.GetMe.String(), Status: result.Pass})
	var got []string
	for _, c := range result.Compare(old, now).Broken {
		got = append(got, strings.TrimSpace(c.Rule+" "+c.Endpoint))
	}
	if want := []string{"c GET /0.2/user/feed", "a", "a GET /0.2/user", "a GET /0.2/user/feed", "b GET /0.2/user/feed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of failures at one endpoint of which one is waived, the other one gates.
func TestDiffOfWhatIsWaivedInPart(t *testing.T) {
	old, now := reported("a pass"), reported("a waived fail")
	now.Rules[0].Checks = append(now.Rules[0].Checks, result.Check{Endpoint: rules.Feed.String(), Status: result.Fail, Message: "in another way"})
	if d := result.Compare(old, now); !d.Regressed() || d.Broken[0].Waived || d.Broken[0].Message != "in another way" {
		t.Errorf("%+v", d.Broken)
	}
}

// A rule that is judged on every response has no check where none is about it:
// there it holds, as long as the run judges it at all.
func TestDiffOfAPassiveRule(t *testing.T) {
	const elsewhere = "a pass"                        // at the feed
	passive := func(lines ...string) *result.Report { // the rest at another endpoint
		r := reported(append([]string{elsewhere}, lines...)...)
		r.Rules[0].Checks[0].Seen = 1
		for _, rule := range r.Rules[1:] {
			rule.Checks[0].Endpoint, rule.Checks[0].Seen = rules.GetMe.String(), 1
			r.Rules[0].Checks = append(r.Rules[0].Checks, rule.Checks...)
		}
		r.Rules = r.Rules[:1]
		return r
	}
	none := reported("a skipped")
	for name, turn := range map[string]struct {
		old, now *result.Report
		want     string
	}{
		"seen no more":        {passive("a pass"), passive(), ""},
		"seen for once":       {passive(), passive("a pass"), ""},
		"broken for once":     {passive(), passive("a fail"), "broken a pass>fail gates=true waived=false"},
		"broken, then unseen": {passive("a fail"), passive(), "unjudged a fail> gates=false waived=false"},
		"not selected before": {none, passive("a pass"), "judged a >pass gates=false waived=false; judged a skipped>pass gates=false waived=false"},
	} {
		if got := strings.Join(different(result.Compare(turn.old, turn.now)), "; "); got != turn.want {
			t.Errorf("%s: %q, want %q", name, got, turn.want)
		}
	}
}

// The worst check of a rule at an endpoint stands for it.
func TestDiffOfSeveralScenarios(t *testing.T) {
	old, now := reported("a pass"), reported("a pass")
	now.Rules[0].Checks = append(now.Rules[0].Checks, result.Check{Endpoint: rules.Feed.String(), Status: result.Fail, Message: "it broke"})
	if d := result.Compare(old, now); len(d.Broken) != 1 || d.Broken[0].Message != "it broke" {
		t.Errorf("%+v", d)
	}
}
