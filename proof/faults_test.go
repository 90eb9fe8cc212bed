package proof_test

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

// sideBySide is how many servers are judged at the same time: mostly they wait,
// until deletions are re-checked.
const sideBySide = 8

// TestEveryFaultIsBlamed is the proof: it judges the reference server with each
// of its faults. PROOF_FAULT, a pattern over names, and PROOF_RULE, one over rules,
// narrow it while working on faults; PROOF_QUICK=1 tries one fault for each rule, none of
// those that wait for minutes to pass, and judges each once. PROOF_TURN tries one in eight, PROOF_SEED by
// another seed than 1.
func TestEveryFaultIsBlamed(t *testing.T) {
	t.Parallel()
	catalogue := rules.Load()
	all := faults.All()
	coverage(t, catalogue, all)
	shares, seed := sharesOf(t), int64(fromEnvironment(t, "PROOF_SEED", 1))
	if all = narrowed(all); len(all) == 0 {
		t.Fatal("no fault is called so, or breaks such a rule: refserver --list-faults lists them")
	}
	all = slices.DeleteFunc(all, func(f faults.Fault) bool { return !shares.judged(f) })
	rows := proveAll(t, all, shares, seed)
	t.Logf("\n%-36s %-44s %-6s %-6s %-6s %-10s %s", "RULE", "FAULT", "BLAMED", "STABLE", "SHOWN", "REPRODUCED", "ALSO BLAMED")
	for _, r := range rows {
		t.Logf("%-36s %-44s %-6v %-6s %-6s %-10s %s", r.fault.Rule, r.fault.Name, r.blamed, r.stable, r.shown, r.reproduction, strings.Join(r.also, ", "))
	}
	t.Log(addedUp(rows))
	enoughProven(t, rows)
	for _, r := range rows {
		for _, problem := range r.once {
			t.Logf("fault %s, at the first of two times: %s", r.fault.Name, problem)
		}
		for _, lack := range r.unproven {
			t.Logf("fault %s: %s", r.fault.Name, lack)
		}
		for _, problem := range r.problems {
			t.Errorf("fault %s: %s", r.fault.Name, problem)
		}
	}
}

// proveAll judges the server with each fault, side by side, and returns the rows by rule.
func proveAll(t *testing.T, all []faults.Fault, shares shares, seed int64) []row {
	t.Helper()
	var (
		mu   sync.Mutex
		rows []row
	)
	slow := slices.DeleteFunc(slices.Clone(all), func(f faults.Fault) bool { return !rates(f) })
	quickly, patiently := startJudges(t, sideBySide), startJudges(t, len(slow)) // who wait for minutes to pass
	var group errgroup.Group
	for _, fault := range all {
		judges := quickly
		if rates(fault) {
			judges = patiently
		}
		group.Go(func() error {
			o := order{Fault: fault.Name, RateLimits: rates(fault), Seed: seed}
			if shares.reproduced(fault) {
				o.Reproduce = fault.Rule
			}
			r, err := judges.prove(fault, o, shares)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			rows = append(rows, r)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.fault.Rule, b.fault.Rule), cmp.Compare(a.fault.Name, b.fault.Name))
	})
	return rows
}

// prove judges the server with a fault, and sees what the shares ask of it. Where a problem
// shows, it judges a second time: what that does not show is a verdict that wanders, of
// which enoughProven says how many there may be.
func (j *judges) prove(fault faults.Fault, o order, shares shares) (row, error) {
	v, err := j.verdict(o)
	if err != nil {
		return row{}, err
	}
	r := blame(fault, v.Report)
	if len(r.problems) > 0 {
		again, err := j.judged(order{Fault: o.Fault, RateLimits: o.RateLimits, Seed: o.Seed})
		if err != nil {
			return row{}, err
		}
		if second := blame(fault, again); len(second.problems) == 0 {
			second.once = r.problems
			r = second
		}
	}
	if r.reproduction = v.Reproduction; o.Reproduce != "" {
		r.unproven = append(r.unproven, r.reproduction.problems(fault)...)
		r.problems = append(r.problems, r.reproduction.accusations()...)
	}
	if !shares.repeated(fault) {
		return r, nil
	}
	if r.wandering, err = j.wandering(o, v.Report); err != nil {
		return row{}, err
	}
	r.stable = verdictOf(len(r.wandering) == 0)
	r.unproven = append(r.unproven, r.wandering...)
	return r, nil
}

