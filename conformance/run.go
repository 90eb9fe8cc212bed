package conformance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/socialfeed/conform/client"
)

// run is one process's part in judging a target.
type run struct {
	config    Config
	base      *url.URL
	catalogue *Catalogue
	selected  *selected
	wire      *wire
	redactor  *redactor
	watch     *watch
	entry     *entry
	userAgent string
	mark      string // stands in every name and password of the run
	passMark  string // the beginning of every password of the run

	mu      sync.Mutex
	counter int
	trials  []*Trial
	dead    int // exchanges in a row that got no response
	done    int
	failed  int
	inVain  map[string]bool // rules whose promise was waited for in vain
	kept    []*exchange     // of the run, where they are to be kept

	ended atomic.Pointer[error] // why no further scenario is played
}

// prepare checks a configuration, reads the catalogue and gathers the scenarios.
func prepare(config Config, permit Permit, register []func(*Suite)) (*run, *Suite, error) {
	base, err := config.Target.base()
	if err != nil {
		return nil, nil, err
	}
	trust, err := config.Target.trust()
	if err != nil {
		return nil, nil, err
	}
	catalogue, err := LoadCatalogue()
	if err != nil {
		return nil, nil, err
	}
	sel, err := config.Selection.resolve(catalogue, config.Target.SecondAppToken != "", config.RateLimits)
	if err != nil {
		return nil, nil, &ConfigError{err}
	}
	suite := &Suite{catalogue: catalogue}
	for _, add := range register {
		add(suite)
	}
	if err := errors.Join(suite.faults...); err != nil {
		return nil, nil, fmt.Errorf("the scenarios do not fit the catalogue: %w", err)
	}
	if err := sel.narrow(config.Selection.Scenarios, suite); err != nil {
		return nil, nil, &ConfigError{err}
	}
	r := &run{config: config, base: base, catalogue: catalogue, selected: sel, entry: &entry{}, inVain: map[string]bool{},
		redactor: newRedactor(config.Target), userAgent: "conform/" + config.Version,
		mark: randomText(6), passMark: fmt.Sprintf("%016x", rand.Uint64())}
	r.watch = newWatch(r.passMark)
	r.wire = newWire(config.Target, trust, base.EscapedPath(), newTurnstile(permit, config.Rate), config.RequestTimeout)
	return r, suite, nil
}

// play plays scenarios one after the other and gathers what they judged.
func (r *run) play(ctx context.Context, drawn []*scenario) Result {
	defer r.wire.close()
	if len(drawn) > 0 {
		r.perform(ctx, drawn)
		r.finish(ctx, len(drawn))
	}
	return r.result(ctx, drawn)
}

// one plays one scenario.
func (r *run) one(ctx context.Context, sc *scenario, of int) {
	t, err := newTrial(ctx, r, sc)
	if err != nil {
		r.end(err)
		return
	}
	t.play()
	r.mu.Lock()
	r.trials = append(r.trials, t)
	if r.over(ctx) == nil {
		r.done++
	}
	for _, c := range t.checks {
		if c.status == Fail {
			r.failed++
		}
	}
	progress := Progress{Scenario: sc.text, Done: r.done, Of: of, Failed: r.failed}
	r.mu.Unlock()
	if !t.watched() {
		r.cleanUp(ctx, t)
	}
	r.report(progress)
}

// watched tells whether a check of the trial still owes a second look.
func (t *Trial) watched() bool {
	for _, c := range t.checks {
		if c.vigil != nil {
			return true
		}
	}
	return false
}

// finish takes the second looks and then cleans up after the trials that had to wait.
func (r *run) finish(ctx context.Context, of int) {
	r.report(Progress{Done: r.done, Of: of, Failed: r.failed, WaitingToHold: true})
	r.keepVigils(ctx)
	for _, t := range r.trials {
		r.cleanUp(ctx, t)
	}
}

// cleanUp deletes what a trial created, also after an interrupt, within bounds.
func (r *run) cleanUp(ctx context.Context, t *Trial) {
	if r.unreachable() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpGrace)
	defer cancel()
	t.cleanUp(ctx)
}

func (r *run) report(p Progress) {
	if r.config.Progress != nil {
		r.config.Progress(p)
	}
}

// result takes down every check that is selected.
func (r *run) result(ctx context.Context, drawn []*scenario) Result {
	result := Result{Requests: r.watch.requests, Traits: r.watch.traits, Scenarios: r.done, Drawn: len(drawn), Secrets: r.redactor.learned()}
	if cause := r.over(ctx); cause != nil {
		result.EndedBy = r.redactor.text(wireTrouble(cause))
	}
	left := 0
	for _, t := range r.trials {
		for _, a := range t.accounts {
			if !a.gone {
				left++
			}
		}
		for _, c := range t.checks {
			if r.selected.includes(c.rule, c.endpoint) {
				result.Checks = append(result.Checks, c.judgement())
			}
		}
	}
	if left > 0 {
		result.Notes = append(result.Notes, fmt.Sprintf("%d users could not be deleted from the target: their names begin with cf%s", left, r.mark))
	}
	result.Checks = append(result.Checks, r.watch.judgements(r)...)
	for _, x := range r.kept {
		result.Exchanges = append(result.Exchanges, r.redactor.exchange(x))
	}
	return result
}

// judgement is the check as a report shows it: with its evidence unless it passed.
func (c *Check) judgement() Judgement {
	r := c.trial.run
	j := Judgement{Rule: c.rule, At: c.endpoint, CheckReport: CheckReport{
		Endpoint: c.endpoint.String(), Scenario: c.trial.scenario.text, Status: c.status,
		Message: r.redactor.text(c.message), Expected: r.redactor.text(c.expected), Actual: r.redactor.text(c.actual),
		BlockedBy: c.blockedBy, Exchanges: []Exchange{},
	}}
	if !r.config.KeepEvidence && (c.status == Pass || c.status == Observed || c.status == Skipped) {
		return j
	}
	for _, x := range c.exchanges[max(0, len(c.exchanges)-maxEvidence):] {
		j.Exchanges = append(j.Exchanges, r.redactor.exchange(x))
	}
	return j
}

// maxEvidence is how many exchanges a check keeps, the latest ones.
const maxEvidence = 8

func (r *run) level(rule string) Level {
	found, _ := r.catalogue.Rule(rule)
	return found.Level
}

func (r *run) url(path string) *url.URL {
	u := *r.base
	raw := r.base.EscapedPath() + path
	if decoded, err := url.PathUnescape(raw); err == nil {
		u.Path, u.RawPath = decoded, raw
	}
	return &u
}

func (r *run) client(appToken string, via *http.Client) (*client.Client, error) {
	return client.New(client.Config{
		BaseURL: r.base.String(), AppToken: appToken, HTTPClient: via, UserAgent: r.userAgent,
		MaxRetries: -1, // the wire waits, for every request alike
	})
}

// unique makes a text that stands nowhere else on the target.
func (r *run) unique() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counter++
	return "cf" + r.mark + strconv.FormatInt(int64(r.counter), 36) + "x"
}

// password makes one that looks like a hash, and carries the run's mark.
func (r *run) password() string {
	password := r.passMark + fmt.Sprintf("%016x%016x%016x", rand.Uint64(), rand.Uint64(), rand.Uint64())
	r.redactor.learn(password, "$PASSWORD")
	return password
}

func randomText(n int) string {
	const letters = "abcdefghijkmnpqrstuvwxyz"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}
