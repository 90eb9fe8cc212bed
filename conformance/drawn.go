package conformance

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// Stories that nobody wrote are drawn by the model after the scenarios: as many
// as the budget of a plain run leaves room for, or for as long as Config.Deep says.

// A difference that a drawn story shows counts when it shows each time that the
// story is played again; then the story is shortened.
const (
	confirmations = 3
	shortenings   = 80  // plays
	batch         = 40  // inputs with a defect that are tried by one set of users
	plainBudget   = 888 // what a drawn story sends is estimated, and 900 is the most
)

// drawing is the drawn stories of a run.
type drawing struct {
	*run
	choices  model.Choices
	lag      time.Duration
	until    time.Time // of a deep run
	broken   map[string][]rules.Endpoint
	left     model.Cost // of a plain run
	mu       sync.Mutex
	coverage model.Coverage
	known    map[rules.Place]bool // differences that were looked into
	drawn    result.DrawnStories
}

// jobOf is a story that was kept.
func jobOf(k *model.Kept) job {
	if k.Story == nil {
		return job{cases: k.Cases()}
	}
	return job{story: *k.Story}
}

// cost estimates a job's requests, and says how many users it takes.
func (j job) cost() (model.Cost, int) {
	if j.cases != nil {
		const users, beside = 4, 12 // requests to see that what has no defect is taken, and that nothing came of the rest
		return model.Cost{Writes: 2*len(j.cases) + beside, Reads: beside, Deletes: users}, users
	}
	return j.story.Cost(), j.story.Users()
}

// playDrawn plays drawn stories, unless the run is narrowed to something else.
func (r *run) playDrawn(ctx context.Context) {
	elsewhere := r.config.Shard.Of > 1 && (r.config.Deep == 0 || r.config.Shard.Index != 1) // shards add up to the whole, which has less left to send
	if r.ended(ctx) != nil || elsewhere || len(r.selected.Scenarios()) > 0 || r.narrowed() && r.config.Deep == 0 {
		return
	}
	d := &drawing{run: r, broken: r.brokenRules(), coverage: model.Coverage{}, known: map[rules.Place]bool{}, until: time.Now().Add(r.config.Deep)}
	d.drawn.Seed = r.config.Seed
	if r.config.Deep == 0 && len(d.blockers(nil)) > 0 {
		return // what is broken would break the stories too
	}
	d.sweep(ctx)
	d.choices = r.observedChoices()
	if d.left = d.budget(); r.config.Deep > 0 && !d.learn(ctx) {
		return
	}
	var group errgroup.Group
	group.SetLimit(r.config.Jobs)
	for j := range d.jobs() {
		if r.ended(ctx) != nil {
			break
		}
		group.Go(func() error { d.playJob(ctx, j); return nil })
	}
	_ = group.Wait() // which has no error to give: outcomes are the checks'
	d.drawn.Covered = len(d.coverage)
	r.stories = &d.drawn
}

// narrowed reports whether a person selected what is to be judged.
func (r *run) narrowed() bool {
	s := r.config.Selection
	return len(s.Rules)+len(s.Parts)+len(s.Endpoints)+len(s.Levels)+len(s.Skip) > 0
}

// budget is what the scenarios have left of what a plain run may send.
func (d *drawing) budget() model.Cost {
	sent := d.monitor.Sent()
	each := min(plainBudget, d.config.Rate)
	return model.Cost{Writes: each - sent["POST"] - sent["PUT"], Reads: each - sent["GET"], Deletes: each - sent["DELETE"]}
}

// brokenRules are the rules that scenarios and passive rules have found broken, and where.
func (r *run) brokenRules() map[string][]rules.Endpoint {
	broken := map[string][]rules.Endpoint{}
	r.mu.Lock()
	for _, t := range r.played {
		for _, c := range t.checks {
			if c.status == result.Fail || c.status == result.Warn {
				broken[c.rule] = append(broken[c.rule], c.endpoint)
			}
		}
	}
	r.mu.Unlock()
	for _, o := range r.monitor.Outcomes() {
		if o.Broken > 0 {
			broken[o.Rule] = append(broken[o.Rule], o.At)
		}
	}
	return broken
}

