package proof_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

// TestSecondOrder judges the reference server with faults that show under certain
// circumstances only, and tells how many are found, by kind. It tries one in
// SECOND_ORDER_SHARES of them, those whose turn PROOF_TURN says, so that some turns in a
// row try all; PROOF_FAULT, a pattern over names, narrows it further.
// SECOND_ORDER_DEEP, a duration, has each judged so long, or until something fails, and to the
// end where the first that failed is not the fault's rule: runs without --fail-fast tell both.
// SECOND_ORDER_SEED says by what seed, SECOND_ORDER_AT_ONCE how many of them at once: each waits
// for a part of its time. Of one in SECOND_ORDER_SCRIPTS the script is tried that its report gives,
// and the stories are played where there is no fault.
func TestSecondOrder(t *testing.T) {
	t.Parallel()
	atOnce := fromEnvironment(t, "SECOND_ORDER_AT_ONCE", 12)
	chosen := shareOf(t, faults.SecondOrder())
	deep, err := time.ParseDuration(cmp.Or(os.Getenv("SECOND_ORDER_DEEP"), "0s"))
	must(t, err)
	seed := fromEnvironment(t, "SECOND_ORDER_SEED", 1)
	scripts := fromEnvironment(t, "SECOND_ORDER_SCRIPTS", 4)
	judges := startJudges(t, atOnce)
	tables := map[faults.Kind]*kills{}
	var mu sync.Mutex
	var rows []kill
	var group errgroup.Group
	for i, fault := range chosen {
		o := order{Fault: fault.Name, Seed: int64(seed), Deep: deep}
		if i%scripts == 0 {
			o.Reproduce = fault.Rule
		}
		group.Go(func() error {
			k, err := killOf(judges, fault, o)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			rows = append(rows, k)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	all := &kills{}
	slices.SortFunc(rows, func(a, b kill) int { return cmp.Compare(a.fault.Name, b.fault.Name) })
	for _, k := range rows {
		if tables[k.fault.Kind] == nil {
			tables[k.fault.Kind] = &kills{}
		}
		tables[k.fault.Kind].add(k)
		all.add(k)
		if !k.alone {
			t.Logf("%-56s %-34s %s", k.fault.Name, k.fault.Rule, cmp.Or(k.others(), "slips through"))
		}
		if k.rightly && k.script.Tried && !k.script.tells() {
			t.Logf("%-56s %s", k.fault.Name, k.script.problems(k.fault))
		}
		for _, each := range k.script.accusations() {
			t.Errorf("%s: %s", k.fault.Name, each)
		}
	}
	t.Logf("%-12s %s", "KIND", all.header())
	for _, kind := range []faults.Kind{faults.Data, faults.Endpoint, faults.Input, faults.Sequence, faults.Scale, faults.Repetition, faults.Concurrency, faults.Time} {
		if tables[kind] != nil {
			t.Logf("%-12s %s", kind, tables[kind])
		}
	}
	t.Logf("%-12s %s", "all", all)
	if os.Getenv("PROOF_FAULT") == "" && !all.enough() {
		t.Errorf("of %d faults %d are found, %d of them rightly", all.tried, all.killed, all.rightly)
	}
}

// enough reports whether so many are found, and blamed on their rule, as is to be expected:
// less of a share, which may be an unlucky one, than of all.
func (k *kills) enough() bool {
	const many = 200
	killed, rightly := 25, 75 // in a hundred
	if k.tried >= many {
		killed, rightly = 65, 90
	}
	return k.killed*100 >= k.tried*killed && k.rightly*100 >= k.killed*rightly
}

// shareOf are the faults whose turn it is.
func shareOf(t *testing.T, all []faults.Fault) []faults.Fault {
	shares, turn := fromEnvironment(t, "SECOND_ORDER_SHARES", 32), fromEnvironment(t, "PROOF_TURN", 0)
	var chosen []faults.Fault
	for i, f := range all {
		if i%shares == turn%shares && matches(os.Getenv("PROOF_FAULT"), f.Name) {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

// kill is a fault with what a run made of it.
type kill struct {
	fault    faults.Fault
	blamed   []string // rules, the drawn stories' with a *
	rightly  bool     // the fault's own rule is blamed
	alone    bool     // and none but what it breaks of necessity
	requests map[string]int
	took     time.Duration
	told     []int // requests of each drawn story that is told with what it found
	script   reproduction
}

// killOf judges the server of an order, and again to the end if it ended at the failure of
// another rule: what that took and sent does not count.
func killOf(judges *judges, fault faults.Fault, o order) (kill, error) {
	v, err := judges.verdict(o)
	if err != nil {
		return kill{}, err
	}
	first := killBy(fault, v)
	if o.Deep == 0 || first.rightly || len(first.blamed) == 0 {
		return first, nil
	}
	o.ToTheEnd = true
	if v, err = judges.verdict(o); err != nil {
		return kill{}, err
	}
	if last := killBy(fault, v); len(last.blamed) > 0 {
		first.blamed, first.rightly, first.alone = last.blamed, last.rightly, last.alone
	}
	return first, nil
}

func killBy(fault faults.Fault, v verdict) kill {
	report := v.Report
	k := kill{fault: fault, script: v.Reproduction, alone: true, requests: report.Summary.Requests, took: time.Duration(report.DurationMS) * time.Millisecond}
	for _, rule := range report.Rules {
		if rule.Status != result.Fail && rule.Status != result.Warn && rule.Status != result.Unstable {
			continue
		}
		name := rule.ID
		if rule.Status == result.Unstable {
			name += "(unstable)"
		}
		if i := slices.IndexFunc(rule.Checks, func(c result.Check) bool { return c.Drawn && c.Status == rule.Status }); i >= 0 {
			name += "*"
			if r := rule.Checks[i].Reproduction; r != nil {
				k.told = append(k.told, len(r.Steps))
			}
		}
		k.blamed = append(k.blamed, name)
		k.rightly = k.rightly || rule.ID == fault.Rule
		if rule.ID != fault.Rule && !slices.ContainsFunc(fault.Also, func(u faults.Unavoidable) bool { return u.Rule == rule.ID }) {
			k.alone = false
		}
	}
	k.alone = k.alone && k.rightly
	return k
}

// others are the rules that were blamed where the fault's own was not.
func (k kill) others() string {
	if len(k.blamed) == 0 {
		return ""
	}
	return fmt.Sprint(k.blamed)
}

// kills adds up.
type kills struct {
	tried, killed, rightly, alone, most int
	scripts, tell                       int // of what is found rightly
	longest                             time.Duration
	took                                []time.Duration
	told                                []int
}

func (k *kills) add(each kill) {
	k.tried++
	if len(each.blamed) > 0 {
		k.killed++
	}
	if each.rightly {
		k.rightly++
	}
	if each.alone {
		k.alone++
	}
	if each.rightly && each.script.Tried {
		k.scripts++
		if each.script.tells() {
			k.tell++
		}
	}
	k.took = append(k.took, each.took)
	k.told = append(k.told, each.told...)
	writes := each.requests["POST"] + each.requests["PUT"]
	k.most = max(k.most, writes, each.requests["GET"], each.requests["DELETE"])
	k.longest = max(k.longest, each.took)
}

func (k *kills) header() string {
	return "TRIED KILLED RIGHTLY ALONE  MOST REQUESTS  MEDIAN TIME  SCRIPTS TELL  MEDIAN STORY"
}

func (k *kills) String() string {
	slices.Sort(k.took)
	slices.Sort(k.told)
	story := "-"
	if n := len(k.told); n > 0 {
		story = fmt.Sprintf("%d requests, of %d stories", k.told[n/2], n)
	}
	return fmt.Sprintf("%5d %6d %7d %5d  %13d  %11s  %7d %4d  %s", k.tried, k.killed, k.rightly, k.alone, k.most, k.took[len(k.took)/2].Round(10*time.Millisecond), k.scripts, k.tell, story)
}
