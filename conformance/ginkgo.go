package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// This file deals with Ginkgo's package-level state: there is one tree of specs, and one run of
// it, in a process.

// ginkgoTree guards Ginkgo's tree of specs.
var ginkgoTree sync.Mutex

// perform plays scenarios on a pool of workers. Each is a Ginkgo spec that waits for its
// outcome, and fails by it. It reports whether all specs passed.
func (r *run) perform(ctx context.Context, picked []*scenario) (passed bool) {
	ginkgoTree.Lock()
	defer ginkgoTree.Unlock()
	globals.Reset()
	defer globals.Reset()
	// The default reporter always prints; this is the switch that silences it.
	stdout, stderr := formatter.ColorableStdOut, formatter.ColorableStdErr
	defer func() { formatter.ColorableStdOut, formatter.ColorableStdErr = stdout, stderr }()
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard

	all := make([]*played, len(picked))
	for i, sc := range picked {
		p := &played{scenario: sc, ready: make(chan struct{})}
		all[i] = p
		declare(sc, func(ginkgo.SpecContext) {
			<-p.ready
			p.t.report(&renderer{run: r, withoutEvidence: true}) // which the run's report holds
		})
	}
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomSeed = r.config.Seed
	suite.Timeout = r.config.Timeout + cleanUpGrace
	reporter.Succinct, reporter.NoColor = true, true
	done := make(chan struct{})
	go func() { defer close(done); r.playAll(ctx, all) }()
	passed = ginkgo.RunSpecs(notTesting{}, "conformance", suite, reporter)
	<-done
	return passed
}

// Specs declares the scenarios that the given functions add as specs of a Ginkgo suite of
// one's own; call it where one would call Describe. The configuration is asked for when the
// first spec runs, in each of Ginkgo's parallel processes, which share its Rate. A spec fails
// where a check gates or could not be judged; what is judged on every response fails the spec
// in which it was seen broken first.
func Specs(config func() Config, register ...func(*Suite)) bool {
	suite, err := newSuite(rules.Load(), register)
	if err != nil {
		ginkgo.It("cannot be played: "+err.Error(), func() { ginkgo.Fail(err.Error()) })
		return true
	}
	start := sync.OnceValues(func() (*run, error) { return startWithin(config(), register) })
	for _, sc := range suite.scenarios {
		declare(sc, func(spec ginkgo.SpecContext) { playSpec(spec, sc.text, start) })
	}
	return true
}

// startWithin sets up a run in one of Ginkgo's parallel processes.
func startWithin(config Config, register []func(*Suite)) (*run, error) {
	suite, _ := ginkgo.GinkgoConfiguration()
	config.Rate = max(1, cmp.Or(config.Rate, DefaultRate)/max(1, suite.ParallelTotal)) // the other processes have the rest
	runner, err := New(config, register...)
	if err != nil {
		return nil, err
	}
	r := newRun(runner)
	r.plays.begin(1) // Ginkgo alone knows how many specs a process gets
	return r, r.preflight(context.Background())
}

// playSpec plays one scenario as a spec of somebody else's suite. The spec includes the rechecks
// and the clean-up, and fails by passive rules that were first seen broken in it.
func playSpec(spec ginkgo.SpecContext, name string, start func() (*run, error)) {
	r, err := start()
	if err != nil {
		ginkgo.Fail("judging the target: " + err.Error())
	}
	for _, sc := range r.suite.pick(r.selected, Shard{}) {
		if sc.text != name {
			continue
		}
		t := r.play(spec, sc)
		t.runRechecks(spec)
		r.runControls(spec, t)
		r.cleanUp(spec, t)
		t.report(newRenderer(r))
		return
	}
	ginkgo.Skip(rules.NotSelected)
}

// declare makes a spec of a scenario, by a function that plays it or waits for it.
func declare(sc *scenario, play func(ginkgo.SpecContext)) {
	decorators := []any{sc.labels(), sc.location}
	if sc.alone {
		decorators = append(decorators, ginkgo.Serial)
	}
	ginkgo.It(sc.text, append(decorators, play)...)
}

// labels are the rules that a scenario judges, with their parts and levels, and
// the endpoints where it does.
func (s *scenario) labels() ginkgo.Labels {
	var labels ginkgo.Labels
	add := func(label string) {
		if label != "" && !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	for _, cl := range s.coverage {
		add(cl.Rule)
		add(rules.Rule{ID: cl.Rule}.Part())
		add(string(s.levels[cl.Rule]))
		if cl.At != rules.NoEndpoint {
			add(fmt.Sprintf("endpoint-%d", int(cl.At)))
		}
	}
	return labels
}

// report makes the outcome of a scenario that of its spec, together with the passive
// rules that it is the first to show broken.
func (t *T) report(shown *renderer) {
	r := t.run
	results := shown.passive(func(o passive.Outcome) bool { return o.Broken > 0 && o.Scenario == t.scenario.text })
	for _, c := range t.checks {
		if r.selected.Includes(c.rule, c.endpoint) {
			results = append(results, shown.check(c, t.scenario.text, t.transcript))
		}
	}
	var failures []error
	skipped := true
	for _, c := range results {
		ginkgo.AddReportEntry(c.Name(), c.Check, ginkgo.ReportEntryVisibilityFailureOrVerbose)
		skipped = skipped && c.Status == result.Skipped
		broken := c.Status == result.Fail || c.Status == result.Warn && r.level(c.Rule) == rules.Should && r.config.FailOn == rules.Should
		if broken || c.Status == result.Error || c.Status == result.Blocked {
			failures = append(failures, fmt.Errorf("%s: %s", c.Name(), c.Check))
		}
	}
	switch {
	case len(failures) > 0:
		ginkgo.Fail(errors.Join(failures...).Error(), 1)
	case skipped && len(results) > 0:
		ginkgo.Skip(results[0].Message)
	}
}

// notTesting stands in for a testing.T, of which there is none in a command.
type notTesting struct{}

func (notTesting) Fail() {}
