package conformance

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
	"golang.org/x/sync/errgroup"
)

// Stories that nobody wrote are drawn by the model after the scenarios: as many
// as the budget of a plain run leaves room for, or for as long as Config.Deep says.

// A difference that a drawn story shows counts when it shows each time that the
// story is played again; then the story is shortened.
const (
	confirmations = 3
	shortenings   = 80  // plays
	plainCases    = 60  // of those in a plain run, other ones with each seed
	plainMost     = 896 // requests of a category in a plain run, without confirmations
)

// drawing plays the drawn stories of a run.
type drawing struct {
	run     *run
	choices leeway.Choices
	// secondChoices are those of the target's second application.
	secondChoices leeway.Choices
	probedLag     time.Duration
	until         time.Time // of a deep run
	broken        map[string][]rules.Endpoint
	// obstacles are the broken rules that may disturb a story.
	obstacles map[string][]rules.Endpoint
	unpaced   sync.Once    // findPace, in a plain run
	most      int          // requests of a category that a plain run may send now
	first     int          // the target's application that is the first one of a story, from 0
	limited   *atomic.Bool // whether the target limits the further stories, nil before they begin
	mu        sync.Mutex
	coverage  play.Coverage
	known     map[rules.Place]bool // claimed: of these a difference is confirmed, or was, or could not be
	drawn     result.DrawnStories

	owed    story.Cost      // of the scenarios, before they have been judged
	judged  <-chan struct{} // closed when the scenarios have been judged, nil where they were before
	settled sync.Once       // settle
	void    bool            // the scenarios have found what would break a story
}

// playDrawn plays drawn stories, unless the run is narrowed to something else. It returns the drawing if
// further stories can be played, else nil.
func (r *run) playDrawn(ctx context.Context) *drawing {
	d, played := r.early.conclude(), r.early != nil
	if !played {
		d = r.newDrawing(ctx)
	}
	switch {
	case d == nil:
		return nil
	case r.config.Deep == 0 && len(d.blockers(nil)) > 0:
		r.stories = &result.DrawnStories{Seed: r.config.Seed, NoneSince: "rules that are broken would break a story too; " + r.called(setting.Deep) + " draws nevertheless"}
		return nil
	case !played && !d.play(ctx):
		return nil
	}
	d.drawn.Covered = len(d.coverage)
	if r.config.Deep > 0 && d.drawn.Stories == 0 && r.ended(ctx) == nil {
		r.note("the time for drawn stories was over before one had been played: most of it was a wait for the target's rate limit; " + r.called(setting.Deep) + " can be longer")
	}
	r.stories = &d.drawn
	return d
}

// newDrawing returns a drawing that has played nothing, nil if the run is narrowed to something else.
func (r *run) newDrawing(ctx context.Context) *drawing {
	others := r.config.Shard.Of > 1 && (r.config.Deep == 0 || r.config.Shard.Index != 1) // shards add up to the whole, which has less left to send
	if r.ended(ctx) != nil || others || len(r.selected.Scenarios()) > 0 || r.narrowed() && r.config.Deep == 0 {
		return nil
	}
	d := &drawing{run: r, broken: r.brokenRules(), obstacles: r.obstacles(), choices: r.observedChoices(), coverage: play.Coverage{}, known: map[rules.Place]bool{}, most: min(plainMost, r.config.Rate)}
	if r.config.Deep > 0 {
		d.until = time.Now().Add(r.config.Deep)
	}
	d.drawn.Seed, d.drawn.DeepMS = r.config.Seed, r.config.Deep.Milliseconds()
	return d
}

// play plays the stories, and reports whether the choices that they depend on were found out.
func (d *drawing) play(ctx context.Context) bool {
	plain := d.run.config.Deep == 0
	beside := plain && d.run.crew.distant() // which leaves less to the stories: their budget is reckoned before
	together := d.together(ctx)
	if !beside {
		together.play()
	}
	d.readExisting(ctx)
	if plain {
		d.probeConnections(ctx)
	}
	crowd, judgeCrowd := d.gatherExisting(ctx)
	defer judgeCrowd()
	if beside {
		d.playBeside(ctx, together, crowd)
		return true
	}
	crowd.play()
	if plain {
		d.playBeside(ctx)
		return true
	}
	if d.findPace(ctx); !d.probeChoices(ctx) {
		return false
	}
	d.playKept(ctx)
	d.playAll(ctx, d.deepJobs)
	return true
}

// playAll plays jobs, some at the same time.
func (d *drawing) playAll(ctx context.Context, jobs iter.Seq[explore.Job]) {
	var group errgroup.Group
	group.SetLimit(d.run.crew.size())
	for j := range jobs {
		if d.run.ended(ctx) != nil {
			break
		}
		group.Go(func() error { d.playAndConfirm(ctx, j); return nil })
	}
	_ = group.Wait() // always nil
}

// applications is how many of the target's applications stories can be played in.
func (r *run) applications() int {
	if r.config.Target.SecondAppToken != "" {
		return 2
	}
	return 1
}

// narrowed reports whether a person selected what is to be judged, and so what is to be played.
func (r *run) narrowed() bool {
	return r.config.Selection.Narrows() && !r.config.Selection.PlayAll
}

