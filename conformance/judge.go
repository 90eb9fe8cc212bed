package conformance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Judge is a run that is set up: its configuration is sound and its scenarios fit
// the catalogue. It may be run several times, one after the other.
type Judge struct {
	config   Config
	register []func(*Suite)
	run      *run
	suite    *Suite
	pacer    *pacer // of all processes together
}

// Process plays a part of the run elsewhere (in a process of its own) and returns
// its result.
type Process func(ctx context.Context, part Part) (Result, error)

// Run judges a target: it sets up a run over the scenarios that the given
// functions add (scenarios.Register for ours, and any of one's own) and plays it in
// this process. Its errors are those of New and of Judge.Run; the report is nil
// only where New's configuration is at fault.
func Run(ctx context.Context, config Config, register ...func(*Suite)) (*Report, error) {
	j, err := New(config, register...)
	if err != nil {
		return nil, err
	}
	return j.Run(ctx)
}

// New checks a configuration and sets up a run over the scenarios that the given
// functions add. A mistake in the configuration is a *ConfigError.
func New(config Config, register ...func(*Suite)) (*Judge, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	pacer := &pacer{perMinute: config.Rate}
	r, suite, err := prepare(config, pacer.permit, register)
	if err != nil {
		return nil, err
	}
	return &Judge{config: config, register: register, run: r, suite: suite, pacer: pacer}, nil
}

// Run judges the target in this process. The error is a *ConfigError or an
// *UnreachableError when there is nothing to judge; the report is complete in
// any case, and says of every rule that was not judged why.
func (j *Judge) Run(ctx context.Context) (*Report, error) {
	return j.RunIn(ctx, 1, func(ctx context.Context, part Part) (Result, error) {
		return j.Play(ctx, part), nil
	})
}

// RunIn is Run with the scenarios spread over several processes. Scenarios that
// must be alone are played in this one, after the others.
func (j *Judge) RunIn(ctx context.Context, processes int, play Process) (*Report, error) {
	started := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, j.config.Timeout, errOverall)
	defer cancel()
	result, err := j.judge(ctx, processes, play)
	if err != nil {
		result.EndedBy = reasonOf(err)
	}
	if context.Cause(ctx) == errOverall {
		result.outOfTime()
	}
	result.Checks = append(result.Checks, j.elsewhere(result)...)
	report := settle(j.run.catalogue, j.run.selected, result, j.config)
	report.stamp(started)
	report.Shard = j.shard(result)
	return report, err
}

func (j *Judge) judge(ctx context.Context, processes int, play Process) (Result, error) {
	r, _, err := prepare(j.config, j.pacer.permit, j.register)
	if err != nil {
		return Result{}, err
	}
	defer r.wire.close()
	err = r.preflight(ctx)
	first := r.result(ctx, nil)
	if err != nil {
		return Result{Requests: first.Requests}, err
	}
	results, err := j.spread(ctx, processes, play)
	if err == nil {
		results = append(results, j.play(ctx, Part{Progress: j.config.Progress, Permit: j.pacer.permit}, true))
	}
	whole := merge(append(results, first))
	whole.withhold(j.config.Target)
	return whole, err
}

// Play plays one part of the scenarios in this process, without first contact
// and without a verdict: what a child process does.
func (j *Judge) Play(ctx context.Context, part Part) Result { return j.play(ctx, part, false) }

// play plays the scenarios of a part that may stand beside others, or those that must be alone.
func (j *Judge) play(ctx context.Context, part Part, alone bool) Result {
	config := j.config
	config.Progress = part.Progress
	r, suite, err := prepare(config, part.Permit, j.register)
	if err != nil {
		return Result{EndedBy: err.Error()}
	}
	return r.play(ctx, suite.draw(r.selected, part.Shard, alone))
}

// leftElsewhere is why a shard says nothing of what another one judges.
const leftElsewhere = "left to another shard"

// elsewhere takes down what other shards judge, where this run is only a part:
// it is none of this one's business, and no gap in it.
func (j *Judge) elsewhere(result Result) []Judgement {
	if j.config.Shard.Of <= 1 {
		return nil
	}
	judged := map[claim]bool{}
	for _, sc := range j.suite.draw(j.run.selected, j.config.Shard, false) {
		for _, cl := range sc.claims {
			judged[cl] = true
		}
	}
	seen := map[string]bool{}
	for _, judgement := range result.Checks {
		seen[judgement.Rule] = true
	}
	var others []Judgement
	add := func(cl claim) {
		if judged[cl] || !j.run.selected.includes(cl.rule, cl.at) {
			return
		}
		judged[cl] = true
		others = append(others, Judgement{Rule: cl.rule, At: cl.at, CheckReport: CheckReport{
			Endpoint: cl.at.String(), Status: Skipped, Message: leftElsewhere, Exchanges: []Exchange{},
		}})
	}
	for _, sc := range j.suite.draw(j.run.selected, Shard{}, false) {
		for _, cl := range sc.claims {
			add(cl)
		}
	}
	for _, rule := range j.run.catalogue.rules {
		if rule.Passive && !seen[rule.ID] {
			add(claim{rule.ID, NoEndpoint})
		}
	}
	return others
}

// Seed is what decides the order of the scenarios: the one that was given, or picked.
func (j *Judge) Seed() int64 { return j.config.Seed }

// Catalogue lists the rules.
func (j *Judge) Catalogue() *Catalogue { return j.run.catalogue }

// spread plays the shards side by side.
func (j *Judge) spread(ctx context.Context, processes int, play Process) ([]Result, error) {
	progress := gather(j.config.Progress, processes)
	type outcome struct {
		result Result
		err    error
	}
	outcomes := make(chan outcome, processes)
	for i := range processes {
		go func() {
			result, err := play(ctx, Part{
				Shard:    j.config.Shard.within(i+1, processes),
				Progress: func(p Progress) { progress(i, p) },
				Permit:   j.pacer.permit,
			})
			outcomes <- outcome{result, err}
		}()
	}
	var results []Result
	var failures error
	for range processes {
		o := <-outcomes
		results = append(results, o.result)
		failures = errors.Join(failures, o.err)
	}
	if failures != nil {
		return results, fmt.Errorf("playing the scenarios in %d processes: %w", processes, failures)
	}
	return results, nil
}

// gather adds up the progress of several processes.
func gather(tell func(Progress), processes int) func(process int, p Progress) {
	if tell == nil {
		return func(int, Progress) {}
	}
	var mu sync.Mutex
	latest := make([]Progress, processes)
	return func(process int, p Progress) {
		mu.Lock()
		defer mu.Unlock()
		latest[process] = p
		sum := Progress{Scenario: p.Scenario, WaitingToHold: true}
		for _, each := range latest {
			sum.Done += each.Done
			sum.Of += each.Of
			sum.Failed += each.Failed
			sum.WaitingToHold = sum.WaitingToHold && each.WaitingToHold
		}
		tell(sum)
	}
}

func reasonOf(err error) string {
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) {
		return unreachable.Reason
	}
	return wireTrouble(err)
}

// Contact finds out whether there is a target to judge, as Run does first.
func (j *Judge) Contact(ctx context.Context) error {
	r, _, err := prepare(j.config, j.pacer.permit, j.register)
	if err != nil {
		return err
	}
	defer r.wire.close()
	return r.preflight(ctx)
}
