package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
)

// Runner judges one target: its configuration is sound and its scenarios fit the
// catalogue. It may run several times, one run after the other.
type Runner struct {
	config    Config
	base      *url.URL
	trust     *tls.Config
	catalogue *rules.Catalogue
	selected  *rules.Selected
	suite     *Suite
	corpus    []*story.CorpusEntry // stories that found something in earlier runs
	outdated  []string             // why some of them are not played
	limiter   *wire.Limiter        // of all runs together
}

// Run judges a target by the scenarios that the given functions add
// (scenarios.Register for ours, and any of one's own). Its errors are those of New
// and of Runner.Run; the report is nil only where New's configuration is at fault.
func Run(ctx context.Context, config Config, register ...func(*Suite)) (*result.Report, error) {
	r, err := New(config, register...)
	if err != nil {
		return nil, err
	}
	return r.Run(ctx)
}

// readCorpus reads the stories that earlier runs have kept.
func (r *Runner) readCorpus() error {
	for i, text := range r.config.Stories {
		name := fmt.Sprintf("story %d of %s", i+1, r.config.Names.Of(setting.Stories))
		kept, err := story.ParseCorpusEntry(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, known := r.catalogue.Rule(kept.Rule); !known { // of another version of the judge
			r.outdated = append(r.outdated, fmt.Sprintf("%s was not played: %v", name, r.catalogue.Unknown(kept.Rule)))
			continue
		}
		r.corpus = append(r.corpus, kept)
	}
	return nil
}

// New checks a configuration and gathers the scenarios that the given functions
// add. A mistake in the configuration is a *ConfigError.
func New(config Config, register ...func(*Suite)) (*Runner, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	r := &Runner{config: config, limiter: &wire.Limiter{PerMinute: config.Rate, Setting: config.Names.Of(setting.Rate)}}
	if r.base, err = config.Target.base(config.Names); err != nil {
		return nil, err
	}
	if r.trust, err = config.Target.TLS(); err != nil {
		return nil, err
	}
	r.catalogue = rules.Load()
	if r.selected, err = config.Selection.Resolve(r.catalogue, rules.Given{SecondApp: config.Target.SecondAppToken != "", RateLimits: config.RateLimits, Startable: config.Startable, Restarts: config.Restarts}, config.Names); err != nil {
		return nil, &ConfigError{err}
	}
	if err := r.readCorpus(); err != nil {
		return nil, &ConfigError{err}
	}
	if r.suite, err = newSuite(r.catalogue, register); err != nil {
		return nil, err
	}
	if err := r.selected.Narrow(config.Selection.Scenarios, r.suite.covered); err != nil {
		return nil, &ConfigError{err}
	}
	return r, nil
}

// Catalogue lists the rules.
func (r *Runner) Catalogue() *rules.Catalogue { return r.catalogue }

// Run judges the target. The error is a *ConfigError or an *UnreachableError when
// there is nothing to judge; the report is complete in any case, and says of every
// rule that was not judged why.
func (r *Runner) Run(ctx context.Context) (*result.Report, error) {
	started := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, r.config.Timeout-cleanUpShare(r.config.Timeout), r.timeUp())
	defer cancel()
	out, err := r.judge(ctx, started.Add(r.config.Timeout+overrun))
	if err != nil {
		out.EndedBy, out.Ended = reasonOf(err)
	}
	out.Checks = append(out.Checks, r.elsewhere(out)...)
	report := &result.Report{
		Tool: result.Tool{Version: r.config.Version}, Target: result.Target{BaseURL: r.config.Target.BaseURL}, Implementation: r.config.Implementation, Seed: r.config.Seed, FailOn: r.config.FailOn,
		StartedAt: started.UTC(), DurationMS: time.Since(started).Milliseconds(), Shard: r.shard(out),
	}
	result.Assemble(report, r.catalogue, r.selected, out)
	return report, err
}

