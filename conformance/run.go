package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/await"
	"github.com/socialfeed/conform/conformance/internal/ledger"
	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/observed"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// run is the judging of a target, once.
type run struct {
	*Runner
	liveness
	await.Patience
	crew *crew
	remarks

	// the way to the target, what is seen on it, and what is hidden of that
	wire     *wire.Wire
	monitor  *passive.Monitor
	redactor *wire.Redactor
	budget   *wire.Budget // of what is held of all exchanges

	// what the target does in its own way, found out by the first who need it
	login   *loginMethod
	friends *friendship
	holders *accounts.Owners
	answers *observed.Answers
	missing notImplemented
	trials  endpointTrials
	signIns observed.SignIns
	several observed.Servers

	// what is sent, and what becomes of it
	texts    *uniqueTexts
	payloads *body.Payloads // awkward values for what scenarios create
	traffic  *traffic.Checker
	ledger   *ledger.Ledger // of the users, nil for none
	reusable reusableUsers  // users that nothing was done with
	shared   sharedWord     // in the user names of some of these
	cleanUps cleanUpTime

	plays   plays
	early   *early               // stories that are played beside rechecks, nil for none
	stories *result.DrawnStories // nil where none was played

	mu        sync.Mutex
	kept      []*wire.Exchange // of the run, where they are to be kept
	uncounted story.Cost       // sent, and no part of what a plain run may send: see spent
}

func newRun(runner *Runner) *run {
	target := runner.config.Target
	r := &run{
		Runner:   runner,
		crew:     newCrew(runner.config.Jobs),
		redactor: wire.NewRedactor(target.AppToken, target.SecondAppToken),
		budget:   wire.NewBudget(),
		login:    &loginMethod{},
		friends:  &friendship{},
		holders:  &accounts.Owners{},
		answers:  observed.NewAnswers(),
		texts:    newUniqueTexts(target.AppToken),
		payloads: body.NewPayloads(),
		traffic:  traffic.NewChecker(),
	}
	for _, why := range runner.outdated {
		r.note(why)
	}
	r.shared.word = r.texts.word(longWord)
	r.redactor.Trust = wire.CurlTrust(target.Insecure, target.CACertFile)
	r.monitor = passive.NewMonitor(r.texts.secrets.Mark())
	r.wire = wire.New(runner.trust, runner.base.EscapedPath(), runner.limiter, runner.config.RequestTimeout, r.crew.largest())
	r.wire.OnWait = r.waiting
	return r
}

// play plays one scenario.
func (r *run) play(ctx context.Context, sc *scenario) *T {
	once := func() *T {
		t := newT(ctx, r, sc)
		t.play()
		r.checkTraffic(t)
		t.shrink()
		return t
	}
	t := once()
	if t.disturbed() && r.ended(ctx) == nil && r.plays.replay() {
		r.discard(ctx, t)
		t = once()
	}
	progress := r.plays.end(t, r.ended(ctx) == nil, r.failuresAmong(t.checks...))
	r.stopAtFailures()
	r.report(progress)
	return t
}

// discard deletes the users of a scenario whose checks do not count.
func (r *run) discard(ctx context.Context, t *T) {
	r.cleanUp(ctx, t)
	r.plays.discard(t)
}

// disturbed reports whether a check could not be judged since the network, or an
// intermediary, lost an answer: a second time it may have one.
func (t *T) disturbed() bool {
	return slices.ContainsFunc(t.checks, func(c *Check) bool {
		return (c.status == result.Error || c.unanswered) && (t.repeated || t.lostAnswer)
	})
}

// shrink frees what was only needed while the scenario ran.
func (t *T) shrink() {
	for _, x := range t.exchanged {
		x.Keep(t.run.budget)
	}
	t.exchanged, t.arranged = nil, nil
}

// waiting reports a wait that holds the run back.
func (r *run) waiting(why string) {
	progress := r.plays.progress()
	progress.Waiting = why
	r.report(progress)
}

func (r *run) report(p Progress) {
	if r.config.Progress != nil {
		r.config.Progress(p)
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
		BaseURL: r.base.String(), AppToken: appToken, HTTPClient: via, UserAgent: r.userAgent(),
		MaxRetries: -1, // the wire waits, for every request alike
	})
	if err != nil {
		panic(fmt.Sprintf("a target that was checked is refused: %v", err))
	}
	return c
}
