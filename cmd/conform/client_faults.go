package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/socialfeed/conform/refserver/twin"
	"golang.org/x/sync/errgroup"
)

// candidate is a fault that the tests are likely to meet, at an endpoint.
type candidate struct {
	faults.Fault
	endpoint string
}

// testsRun finds out which breaches a client's tests notice.
type testsRun struct {
	*clientRun
	deadline     time.Time
	earlier      map[string]checkedBreach // noticed breaches of an earlier report, by fault
	tried        []checkedBreach
	untried      []string
	untriedRules []string // of these
	unmet        int
}

// checkedBreach is the check of a breach.
type checkedBreach struct {
	rule string
	result.Check
}

// judgeTests runs a client's tests on the sound server, and then with one rule broken at a time.
func judgeTests(ctx context.Context, c *clientRun, s *clientSettings, began time.Time, baseline *result.Report, o *outputs) error {
	t := &testsRun{clientRun: c, deadline: began.Add(s.breaches.budget), earlier: noticedIn(baseline)}
	chosen, err := s.breaches.chosen()
	if err != nil {
		return err
	}
	ended, err := t.run(ctx, chosen)
	if err != nil {
		return err
	}
	return conclude(t.report(s, began, ended), o, c.std)
}

// noticedIn are the breaches that an earlier report has as noticed.
func noticedIn(r *result.Report) map[string]checkedBreach {
	all := map[string]checkedBreach{}
	if r == nil || r.Client == nil || r.Client.Breaches == nil {
		return all
	}
	for rule, check := range r.EachCheck() {
		if check.Status == result.Pass {
			all[check.Scenario] = checkedBreach{rule.ID, *check}
		}
	}
	return all
}

// run returns why there is no verdict, "" if there is one.
func (t *testsRun) run(ctx context.Context, chosen []faults.Fault) (ended string, err error) {
	t.of, t.keepsActs = 1, true
	plain, ended, err := t.first(ctx)
	if ended != "" || err != nil {
		return ended, err
	}
	t.keepsActs = false
	t.timeout = min(t.timeout, 10*time.Second+10*plain.took) // a test that waits for what never comes has noticed
	if ended, err = t.beside(ctx); ended != "" || err != nil {
		return ended, err
	}
	within, all, err := t.reach(ctx, plain.acts, chosen)
	if err != nil {
		return "", err
	}
	if ctx.Err() != nil {
		return "interrupted before the first breach", nil
	}
	t.of = len(within)
	t.ended.Store(0)
	t.line.say(fmt.Sprintf("%d of %d faults are within reach of the tests", len(within), len(chosen)))
	ended, err = t.tryEach(ctx, within)
	if ended == "" && err == nil && (!all || len(t.tried) == 0 && len(t.untried) > 0) {
		ended = "the --budget was over before a breach was tried"
	}
	return ended, err
}

// beside sees whether the tests pass beside each other: if they do not, they are run one at a time.
func (t *testsRun) beside(ctx context.Context) (ended string, err error) {
	if t.jobs == 1 {
		return "", nil
	}
	group, grouped := errgroup.WithContext(ctx)
	runs := make([]play, t.jobs)
	for i := range runs {
		group.Go(func() (err error) {
			runs[i], err = t.in().play(grouped, surrounding{name: plainSurrounding + " beside others"})
			return err
		})
	}
	if err := group.Wait(); errors.Is(err, errInterrupted) {
		return "interrupted before the first breach", nil
	} else if err != nil {
		return "", err
	}
	if slices.ContainsFunc(runs, play.red) {
		t.disturbed = append(t.disturbed, plainSurrounding)
		t.jobs = 1
	}
	return "", nil
}

// reach finds out, by doing again what the tests did, which faults change an answer to them. One for
// each rule and endpoint comes first, then the others that always show, then those that show
// under a condition. All reports whether there was time for all.
func (t *testsRun) reach(ctx context.Context, did *acts, chosen []faults.Fault) (within []candidate, all bool, err error) {
	ctx, cancel := context.WithDeadline(ctx, t.deadline)
	defer cancel()
	group, grouped := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	met := make([]*twin.Difference, len(chosen))
	for i, fault := range chosen {
		group.Go(func() (err error) {
			met[i], err = did.meet(grouped, fault.Name)
			if err != nil && grouped.Err() == nil {
				return fmt.Errorf("trying the fault %s: %w", fault.Name, err)
			}
			return nil // at the end of the time, the known ones are tried
		})
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	type place struct{ rule, endpoint string }
	seen := map[place]bool{}
	var parts [3][]candidate
	for i, fault := range chosen {
		if met[i] == nil {
			continue
		}
		c := candidate{fault, endpointOf(met[i])}
		at, part := place{fault.Rule, c.endpoint}, 1
		switch {
		case fault.Kind != "":
			part = 2
		case !seen[at]:
			seen[at], part = true, 0
		}
		parts[part] = append(parts[part], c)
	}
	return slices.Concat(parts[:]...), ctx.Err() == nil, nil
}

// tryEach runs the tests with each fault, some at the same time, until the budget is used up.
func (t *testsRun) tryEach(ctx context.Context, within []candidate) (ended string, err error) {
	group, grouped := errgroup.WithContext(ctx)
	group.SetLimit(t.jobs)
	runs, plays := make([]*surroundingRun, len(within)), make([]*play, len(within))
	for i, c := range within {
		if _, known := t.earlier[c.Name]; known {
			continue
		}
		group.Go(func() error {
			if grouped.Err() != nil || time.Now().After(t.deadline) {
				return nil
			}
			runs[i] = t.in()
			p, err := runs[i].play(grouped, surrounding{name: c.Name, breach: true, settings: control.Settings{Faults: []string{c.Name}}})
			if err == nil {
				plays[i] = &p
				t.ended.Add(1)
			}
			return err
		})
	}
	err = group.Wait()
	for i, c := range within {
		if runs[i] != nil {
			t.add(runs[i].clientResults)
		}
		t.take(c, plays[i])
	}
	if ctx.Err() != nil && (err == nil || errors.Is(err, errInterrupted)) {
		return fmt.Sprintf("interrupted after %d of %d breaches", len(t.tried), len(within)), nil
	}
	return "", err
}

// take records how the tests came out with a fault; nil is for one that was not tried.
func (t *testsRun) take(c candidate, p *play) {
	known, earlier := t.earlier[c.Name]
	switch {
	case earlier:
		t.tried = append(t.tried, known)
	case p == nil:
		t.untried = append(t.untried, c.Name)
		t.untriedRules = append(t.untriedRules, c.Rule)
	case p.breach == nil:
		t.unmet++
	default:
		t.tried = append(t.tried, checkedBreach{c.Rule, p.check(c.Fault)})
	}
}

func endpointOf(d *twin.Difference) string {
	return exchangeOf(d, d.Got).Endpoint("").String()
}

// rulesBroken are the rules of the contract with the checks of their breaches.
func (t *testsRun) rulesBroken() []result.Rule {
	var all []result.Rule
	for _, rule := range rules.Load().Rules() {
		r := result.Rule{ID: rule.ID, Level: rule.Level, Part: rule.Part(), Statement: rule.Statement, Source: rule.Source, Checks: []result.Check{}}
		for _, b := range t.tried {
			if b.rule == rule.ID {
				r.Checks = append(r.Checks, b.Check)
			}
		}
		if len(r.Checks) == 0 {
			r.Message = "no breach of it changed an answer to the tests"
			if slices.Contains(t.untriedRules, rule.ID) {
				r.Message = "there was no time to try a breach of it"
			}
		}
		all = append(all, r)
	}
	return all
}
