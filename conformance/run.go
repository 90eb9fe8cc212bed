package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/internal/ledger"
	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// run is the judging of a target, once.
type run struct {
	*Runner
	wire      *wire.Wire
	redactor  *wire.Redactor
	monitor   *passive.Monitor
	login     *loginMethod
	friends   *friendship
	holders   *sessionOwners
	userAgent string
	made      ledger.Passwords
	ledger    *ledger.Ledger // of the users, nil for none

	lookedForAbsent sync.Once

	mu             sync.Mutex
	words          map[string]bool // the texts that were made up
	passwords      map[string]int  // by their numbers
	played         []*T
	discarded      []*T // which judge nothing: played once more, or not scenarios
	replays        int
	unanswered     int // exchanges in a row that got no response
	done, of       int
	failed         int
	timedOut       map[string]bool      // rules that timed out
	notes          []string             // what a reader should know besides the checks
	kept           []*wire.Exchange     // of the run, where they are to be kept
	stories        *result.DrawnStories // nil where none was played
	answers        endpointAnswers
	missing        notImplemented
	traffic        *model.TrafficChecker // of what scenarios write
	overshadowedBy map[string]string     // rules seen broken outside of the scenarios, with those that may be the cause
	payloads       *model.Payloads       // awkward values for what scenarios create
	reusable       reusableUsers         // users that nothing was done with
	probed         model.Cost            // sent until the target's limits had been probed
	lag            time.Duration         // the longest time after which something promised was there, 0 where all was at once

	cleanUpBy time.Time             // the end of all clean-up
	watched   time.Duration         // the shortest time after which a deletion was re-checked
	endReason atomic.Pointer[error] // why no further scenario is played
}

func newRun(runner *Runner) *run {
	r := &run{
		Runner:         runner,
		redactor:       wire.NewRedactor(runner.config.Target.AppToken, runner.config.Target.SecondAppToken),
		login:          &loginMethod{},
		friends:        &friendship{},
		holders:        &sessionOwners{},
		userAgent:      "conform/" + runner.config.Version,
		made:           ledger.NewPasswords(runner.config.Target.AppToken),
		words:          map[string]bool{},
		passwords:      map[string]int{},
		timedOut:       map[string]bool{},
		answers:        endpointAnswers{succeeded: map[rules.Endpoint]bool{}, absent: map[rules.Endpoint]bool{}, timedOut: map[rules.Endpoint]bool{}},
		traffic:        model.NewTrafficChecker(),
		overshadowedBy: map[string]string{},
		payloads:       model.NewPayloads(),
	}
	r.redactor.Trust = wire.CurlTrust(runner.config.Target.Insecure, runner.config.Target.CACertFile)
	r.monitor = passive.NewMonitor(r.made.Mark())
	r.wire = wire.New(runner.trust, runner.base.EscapedPath(), runner.limiter, runner.config.RequestTimeout, runner.config.Jobs)
	r.wire.OnWait = r.waiting
	return r
}

// play plays one scenario.
func (r *run) play(ctx context.Context, sc *scenario, of int) *T {
	once := func() *T {
		t := newT(ctx, r, sc)
		t.play()
		r.checkTraffic(t)
		t.shrink()
		return t
	}
	t := once()
	if t.disturbed() && r.mayReplay(ctx) {
		r.discard(ctx, t)
		t = once()
	}
	r.mu.Lock()
	r.played = append(r.played, t)
	if r.ended(ctx) == nil {
		r.done++
	}
	r.recordFailures(t.checks...)
	progress := Progress{Scenario: sc.text, Done: r.done, Of: of, Failed: r.failed}
	r.mu.Unlock()
	r.report(progress)
	return t
}

// discard deletes the users of a scenario whose checks do not count.
func (r *run) discard(ctx context.Context, t *T) {
	r.cleanUp(ctx, t)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.discarded = append(r.discarded, t)
}

// maxReplays bounds how many scenarios of a run are played a second time.
const maxReplays = 40

// mayReplay reports whether a scenario may be played once more, by new actors, and
// counts it.
func (r *run) mayReplay(ctx context.Context) bool {
	if r.ended(ctx) != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replays++
	return r.replays <= maxReplays
}

// disturbed reports whether a check could not be judged since the network, or an
// intermediary, lost an answer: a second time it may have one.
func (t *T) disturbed() bool {
	return slices.ContainsFunc(t.checks, func(c *Check) bool { return c.status == result.Error && (t.repeated || t.lostAnswer) })
}

// shrink frees what was only needed while the scenario ran.
func (t *T) shrink() {
	for _, x := range t.exchanged {
		x.Shrink()
	}
	t.exchanged, t.arranged = nil, nil
}

// waiting reports a wait that holds the run back.
func (r *run) waiting(why string) {
	r.mu.Lock()
	progress := Progress{Done: r.done, Of: r.of, Failed: r.failed, Waiting: why}
	r.mu.Unlock()
	r.report(progress)
}

func (r *run) report(p Progress) {
	if r.config.Progress != nil {
		r.config.Progress(p)
	}
}

// note keeps what a reader should know, once.
func (r *run) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

func (r *run) level(rule string) rules.Level {
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

// client is the typed client of an application. Its configuration was checked before.
func (r *run) client(appToken string, via *http.Client) *client.Client {
	c, err := client.New(client.Config{
		BaseURL: r.base.String(), AppToken: appToken, HTTPClient: via, UserAgent: r.userAgent,
		MaxRetries: -1, // the wire waits, for every request alike
	})
	if err != nil {
		panic(fmt.Sprintf("a target that was checked is refused: %v", err))
	}
	return c
}

// scenarioNamed returns the scenario of a name that was played, nil if there is none.
func (r *run) scenarioNamed(scenario string) *T {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.played {
		if t.scenario.text == scenario {
			return t
		}
	}
	return nil
}
