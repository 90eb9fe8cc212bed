package proof_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/proof/matrix"
	"github.com/socialfeed/conform/refserver/faults"
)

// kill is a fault with what a run made of it.
type kill struct {
	fault    faults.Fault
	blamed   []string // rules, the drawn stories' with a *
	rightly  bool     // the fault's own rule is blamed
	alone    bool     // and none but what it breaks of necessity
	endpoint verdictOnEndpoint
	cell     matrix.Cell
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
		requests := first.cell.Requests
		first.blamed, first.rightly, first.alone, first.endpoint, first.cell = last.blamed, last.rightly, last.alone, last.endpoint, last.cell
		first.cell.Requests = requests
	}
	return first, nil
}

func killBy(fault faults.Fault, v verdict) kill {
	report := v.Report
	k := kill{fault: fault, cell: cellOf(fault, report), script: v.Reproduction, alone: true, requests: report.Summary.Requests, took: time.Duration(report.DurationMS) * time.Millisecond}
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
	k.endpoint = endpointRight(fault.Rule, report, v.Acts)
	return k
}

// cellOf is what the matrix keeps of a run.
func cellOf(fault faults.Fault, report *result.Report) matrix.Cell {
	cell := matrix.Cell{Seed: report.Seed, Result: matrix.Missed}
	for _, n := range report.Summary.Requests {
		cell.Requests += n
	}
	for _, rule := range report.Rules {
		if rule.Status != result.Fail && rule.Status != result.Warn && rule.Status != result.Unstable {
			continue
		}
		own := rule.ID == fault.Rule
		if !own && cell.Found() {
			continue
		}
		switch {
		case own && rule.Status == result.Unstable:
			cell.Result = matrix.Unstable
		case own:
			cell.Result = matrix.Right
		default:
			cell.Result = rule.ID
		}
		cell.Endpoint = endpointOf(rule, report)
		if own {
			break
		}
	}
	return cell
}

// endpointOf is the number of the endpoint at which a rule is broken first, 0 where it is none.
func endpointOf(rule result.Rule, report *result.Report) int {
	for _, check := range rule.Checks {
		if check.Status != rule.Status {
			continue
		}
		for _, e := range report.Endpoints {
			if e.Method+" "+e.Path == check.Endpoint {
				return e.Number
			}
		}
		break
	}
	return 0
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
	placed, misplaced                   int // of what is found rightly, and whose endpoint is known
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
	switch each.endpoint {
	case atTheRightEndpoint:
		k.placed++
	case atAnother:
		k.misplaced++
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
	return "TRIED KILLED RIGHTLY  ENDPOINT RIGHT  ALONE  MOST REQUESTS  MEDIAN TIME  SCRIPTS TELL  MEDIAN STORY"
}

func (k *kills) String() string {
	slices.Sort(k.took)
	slices.Sort(k.told)
	story := "-"
	if n := len(k.told); n > 0 {
		story = fmt.Sprintf("%d requests, of %d stories", k.told[n/2], n)
	}
	return fmt.Sprintf("%5d %6d %7d  %7d of %4d  %5d  %13d  %11s  %7d %4d  %s", k.tried, k.killed, k.rightly, k.placed, k.placed+k.misplaced, k.alone, k.most, k.took[len(k.took)/2].Round(10*time.Millisecond), k.scripts, k.tell, story)
}
