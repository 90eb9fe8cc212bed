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

	"golang.org/x/sync/errgroup"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver/faults"
)

// sideBySide is how many servers are judged at the same time: mostly they wait,
// for what is gone to stay gone.
const sideBySide = 6

// TestEveryFaultIsBlamed is the proof: it judges the reference server with each
// of its faults. PROOF_FAULT, a pattern over names, narrows it while working on faults.
func TestEveryFaultIsBlamed(t *testing.T) {
	catalogue, err := conformance.LoadCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	all := faults.All()
	pattern := os.Getenv("PROOF_FAULT")
	if pattern != "" {
		all = slices.DeleteFunc(all, func(f faults.Fault) bool { ok, _ := path.Match(pattern, f.Name); return !ok })
	} else {
		coverage(t, catalogue, all)
	}
	var (
		mu   sync.Mutex
		rows []row
	)
	quick, slow := errgroup.Group{}, errgroup.Group{}
	quick.SetLimit(sideBySide)
	for _, fault := range all {
		group := &quick
		if rates(fault) {
			group = &slow // they wait for minutes to pass
		}
		group.Go(func() error {
			report, err := judged(t.Context(), order{Fault: fault.Name, RateLimits: rates(fault)})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			rows = append(rows, blame(fault, report))
			return nil
		})
	}
	for _, group := range []*errgroup.Group{&quick, &slow} {
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.fault.Rule, b.fault.Rule), cmp.Compare(a.fault.Name, b.fault.Name))
	})
	t.Logf("\n%-36s %-44s %-6s %s", "RULE", "FAULT", "BLAMED", "ALSO BLAMED")
	for _, r := range rows {
		t.Logf("%-36s %-44s %-6v %s", r.fault.Rule, r.fault.Name, r.blamed, strings.Join(r.also, ", "))
	}
	for _, r := range rows {
		for _, problem := range r.problems {
			t.Errorf("fault %s: %s", r.fault.Name, problem)
		}
	}
}

func rates(f faults.Fault) bool { return strings.HasPrefix(f.Rule, "limits.rate.") }

// coverage sees that every rule that can be broken has a fault that breaks it.
func coverage(t *testing.T, catalogue *conformance.Catalogue, all []faults.Fault) {
	names := map[string]bool{}
	broken := map[string]bool{}
	for _, f := range all {
		if names[f.Name] {
			t.Errorf("two faults are called %s", f.Name)
		}
		names[f.Name], broken[f.Rule] = true, true
		if rule, ok := catalogue.Rule(f.Rule); !ok || rule.Level == conformance.Choice {
			t.Errorf("fault %s breaks %s, which is no rule that can be broken", f.Name, f.Rule)
		}
	}
	for _, rule := range catalogue.Rules() {
		if rule.Level != conformance.Choice && !broken[rule.ID] {
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
}

// blame holds a report against the fault that its server had.
func blame(fault faults.Fault, report *conformance.Report) row {
	r := row{fault: fault}
	declared := map[string]bool{}
	for _, also := range fault.Also {
		declared[also.Rule] = true
	}
	for _, rule := range report.Rules {
		broken := rule.Status == conformance.Fail || rule.Status == conformance.Warn
		switch {
		case rule.ID == fault.Rule:
			r.blamed = rule.Status == conformance.Fail || rule.Status == conformance.Warn && rule.Level == conformance.Should
		case broken:
			r.also = append(r.also, rule.ID)
			if !declared[rule.ID] {
				r.problems = append(r.problems, fmt.Sprintf("also blames %s: %s", rule.ID, messages(rule)))
			}
		case rule.Status == conformance.Error:
			r.problems = append(r.problems, fmt.Sprintf("leaves %s unjudged: %s", rule.ID, messages(rule)))
		}
	}
	if !r.blamed {
		r.problems = append(r.problems, "goes unnoticed by "+fault.Rule)
	}
	return r
}

func messages(rule conformance.RuleReport) string {
	var all []string
	for _, check := range rule.Checks {
		if check.Status != conformance.Pass && check.Status != conformance.Skipped {
			all = append(all, check.Endpoint+": "+check.Message)
		}
	}
	return strings.Join(all, " | ")
}
