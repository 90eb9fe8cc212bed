package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	holders   *holders
	userAgent string
	made      ledger.Passwords
	ledger    *ledger.Ledger // of the users, nil for none

	mu         sync.Mutex
	words      map[string]bool // the texts that were made up
	passwords  map[string]int  // by their numbers
	served     map[rules.Endpoint]bool
	played     []*T
	discarded  []*T // played once more, since an answer was lost
	replays    int
	unanswered int // exchanges in a row that got no response
	done, of   int
	failed     int
	timedOut   map[string]bool      // rules that timed out
	notes      []string             // what a reader should know beside the checks
	kept       []*wire.Exchange     // of the run, where they are to be kept
	stories    *result.DrawnStories // nil where none was played
	answers    endpointAnswers
	missing    notImplemented
	shadow     *model.Shadow     // of what scenarios write
	shaded     map[string]string // rules seen broken beside the scenarios, with those that may be the cause
	wardrobe   *model.Wardrobe   // for it
	leftOver   leftOvers         // users that nothing was done with

	cleanUpBy time.Time             // the end of all clean-up
	lagged    atomic.Bool           // something promised was not there at once
	watched   time.Duration         // for which what is gone was watched at the least
	endReason atomic.Pointer[error] // why no further scenario is played
}

func newRun(j *Runner) *run {
	r := &run{Runner: j, login: &loginMethod{}, shadow: model.NewShadow(), shaded: map[string]string{}, wardrobe: model.NewWardrobe(), holders: &holders{}, timedOut: map[string]bool{}, words: map[string]bool{}, passwords: map[string]int{},
		served:   map[rules.Endpoint]bool{},
		redactor: wire.NewRedactor(j.config.Target.AppToken, j.config.Target.SecondAppToken), userAgent: "conform/" + j.config.Version,
		made: ledger.NewPasswords(j.config.Target.AppToken)}
	r.answers = endpointAnswers{succeeded: map[rules.Endpoint]bool{}, absent: map[rules.Endpoint]bool{}}
	r.redactor.Trust = j.config.Target.curlTrust()
	r.monitor = passive.NewMonitor(r.made.Mark())
	r.wire = wire.New(j.trust, j.base.EscapedPath(), j.limiter, j.config.RequestTimeout, j.config.Jobs)
	r.wire.Told = r.waiting
	return r
}

// play plays one scenario.
func (r *run) play(ctx context.Context, sc *scenario, of int) *T {
	t := newT(ctx, r, sc)
	t.play()
	r.shadowed(t)
	t.shrink()
	if t.disturbed() && r.mayReplay(ctx) {
		r.cleanUp(ctx, t)
		r.mu.Lock()
		r.discarded = append(r.discarded, t)
		r.mu.Unlock()
		t = newT(ctx, r, sc)
		t.play()
		r.shadowed(t)
		t.shrink()
	}
	r.mu.Lock()
	r.played = append(r.played, t)
	if r.ended(ctx) == nil {
		r.done++
	}
	for _, c := range t.checks {
		if c.status == result.Fail {
			r.failed++
		}
	}
	r.stopAtFailures()
	progress := Progress{Scenario: sc.text, Done: r.done, Of: of, Failed: r.failed}
	r.mu.Unlock()
	r.report(progress)
	return t
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
// intermediary, lost an answer: another time it may be luckier.
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

// cleanUp deletes what a scenario created, also after an interrupt, within bounds.
func (r *run) cleanUp(ctx context.Context, t *T) {
	if r.unreachable() {
		return
	}
	ctx, cancel := context.WithDeadlineCause(context.WithoutCancel(ctx), r.cleanUpDeadline(ctx), wire.ErrTimeUp)
	defer cancel()
	t.cleanUp(ctx)
}

// cleanUpDeadline is when a clean-up that begins now must be over: when the run
// must be, and soon where a person waits for it after an interrupt.
func (r *run) cleanUpDeadline(ctx context.Context) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.cleanUpBy.IsZero() { // a run without an end
		return now.Add(cleanUpGrace)
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), wire.ErrTimeUp) {
		if latest := now.Add(interruptedCleanUp); latest.Before(r.cleanUpBy) {
			r.cleanUpBy = latest
		}
	}
	return r.cleanUpBy
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

// result records every check that is selected.
func (r *run) result(ctx context.Context, drawn int) result.Outcomes {
	result := result.Outcomes{Requests: r.monitor.Requests, Traits: r.monitor.Choices, Scenarios: r.done, Drawn: drawn, Stories: r.stories,
		Weather: r.wire.Weather(), WatchedMS: r.watched.Milliseconds(), Implemented: r.implementedAt()}
	for _, note := range r.notes {
		result.Notes = append(result.Notes, r.redactor.Text(note))
	}
	if note := r.overshadowedNote(); note != "" {
		result.Notes = append(result.Notes, note)
	}
	if cause := r.ended(ctx); cause != nil {
		result.EndedBy = r.redactor.Text(wire.Trouble(cause))
	}
	left := r.left()
	if len(left) > 0 {
		result.Notes = append(result.Notes, r.redactor.Message(r.leftBehind(left)))
	}
	result.Checks = slices.Concat(r.playedJudgements(), r.passiveJudgements())
	for _, x := range r.kept {
		result.Exchanges = append(result.Exchanges, r.redactor.Exchange(x))
	}
	return result
}