// playsExtra reports whether the stories are those that a plain run plays beyond the contract's limit.
func (d *drawing) playsExtra() bool { return d.limited != nil }

// budget returns what the scenarios have left of what a plain run may send.
func (d *drawing) budget() story.Cost {
	return story.Cost{Writes: d.most, Reads: d.most, Deletes: d.most}.Minus(d.run.spent())
}

// spent returns what a run has sent of what a plain one may send: all since its scenarios
// probed the target's rate limits, after which they wait for a new minute, without what stories
// that earlier runs have kept take.
func (r *run) spent() story.Cost {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent().Minus(r.uncounted)
}

// discount has what was sent so far be no part of what a plain run may send.
func (r *run) discount() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.uncounted = r.sent()
}

func (r *run) sent() story.Cost {
	sent := r.monitor.Requests()
	return story.Cost{Writes: sent["POST"] + sent["PUT"], Reads: sent["GET"], Deletes: sent["DELETE"]}
}

// brokenRules returns the rules that scenarios and passive rules have found broken, and where.
func (r *run) brokenRules() map[string][]rules.Endpoint {
	return r.rulesWith(func(c *Check) bool { return c.status == result.Fail || c.status == result.Warn })
}

// obstacles returns the broken rules that may disturb a story. A must rule with a warning is
// none: the target keeps it, with another status.
func (r *run) obstacles() map[string][]rules.Endpoint {
	return r.rulesWith(func(c *Check) bool {
		return c.status == result.Fail || c.status == result.Warn && r.level(c.rule) != rules.Must
	})
}

// rulesWith returns the rules with such checks, and those that passive rules have found broken.
func (r *run) rulesWith(such func(*Check) bool) map[string][]rules.Endpoint {
	broken := map[string][]rules.Endpoint{}
	r.plays.each(func(c *Check) {
		if such(c) {
			broken[c.rule] = append(broken[c.rule], c.endpoint)
		}
	})
	for _, o := range r.monitor.Outcomes() {
		if o.Broken > 0 {
			broken[o.Rule] = append(broken[o.Rule], o.At)
		}
	}
	return broken
}

// blockers returns the rules that were found broken at one of the endpoints that a story meets;
// nil stands for all endpoints.
func (d *drawing) blockers(met []rules.Endpoint) []string {
	var all []string
	for rule, places := range d.obstacles {
		found, _ := d.run.catalogue.Rule(rule)
		touches := func(e rules.Endpoint) bool { return slices.Contains(places, e) || !found.Passive && found.Touches(e) }
		if !found.Aside && (met == nil || slices.ContainsFunc(met, touches)) {
			all = append(all, rule)
		}
	}
	slices.Sort(all)
	return all
}

// probeChoices finds out the choices that stories depend on, and reports whether it succeeded.
func (d *drawing) probeChoices(ctx context.Context) bool {
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "the choices of the target"})
	defer d.cleanUpStory(ctx, t)
	o, err := t.probeChoices(d.options(nil), d.run.applications())
	d.choices, d.secondChoices, d.probedLag = o.Choices, o.SecondChoices, o.Lag
	if err != nil && d.run.ended(ctx) == nil {
		d.run.note("no story was drawn, since what the target does where the contract is silent was not found out: " + wire.Trouble(err))
	}
	return err == nil
}

// player returns a player of stories with users of their own.
func (d *drawing) player(t *T) *play.Player {
	return play.NewPlayer(&modelTarget{t: t, first: d.first}, d.options(nil))
}

func (d *drawing) options(reuse func() (reuse.User, bool)) play.Options {
	o := play.Options{Choices: d.choices, SecondChoices: d.secondChoices, Settle: d.run.config.Settle, Lag: max(d.probedLag, d.run.Lagged()), Hold: d.run.config.Hold, Pause: wire.Pause, Reuse: reuse}
	if d.run.config.Deep > 0 {
		o.Until = d.until
		return o
	}
	const briefly = 5 * time.Second // a plain run is to be short
	o.ShrinkFor, o.Room, o.MakeRoom, o.ReadsAtOnce = briefly, d.room, d.makeRoom, d.readsAtOnce()
	return o
}

// readsAtOnce returns how many reads a story sends at the same time: a plain run has few stories, so that most jobs are
// free.
func (d *drawing) readsAtOnce() int {
	const fewest, part = 6, 2
	jobs := d.run.crew.size()
	return min(jobs, max(fewest, jobs/part))
}

// room returns what can be sent without a wait.
func (d *drawing) room() story.Cost {
	left := func(method string) int { return d.run.limiter.Room(method, time.Now()) }
	room := story.Cost{Writes: left(http.MethodPost), Reads: left(http.MethodGet), Deletes: left(http.MethodDelete)}
	if d.first > 0 {
		room = room.Least(story.Cost{Writes: secondRoom, Reads: secondRoom, Deletes: secondRoom}.Minus(d.run.spent()))
	}
	return room
}

// cleanUpStory deletes the users that a story has left on the target.
func (d *drawing) cleanUpStory(ctx context.Context, t *T) {
	t.shrink()
	d.run.cleanUp(ctx, t)
	if slices.ContainsFunc(t.accounts, func(a *accounts.Account) bool { return !a.Gone }) {
		d.run.plays.add(t)
	}
}
