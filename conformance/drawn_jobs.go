package conformance

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/setting"
)

// playPlain plays the generated stories that fit into a plan, and the cases of the grid that fit into what they
// leave. A story takes fewer requests than its estimate: once those that fit, and what is played beside them, have
// been played, others may fit.
func (d *drawing) playPlain(ctx context.Context, fits *explore.Plan, beside <-chan struct{}) {
	candidates := explore.Candidates(draw.Plain(uint64(d.run.config.Seed), d.choices))
	for d.run.ended(ctx) == nil {
		some, others := fits.Choose(candidates)
		candidates = others
		d.playAll(ctx, slices.Values(some))
		if <-beside; len(some) == 0 {
			break
		}
		d.settle()
		fits = d.newPlan()
	}
	if cases := explore.Within(grid.Draw(uint64(d.run.config.Seed)), d.newPlan().Left, plainCases); len(cases) > 0 {
		d.playAll(ctx, slices.Values([]explore.Job{{Cases: cases}}))
	}
}

func (d *drawing) newPlan() *explore.Plan {
	const logins = 4 // of users who have no session left, and are to be deleted
	free := 0
	if !d.playsExtra() { // later they are deleted
		free = len(d.run.usersToReuse())
	}
	return &explore.Plan{Payloads: d.run.payloads, Left: d.budget().Minus(story.Cost{Writes: logins}), Free: free}
}

// deepJobs yields round after round until one covers nothing new.
func (d *drawing) deepJobs(yield func(explore.Job) bool) {
	for round := uint64(0); ; round++ {
		before := d.covered()
		for j := range explore.Round(uint64(d.run.config.Seed)+round, d.run.applications()) {
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

func (d *drawing) covered() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.coverage)
}

// playAndConfirm plays one job and confirms the differences that it shows.
func (d *drawing) playAndConfirm(ctx context.Context, j explore.Job) {
	toFinish, toConfirm := 2*time.Second, 30*time.Second // after the time of a deep run
	switch {
	case j.Kept != nil:
		toFinish, toConfirm = time.Minute, time.Minute
	case d.playsExtra():
		toConfirm = 2 * time.Minute // a limit may hold it up for one
	}
	playing, cancel := d.before(ctx, toFinish)
	defer cancel()
	if j.Cases != nil {
		d.playCases(playing, j)
		return
	}
	t := newT(playing, d.run, &scenario{text: result.StoryPrefix + j.Name(), kept: j.Kept != nil})
	defer d.cleanUpStory(ctx, t)
	target, reuse := &modelTarget{t: t, first: d.first}, t.reusableForStory
	if j.Kept != nil || d.playsExtra() {
		reuse = nil // it is played as it was kept, or after they were deleted
	}
	if j.Kept == nil && d.run.config.Deep == 0 {
		target.most, target.limited = d.most, d.limited
	}
	p := play.NewPlayer(target, d.options(reuse))
	o, err := j.Play(playing, p) // unanswered requests are reported by the passive rules and by the end of the run
	d.mu.Lock()
	d.coverage.Merge(p.Coverage)
	d.drawn.Stories++
	d.drawn.Requests += o.Requests
	d.mu.Unlock()
	if j.Kept != nil {
		showed := slices.ContainsFunc(o.Differences, func(each blame.Difference) bool { return each.Rule == j.Kept.Rule })
		d.countKept(ctx, t, j.Kept, showed, err)
	}
	confirming, cancel := d.before(ctx, toConfirm)
	defer cancel()
	j.Story = o.Replayable(j.Story)
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
func (d *drawing) confirmAll(ctx context.Context, s *scenario, j explore.Job, differences []blame.Difference) {
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