// passiveJudgements are the outcomes of the passive rules that are selected.
func (r *run) passiveJudgements() []result.CheckResult {
	var all []result.CheckResult
	for _, o := range r.monitor.Outcomes() {
		if !r.selected.Includes(o.Rule, o.At) || r.missing.answers[o.At] != nil { // what is not there is told once
			continue
		}
		c := &Check{rule: o.Rule, endpoint: o.At, status: result.Pass, exchanges: o.Evidence}
		if o.Broken > 0 {
			c.deciding = o.Evidence[len(o.Evidence)-1]
			c.conclude(r.level(o.Rule), &outcome{status: result.Fail, expected: o.Expected, actual: o.Problem})
		}
		if o.Status == result.Warn {
			c.status = result.Warn
		}
		var story wire.Story
		for _, t := range r.played {
			if t.scenario.text == o.Scenario {
				story = t.story
			}
		}
		j := r.judgement(c, o.Scenario, story)
		j.Seen, j.Broken = o.Seen, o.Broken
		all = append(all, j)
	}
	return all
}

// judgement is a check as a report shows it: with its evidence unless it passed.
func (r *run) judgement(c *Check, scenario string, story wire.Story) result.CheckResult {
	j := result.CheckResult{Rule: c.rule, At: c.endpoint, Check: result.Check{
		Endpoint: c.endpoint.String(), Scenario: scenario, Drawn: c.drawn, Story: c.story, Status: c.status,
		Message: r.redactor.Message(c.message), Expected: r.redactor.Message(c.expected), Actual: r.redactor.Message(c.actual),
		BlockedBy: c.blockedBy, BlockedAt: c.blockedAt.String(), Exchanges: []result.Exchange{},
	}}
	if !r.config.KeepEvidence && (c.status == result.Pass || c.status == result.Observed || c.status == result.Skipped) {
		return j
	}
	for i, x := range c.evidence() {
		j.Exchanges = append(j.Exchanges, r.redactor.Exchange(x))
		if x == c.deciding {
			j.Deciding = &i
		}
	}
	if c.deciding != nil && (c.status == result.Fail || c.status == result.Warn || c.status == result.Error) {
		j.Reproduction = r.redactor.Reproduction(story, c.deciding, r.base.String(), c.expected)
	}
	return j
}

// evidence is what a report shows of the check's exchanges: the latest ones, among
// them the one that decided.
func (c *Check) evidence() []*wire.Exchange {
	const most = 8
	from := max(0, len(c.exchanges)-most)
	if slices.Contains(c.exchanges[:from], c.deciding) {
		return append([]*wire.Exchange{c.deciding}, c.exchanges[from+1:]...)
	}
	if c.deciding != nil && !slices.Contains(c.exchanges, c.deciding) { // it was made before the check began
		return append([]*wire.Exchange{c.deciding}, c.exchanges[max(0, len(c.exchanges)-most+1):]...)
	}
	return c.exchanges[from:]
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

// left are the names of the users that could not be deleted.
func (r *run) left() []string {
	var left []string
	for _, t := range slices.Concat(r.played, r.discarded) {
		for _, a := range t.accounts {
			if !a.gone {
				left = append(left, cmp.Or(a.userName, a.email, a.id))
			}
		}
	}
	return left
}

// leftBehind tells of users that stay on the target.
func (r *run) leftBehind(names []string) string {
	const most = 20
	told := fmt.Sprintf("%d users could not be deleted from the target: %s", len(names), strings.Join(names[:min(len(names), most)], ", "))
	if len(names) > most {
		told += ", …"
	}
	if r.ledger != nil {
		told += "; conform clean tries again"
	}
	return told
}

// word makes up a text of so many letters that stands nowhere else on the target,
// and shares nothing with the others: a search that is not exact finds none of them
// by another.
func (r *run) word(length int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		word := randomText(length)
		if key := word[:min(length, shortWord)]; !r.words[key] {
			r.words[key] = true
			return word
		}
	}
}

// How long the texts are that are made up. A target may take no more than 20
// characters, which is enough for two long ones or three short ones.
const (
	longWord  = 8
	shortWord = 6
)

// password makes one that looks like a hash, and carries the run's mark.
func (r *run) password() string {
	r.mu.Lock()
	n := len(r.passwords) + 1
	password := r.made.Make(n)
	r.passwords[password] = n
	r.mu.Unlock()
	r.redactor.Learn(password, "PASSWORD")
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
