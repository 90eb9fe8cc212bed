package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
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
	corpus    []*model.CorpusEntry // stories that found something in earlier runs
	limiter   *wire.Limiter        // of all runs together
}

// Run judges a target by the scenarios that the given functions add
// (scenarios.Register for ours, and any of one's own). Its errors are those of New
// and of Runner.Run; the report is nil only where New's configuration is at fault.
func Run(ctx context.Context, config Config, register ...func(*Suite)) (*result.Report, error) {
	j, err := New(config, register...)
	if err != nil {
		return nil, err
	}
	return j.Run(ctx)
}

// New checks a configuration and gathers the scenarios that the given functions
// add. A mistake in the configuration is a *ConfigError.
func New(config Config, register ...func(*Suite)) (*Runner, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	j := &Runner{config: config, limiter: &wire.Limiter{PerMinute: config.Rate}}
	if j.base, err = config.Target.base(); err != nil {
		return nil, err
	}
	if j.trust, err = config.Target.TLS(); err != nil {
		return nil, err
	}
	j.catalogue = rules.Load()
	if j.selected, err = config.Selection.Resolve(j.catalogue, config.Target.SecondAppToken != "", config.RateLimits); err != nil {
		return nil, &ConfigError{err}
	}
	for _, text := range config.Stories {
		kept, err := model.ParseCorpusEntry(text)
		if err != nil {
			return nil, &ConfigError{err}
		}
		j.corpus = append(j.corpus, kept)
	}
	if j.suite, err = newSuite(j.catalogue, register); err != nil {
		return nil, err
	}
	if err := j.selected.Narrow(config.Selection.Scenarios, j.suite.covered); err != nil {
		return nil, &ConfigError{err}
	}
	return j, nil
}

// Catalogue lists the rules.
func (j *Runner) Catalogue() *rules.Catalogue { return j.catalogue }

// Run judges the target. The error is a *ConfigError or an *UnreachableError when
// there is nothing to judge; the report is complete in any case, and says of every
// rule that was not judged why.
func (j *Runner) Run(ctx context.Context) (*result.Report, error) {
	started := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, j.config.Timeout-cleanUpShare(j.config.Timeout), wire.ErrTimeUp)
	defer cancel()
	out, err := j.judge(ctx, started.Add(j.config.Timeout+overrun))
	if err != nil {
		out.EndedBy = reasonOf(err)
	}
	out.Checks = append(out.Checks, j.elsewhere(out)...)
	report := &result.Report{
		Tool: result.Tool{Version: j.config.Version}, Target: result.Target{BaseURL: j.config.Target.BaseURL}, Seed: j.config.Seed, FailOn: j.config.FailOn,
		StartedAt: started.UTC(), DurationMS: time.Since(started).Milliseconds(), Shard: j.shard(out),
	}
	result.Assemble(report, j.catalogue, j.selected, out)
	return report, err
}

// judge plays the scenarios, and cleans up until the given time at most.
func (j *Runner) judge(ctx context.Context, until time.Time) (result.Outcomes, error) {
	r := newRun(j)
	r.cleanUpBy = until
	defer r.wire.Close()
	r.keepLedger()
	defer r.closeLedger()
	if err := r.preflight(ctx); err != nil {
		return result.Outcomes{Requests: r.monitor.Requests(), Implemented: r.implementedAt()}, err
	}
	picked := j.suite.pick(j.selected, j.config.Shard)
	if len(picked) > 0 {
		r.perform(ctx, picked)
	}
	r.judgeTraffic()
	r.playDrawn(ctx)
	r.probeEndpoints(ctx)
	r.deleteReusable(ctx)
	r.cleanUpAgain(ctx)
	return r.result(ctx, len(picked)), nil
}

// Contact finds out whether there is a target to judge, as Run does first.
func (j *Runner) Contact(ctx context.Context) error {
	r := newRun(j)
	defer r.wire.Close()
	return r.preflight(ctx)
}

func reasonOf(err error) string {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return unreachable.Reason
	}
	return wire.Trouble(err)
}

// elsewhere returns, as skipped, the checks that other shards judge, where this run is a
// shard.
func (j *Runner) elsewhere(out result.Outcomes) []result.CheckResult {
	if j.config.Shard.Of <= 1 {
		return nil
	}
	judged := map[rules.Place]bool{}
	for _, sc := range j.suite.pick(j.selected, j.config.Shard) {
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
		if judged[place] || !j.selected.Includes(place.Rule, place.At) {
			return
		}
		judged[place] = true
		others = append(others, result.CheckResult{Rule: place.Rule, At: place.At, Check: result.Check{
			Endpoint: place.At.String(), Status: result.Skipped, Message: result.LeftElsewhere, Exchanges: []result.Exchange{},
		}})
	}
	for _, sc := range j.suite.pick(j.selected, Shard{}) {
		for _, place := range sc.coverage {
			add(place)
		}
	}
	for _, rule := range j.catalogue.Rules() {
		if rule.Passive && !seen[rule.ID] {
			add(rules.Place{Rule: rule.ID, At: rules.NoEndpoint})
		}
	}
	return others
}

// shard returns which part of a run this is, nil for the whole.
func (j *Runner) shard(out result.Outcomes) *result.Shard {
	if j.config.Shard.Of == 0 {
		return nil
	}
	return &result.Shard{Index: j.config.Shard.Index, Of: j.config.Shard.Of, Selection: j.config.Selection, Choices: out.Choices,
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
