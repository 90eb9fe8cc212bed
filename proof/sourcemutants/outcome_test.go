package sourcemutants

import (
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

func mutantsNamed(names ...string) []Mutant {
	var all []Mutant
	for i, name := range names {
		all = append(all, Mutant{Number: i + 1, Kind: Statement, File: "f.go", Function: "f", Before: name, After: "(left out)", Ordinal: 1})
	}
	return all
}

// TestASampleKeepsItsPlace: a mutant that comes or goes moves no other, and another seed draws others.
func TestASampleKeepsItsPlace(t *testing.T) {
	names := func(all []Mutant) (names []string) {
		for _, m := range all {
			names = append(names, m.Before)
		}
		return names
	}
	few := names(Sample(mutantsNamed("a", "b", "c", "d", "e", "f", "g", "h"), 7, 8))
	more := names(Sample(mutantsNamed("x", "a", "b", "c", "d", "y", "e", "f", "g", "h"), 7, 10))
	if left := slices.DeleteFunc(more, func(n string) bool { return n == "x" || n == "y" }); !slices.Equal(few, left) {
		t.Errorf("%v became %v", few, left)
	}
	if other := names(Sample(mutantsNamed("a", "b", "c", "d", "e", "f", "g", "h"), 8, 8)); slices.Equal(few, other) {
		t.Errorf("two seeds draw %v", few)
	}
	if n := len(Sample(mutantsNamed("a", "b"), 1, 9)); n != 2 {
		t.Errorf("%d of two are drawn", n)
	}
}

// TestWhatAReportMakesOfAMutant: a rule that fails or warns kills; a run without a verdict does not.
func TestWhatAReportMakesOfAMutant(t *testing.T) {
	rule := func(status result.Status) []result.Rule {
		return []result.Rule{{ID: "feed.order", Status: status, Checks: []result.Check{{Status: result.Pass, Endpoint: "GET /a"}, {Status: status, Endpoint: "GET /b"}}}}
	}
	for name, test := range map[string]struct {
		report   result.Report
		fate     Fate
		endpoint string
	}{
		"a failure":      {result.Report{Verdict: result.NonConformant, Rules: rule(result.Fail)}, Killed, "GET /b"},
		"a warning":      {result.Report{Verdict: result.Conformant, Rules: rule(result.Warn)}, Killed, "GET /b"},
		"green":          {result.Report{Verdict: result.Conformant, Rules: rule(result.Pass)}, Survived, ""},
		"no verdict":     {result.Report{Verdict: result.Incomplete, Rules: rule(result.Blocked)}, Undecided, ""},
		"only uncertain": {result.Report{Verdict: result.Incomplete, Rules: rule(result.Unstable)}, Undecided, ""},
	} {
		var o Outcome
		if o.read(&test.report, nil); o.Fate != test.fate || o.Endpoint != test.endpoint {
			t.Errorf("%s: %s at %q", name, o.Fate, o.Endpoint)
		}
	}
}

// TestTheRateCountsWhatIsNotExcused: what nobody classified is a miss, and so is a run without a verdict.
func TestTheRateCountsWhatIsNotExcused(t *testing.T) {
	m := mutantsNamed("killed", "deep", "excused", "missed", "unread", "undecided", "broken")
	outcomes := []Outcome{{Mutant: m[0], Fate: Killed}, {Mutant: m[1], Fate: Killed, Deep: 1}, {Mutant: m[2], Fate: Survived}, {Mutant: m[3], Fate: Survived},
		{Mutant: m[4], Fate: Survived}, {Mutant: m[5], Fate: Undecided}, {Mutant: m[6], Fate: Broken}}
	table := Table(outcomes, map[string]Class{m[2].Key(): Lawful, m[3].Key(): Miss})
	if want := "| all | 2 | 1 | 1 | 2 | 40.0 % | 0 | 0 | 1 | 0 | 1 | 1 |\n"; !strings.HasSuffix(table, want) {
		t.Errorf("%s\nwant the last line\n%s", table, want)
	}
}

// TestSurvivorsAreClassified: the file is read, and each entry has a class and a reason.
func TestSurvivorsAreClassified(t *testing.T) {
	if _, err := Classified(); err != nil {
		t.Error(err)
	}
	for name, test := range map[string]struct{ text, says string }{
		"an unknown class": {"- {mutant: a, class: fine, why: b}", `no class "fine"`},
		"no reason":        {"- {mutant: a, class: miss}", "no reason"},
		"twice":            {"- {mutant: a, class: miss, why: b}\n- {mutant: a, class: lawful, why: b}", "twice"},
		"an unknown field": {"- {mutant: a, kind: miss}", "field kind not found"},
	} {
		if _, err := classified([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
