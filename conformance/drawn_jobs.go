package conformance

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/setting"
)

// job is a story to play, or inputs with a defect to send.
type job struct {
	story story.Story
	cases []grid.Case
	kept  *story.CorpusEntry // of an earlier run, nil for what is drawn anew
}

// playPlain plays the generated stories that fit into the budget of a plain run, and the cases of the grid
// that fit into what they leave. A story takes fewer requests than its estimate: once those that fit have been
// played, others may fit.
func (d *drawing) playPlain(ctx context.Context) {
	candidates := candidatesOf(draw.Plain(uint64(d.run.config.Seed), d.choices))
	for d.run.ended(ctx) == nil {
		some, others := d.newPlan().choose(candidates)
		if candidates = others; len(some) == 0 {
			break
		}
		d.playAll(ctx, slices.Values(some))
	}
	if cases := gridWithin(grid.Draw(uint64(d.run.config.Seed)), d.newPlan().left, plainCases); len(cases) > 0 {
		d.playAll(ctx, slices.Values([]job{{cases: cases}}))
	}
}

// plan is what a plain run can still play.
type plan struct {
	d    *drawing
	left story.Cost
	free int // users who need not be created
}

func (d *drawing) newPlan() *plan {
	const logins = 4 // of users who have no session left, and are to be deleted
	free := 0
	if !d.playsExtra() { // later they are deleted
		free = len(d.run.usersToReuse())
	}
	return &plan{d, d.budget().Minus(story.Cost{Writes: logins}), free}
}

// candidate is a story that a plain run may play, with its estimate.
type candidate struct {
	story story.Story
	cost  story.Cost
	users int // of these, that may be ones who exist already
}

func candidatesOf(stories []story.Story) []candidate {
	var all []candidate
	for _, s := range stories {
		cost, users := job{story: s}.cost()
		all = append(all, candidate{s, cost, users})
	}
	return all
}

// choose returns the jobs of the candidates that fit together, and the other candidates.
func (p *plan) choose(all []candidate) (fit []job, others []candidate) {
	for _, c := range all {
		if !p.take(c.cost, c.users) {
			others = append(others, c)
			continue
		}
		fit = append(fit, job{story: p.d.run.payloads.Sent().Refresh(c.story)})
	}
	return fit, others
}

// take takes a cost off what is left, if it fits.
func (p *plan) take(cost story.Cost, users int) bool {
	reused := min(users, p.free)
	if cost.Writes -= reused; !cost.Within(p.left) {
		return false
	}
	p.left, p.free = p.left.Minus(cost), p.free-reused
	return true
}

// deepJobs yields round after round until one covers nothing new.
func (d *drawing) deepJobs(yield func(job) bool) {
	for round := uint64(0); ; round++ {
		before := d.covered()
		for j := range d.round(uint64(d.run.config.Seed) + round) {
			if time.Now().After(d.until) || d.run.endReason.Load() != nil || !yield(j) {
				return
			}
		}
		const fewest = 3 // rounds: the first ones are still being played when they were drawn
		if round >= fewest && d.covered() == before {
			return
		}
	}
}

// storiesOf yields the stories of a seed. If the target has two applications, the stories of
// two are spread over the first others.
func (d *drawing) storiesOf(seed uint64) iter.Seq[story.Story] {
	return func(yield func(story.Story) bool) {
		var between []story.Story
		if d.run.applications() > 1 {
			between = draw.Applications(seed)
		}
		for _, s := range draw.Deep(seed) {
			if !yield(s) || len(between) > 0 && !yield(between[0]) {
				return
			}
			between = between[min(1, len(between)):]
		}
	}
}

// round yields the stories of a seed, with the inputs with a defect between them.
func (d *drawing) round(seed uint64) iter.Seq[job] {
	return func(yield func(job) bool) {
		batches := slices.Collect(slices.Chunk(grid.Draw(seed), batch))
		for s := range d.storiesOf(seed) {
			if !yield(job{story: s}) {
				return
			}
			const each = 2 // batches, which take few requests, to a story
			for _, cases := range batches[:min(each, len(batches))] {
				if !yield(job{cases: cases}) {
					return
				}
			}
			batches = batches[min(each, len(batches)):]
		}
		for _, cases := range batches {
			if !yield(job{cases: cases}) {
				return
			}
		}
	}
}