// harmless are the rules that no drawn story hangs on.
func harmless(rule string) bool {
	for _, prefix := range []string{"transport.https", "transport.accept", "transport.cors", "transport.content-type", "transport.user-agent",
		"auth.challenge", "versions.", "errors.method", "errors.unknown-path", "errors.bad-request-empty", "errors.json-error", "limits."} {
		if strings.HasPrefix(rule, prefix) {
			return true
		}
	}
	return false
}

// blockers are the rules that were found broken at one of the endpoints that a
// story meets, or anywhere, without endpoints.
func (d *drawing) blockers(met []rules.Endpoint) []string {
	var all []string
	for rule, places := range d.broken {
		found, _ := d.catalogue.Rule(rule)
		touches := func(e rules.Endpoint) bool { return slices.Contains(places, e) || !found.Passive && found.Touches(e) }
		if !harmless(rule) && (met == nil || slices.ContainsFunc(met, touches)) {
			all = append(all, rule)
		}
	}
	slices.Sort(all)
	return all
}

// sweep looks at the users that scenarios have left, with the reads that stories can spare.
func (d *drawing) sweep(ctx context.Context) {
	const fewest, most, some, again = 20, 400, 2, 12 // what is found wrong is looked at again
	reads := min(d.budget().Reads-model.Town(uint64(d.config.Seed), d.choices, true).Cost().Reads-again, most)
	users := d.adopted()
	if len(users) < some || reads < fewest {
		return
	}
	t := newT(ctx, d.run, &scenario{text: "a sweep over users that were created before"})
	findings, o, _ := d.player(t).Sweep(ctx, users, reads) // what went unanswered is told by the passive rules and by the run's end
	d.drawn.Requests += o.Requests
	for _, f := range findings {
		place, known := d.placeOf(f.Difference)
		if known && d.broken[place.Rule] == nil && d.selected.Includes(place.Rule, place.At) && d.first(place) {
			d.conclude(t, place, f)
		}
	}
	d.stories = &d.drawn
}

// learn finds out the choices that stories hang on, and reports whether it came to an end.
func (d *drawing) learn(ctx context.Context) bool {
	t := newT(ctx, d.run, &scenario{text: "drawn stories: the choices of the target"})
	defer d.leave(ctx, t)
	var err error
	d.choices, d.lag, err = d.player(t).Learn(ctx, d.choices)
	return err == nil
}

// player plays stories with users of their own.
func (d *drawing) player(t *T) *model.Player {
	return model.NewPlayer(&modelTarget{t: t}, d.options(nil))
}

func (d *drawing) options(adopt func() (model.Adopted, bool)) model.Options {
	o := model.Options{Choices: d.choices, Settle: d.config.Settle, Lag: d.lag, Lags: d.lag > 0 || d.run.lagged.Load(), Hold: d.config.Hold, Pause: wire.Pause, Adopt: adopt}
	if o.Until = d.until; d.config.Deep == 0 {
		const soon = 5 * time.Second // a plain run is to be short
		o.Until = d.until.Add(soon)
	}
	return o
}

// leave deletes what a story left on the target.
func (d *drawing) leave(ctx context.Context, t *T) {
	t.shrink()
	d.cleanUp(ctx, t)
	if slices.ContainsFunc(t.accounts, func(a *account) bool { return !a.gone }) {
		d.run.mu.Lock()
		defer d.run.mu.Unlock()
		d.played = append(d.played, t)
	}
}

// plainJobs are those that fit into what the scenarios have left.
func (d *drawing) plainJobs(yield func(job) bool) {
	taken := 0
	fits := func(cost model.Cost, users int) bool {
		adopted := min(users, len(d.run.adopted())-taken) // who need not be created
		if cost.Writes -= adopted; !cost.Within(d.left) {
			return false
		}
		d.left, taken = d.left.Minus(cost), taken+adopted
		return true
	}
	for _, k := range d.corpus {
		j := jobOf(k)
		if fits(j.cost()) && !yield(j) {
			return
		}
	}
	for s := range model.Small(uint64(d.config.Seed), d.choices) {
		j := job{story: s}
		if fits(j.cost()) && !yield(j) {
			return
		}
	}
}