// narrowed are the faults that the environment asks for: all unless it says otherwise.
func narrowed(all []faults.Fault) []faults.Fault {
	tried := map[string]bool{}
	return slices.DeleteFunc(all, func(f faults.Fault) bool {
		quick := os.Getenv("PROOF_QUICK") != ""
		out := !matches(os.Getenv("PROOF_FAULT"), f.Name) || !matches(os.Getenv("PROOF_RULE"), f.Rule) ||
			quick && (tried[f.Rule] || rates(f))
		tried[f.Rule] = tried[f.Rule] || !out
		return out
	})
}

// matches reports whether a name is one of those that patterns, with commas between
// them, ask for: none asks for all.
func matches(patterns, name string) bool {
	return patterns == "" || slices.ContainsFunc(strings.Split(patterns, ","), func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

func rates(f faults.Fault) bool { return strings.HasPrefix(f.Rule, "limits.rate.") }

// coverage sees that every rule that can be broken has a fault that breaks it.
func coverage(t *testing.T, catalogue *rules.Catalogue, all []faults.Fault) {
	names := map[string]bool{}
	broken := map[string]bool{}
	for _, f := range all {
		if names[f.Name] {
			t.Errorf("two faults are called %s", f.Name)
		}
		names[f.Name], broken[f.Rule] = true, true
		if rule, ok := catalogue.Rule(f.Rule); !ok || rule.Level == rules.Choice {
			t.Errorf("fault %s breaks %s, which is no rule that can be broken", f.Name, f.Rule)
		}
	}
	for _, rule := range catalogue.Rules() {
		if rule.Level != rules.Choice && !broken[rule.ID] && rule.Part() != rules.RestartsPart { // whose faults are of how a file is kept
			t.Errorf("no fault breaks %s", rule.ID)
		}
	}
}

// row is one fault with what the judge made of it.
type row struct {
	fault    faults.Fault
	blamed   bool
	also     []string
	problems []string
	once     []string // problems that a second judgement did not show: counted, and bounded by enoughProven
	unproven []string // what the latter columns lack: counted, and bounded by enoughProven

	shown        answer // whether the report names the exchange that decided
	stable       answer // whether it comes out the same whatever the seed and the number of jobs
	wandering    []string
	reproduction reproduction
}

// blame holds a report against the fault that its server had.
func blame(fault faults.Fault, report *result.Report) row {
	r := row{fault: fault}
	declared := map[string]bool{}
	for _, also := range fault.Also {
		declared[also.Rule] = true
	}
	for _, rule := range report.Rules {
		broken := rule.Status == result.Fail || rule.Status == result.Warn
		switch {
		case rule.ID == fault.Rule:
			r.shown = verdictOf(decided(rule))
			r.blamed = rule.Status == result.Fail || rule.Status == result.Warn && rule.Level == rules.Should
		case broken:
			r.also = append(r.also, rule.ID)
			if !declared[rule.ID] {
				r.problems = append(r.problems, fmt.Sprintf("also blames %s: %s", rule.ID, messages(rule)))
			}
		case rule.Status == result.Error:
			r.problems = append(r.problems, fmt.Sprintf("leaves %s unjudged: %s", rule.ID, messages(rule)))
		}
	}
	r.problems = append(r.problems, misplaced(report)...)
	r.problems = append(r.problems, speechless(report)...)
	if r.blamed && r.shown != yes {
		r.problems = append(r.problems, "the report does not name the exchange that decided")
	}
	for _, e := range report.Endpoints {
		if e.Missing() && fault.Name != "versions-under-a-version" { // where it is not
			r.problems = append(r.problems, fmt.Sprintf("is told as if %s %s were not implemented", e.Method, e.Path))
		}
	}
	if !r.blamed {
		r.problems = append(r.problems, "goes unnoticed by "+fault.Rule+whyNot(report, fault.Rule))
	}
	return r
}

// whyNot says what came of a rule that was not judged, blank where it was.
func whyNot(report *result.Report, id string) string {
	for _, rule := range report.Rules {
		if rule.ID == id && rule.Status != result.Pass {
			return fmt.Sprintf(", which is %s: %s", rule.Status, messages(rule))
		}
	}
	return ""
}

func messages(rule result.Rule) string {
	var all []string
	for _, check := range rule.Checks {
		if check.Status != result.Pass && check.Status != result.Skipped {
			all = append(all, check.Endpoint+": "+check.Message)
		}
	}
	return strings.Join(all, " | ")
}