func (d *drawing) covered() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.coverage)
}

// playAndConfirm plays one job and confirms the differences that it shows.
func (d *drawing) playAndConfirm(ctx context.Context, j job) {
	toFinish, toConfirm := 2*time.Second, 30*time.Second // after the time of a deep run
	switch {
	case j.kept != nil:
		toFinish, toConfirm = time.Minute, time.Minute
	case d.playsExtra():
		toConfirm = 2 * time.Minute // a limit may hold it up for one
	}
	playing, cancel := d.before(ctx, toFinish)
	defer cancel()
	if j.cases != nil {
		d.playCases(playing, j)
		return
	}
	t := newT(playing, d.run, &scenario{text: result.StoryPrefix + j.name(), kept: j.kept != nil})
	defer d.cleanUpStory(ctx, t)
	target, reuse := &modelTarget{t: t, first: d.first}, t.reusableForStory
	if j.kept != nil || d.playsExtra() {
		reuse = nil // it is played as it was kept, or after they were deleted
	}
	if j.kept == nil && d.run.config.Deep == 0 {
		target.most, target.limited = d.most, d.limited
	}
	p := play.NewPlayer(target, d.options(reuse))
	o, err := j.play(playing, p) // unanswered requests are reported by the passive rules and by the end of the run
	d.mu.Lock()
	d.coverage.Merge(p.Coverage)
	d.drawn.Stories++
	d.drawn.Requests += o.Requests
	d.mu.Unlock()
	if j.kept != nil {
		showed := slices.ContainsFunc(o.Differences, func(each blame.Difference) bool { return each.Rule == j.kept.Rule })
		d.countKept(ctx, t, j.kept, showed, err)
	}
	confirming, cancel := d.before(ctx, toConfirm)
	defer cancel()
	j.story = o.Replayable(j.story)
	d.confirmAll(confirming, t.scenario, j, o.Differences)
	d.run.report(d.progress(t.scenario.text))
}

// progress is how far the run has come after a story.
func (d *drawing) progress(story string) Progress {
	progress := d.run.plays.progress()
	progress.Scenario, progress.Of = story, progress.Done
	if d.run.config.Deep > 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		progress.Stories, progress.Covered = d.drawn.Stories, len(d.coverage)
		progress.Left = max(0, time.Until(d.until))
	}
	return progress
}

// confirmAll confirms the differences of a story, some concurrently, since each is mostly
// waiting. It ends early if the target stops answering or time is up.
func (d *drawing) confirmAll(ctx context.Context, s *scenario, j job, differences []blame.Difference) {
	const atOnce = 4
	var over atomic.Bool
	sideBySide(atOnce, differences, func(difference blame.Difference) {
		if over.Load() {
			return
		}
		t := newT(ctx, d.run, s)
		defer d.cleanUpStory(ctx, t)
		if d.confirmDifference(ctx, t, j, difference) != nil {
			over.Store(true)
		}
	})
}

// before derives a context that ends so long after the time of the stories, if they have one.
func (d *drawing) before(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	if d.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, d.until.Add(grace), wire.TimeUpError{Of: "the time for drawn stories", Setting: d.run.called(setting.Deep)})
}

func (j job) name() string {
	if j.cases != nil {
		return "inputs with a defect"
	}
	return j.story.Name
}

// play plays a job. A story that was kept has shown a difference, which a race does not show each
// time: it is played until it does, and a few times at most.
func (j job) play(ctx context.Context, p *play.Player) (*play.Outcome, error) {
	o, err := p.Play(ctx, j.story)
	const few = 7
	for n := 0; n < few && j.kept != nil && j.story.Concurrent() && err == nil && len(o.Differences) == 0; n++ {
		requests := o.Requests
		o, err = p.Play(ctx, j.story)
		o.Requests += requests
	}
	return o, err
}