// judge plays the scenarios, and cleans up until the given time at most.
func (r *Runner) judge(ctx context.Context, until time.Time) (result.Outcomes, error) {
	run := newRun(r)
	run.cleanUps.by = until
	defer run.wire.Close()
	defer run.hurryIfInterrupted(ctx)()
	run.keepLedger()
	defer run.closeLedger()
	if err := run.preflight(ctx); err != nil {
		return result.Outcomes{Requests: run.monitor.Requests(), Implemented: run.implementedAt()}, err
	}
	picked := r.suite.pick(r.selected, r.config.Shard)
	run.announceSignIns(len(picked))
	if len(picked) > 0 {
		run.perform(ctx, picked)
		picked = append(picked, run.playNeeded(ctx, picked)...)
	}
	run.judgeTraffic()
	drawn := run.playDrawn(ctx)
	run.probeEndpoints(ctx)
	run.deleteReusable(ctx) // of which some log in first, which a limit would hold up
	if drawn != nil {
		drawn.playExtra(ctx)
	}
	run.cleanUpAgain(ctx)
	return run.result(ctx, len(picked)), nil
}

// userAgent is the User-Agent header of every request.
func (r *Runner) userAgent() string { return "conform/" + r.config.Version }

// called is what messages call a setting.
func (r *Runner) called(s setting.Name) string { return r.config.Names.Of(s) }

// timeUp is the cause where the run's time is over.
func (r *Runner) timeUp() error {
	return wire.TimeUpError{Of: "the run's time", Setting: r.called(setting.Timeout)}
}

// Contact finds out whether there is a target to judge, as Run does first.
func (r *Runner) Contact(ctx context.Context) error {
	run := newRun(r)
	defer run.wire.Close()
	return run.preflight(ctx)
}

// reasonOf is why a run ended, in words and for machines.
func reasonOf(err error) (string, result.Reason) {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return unreachable.Reason, unreachable.Why
	}
	told, ok := errors.AsType[interface {
		error
		Why() result.Reason
	}](err)
	switch {
	case ok:
		return wire.Trouble(err), told.Why()
	case errors.As(err, new(wire.TimeUpError)):
		return wire.Trouble(err), result.TimeUp
	case errors.Is(err, wire.ErrInterrupted), errors.Is(err, context.Canceled):
		return wire.Trouble(err), result.Interrupted
	}
	return wire.Trouble(err), result.EndedEarly
}

// elsewhere returns, as skipped, the checks that other shards judge, where this run is a
// shard.
func (r *Runner) elsewhere(out result.Outcomes) []result.CheckResult {
	if r.config.Shard.Of <= 1 {
		return nil
	}
	judged := map[rules.Place]bool{}
	for _, sc := range r.suite.pick(r.selected, r.config.Shard) {
		for _, place := range sc.coverage {
			judged[place] = true
		}
	}
	seen := map[string]bool{}
	for _, c := range out.Checks {
		seen[c.Rule] = true
	}
	var others []result.CheckResult
	add := func(place rules.Place) {
		if judged[place] || !r.selected.Includes(place.Rule, place.At) {
			return
		}
		judged[place] = true
		others = append(others, result.CheckResult{Rule: place.Rule, At: place.At, Check: result.Check{
			Endpoint: place.At.String(), Status: result.Skipped, Message: result.LeftElsewhere, Exchanges: []result.Exchange{},
		}})
	}
	for _, sc := range r.suite.pick(r.selected, Shard{}) {
		for _, place := range sc.coverage {
			add(place)
		}
	}
	for _, rule := range r.catalogue.Rules() {
		if rule.Passive && !seen[rule.ID] {
			add(rules.Place{Rule: rule.ID, At: rules.NoEndpoint})
		}
	}
	return others
}

// shard returns which part of a run this is, nil for the whole.
func (r *Runner) shard(out result.Outcomes) *result.Shard {
	if r.config.Shard.Of == 0 {
		return nil
	}
	return &result.Shard{Index: r.config.Shard.Index, Of: r.config.Shard.Of, Selection: r.config.Selection, Choices: out.Choices,
		Scenarios: out.Scenarios, Picked: out.Picked}
}

// newSuite gathers the scenarios that functions add, and sees that they fit the catalogue.
func newSuite(c *rules.Catalogue, register []func(*Suite)) (*Suite, error) {
	suite := &Suite{catalogue: c}
	for _, add := range register {
		add(suite)
	}
	if err := errors.Join(suite.errors...); err != nil {
		return nil, fmt.Errorf("the scenarios do not fit the catalogue: %w", err)
	}
	return suite, nil
}
