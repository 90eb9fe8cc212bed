package conformance

import (
	"context"

	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// readExisting has the model read the reusable users, with the requests that stories can spare.
func (d *drawing) readExisting(ctx context.Context) {
	const (
		fewest, most = 20, 400 // reads
		spare        = 20      // reads, for looking again at what is found wrong
		few          = 2       // users, too few to be worth it
	)
	users := d.run.usersToReuse()
	reads := min(d.budget().Minus(d.owed).Reads-draw.Combined(uint64(d.run.config.Seed), d.choices, draw.Sizes()[0]).Cost().Reads-spare, most)
	if len(users) <= few || reads < fewest {
		return
	}
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "users that were created before are looked at"})
	findings, o, _ := d.player(t).ReadExisting(ctx, users, reads) // unanswered requests are reported by the passive rules and by the end of the run
	d.judgeFindings(ctx, t, findings, o)
}

// gatherExisting has two reusable users connect to many others whom scenarios have left with events. What
// it returns judges what was found, for which new users may be needed: once the stories have been played,
// since they have no other requests.
func (d *drawing) gatherExisting(ctx context.Context) (gather part, judge func()) {
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "two users connect to a crowd of those that were created before"})
	var newcomers [2]reuse.User
	for i := range newcomers {
		newcomer, there := t.reusableForStory()
		if !there {
			return part{play: func() { d.cleanUpStory(ctx, t) }}, func() {}
		}
		newcomers[i] = newcomer
	}
	crowd, leave := t.meetReusable()
	gathering := d.player(t).NewGathering(newcomers, crowd, d.run.shared.word)
	var findings []play.Finding
	var o *play.Outcome
	play := func() {
		defer d.cleanUpStory(ctx, t)
		defer leave()
		findings, o, _ = gathering.Play(ctx) // unanswered requests are reported by the passive rules and by the end of the run
	}
	return part{gathering.Cost(), play}, func() { d.judgeFindings(ctx, t, findings, o) }
}

// judgeFindings makes checks of what was found by reading existing users. Where new ones show the same
// in a story, which can be played again, that is what the check shows.
func (d *drawing) judgeFindings(ctx context.Context, t *T, findings []play.Finding, o *play.Outcome) {
	d.mu.Lock()
	d.drawn.Requests += o.Requests
	d.mu.Unlock()
	for _, f := range findings {
		place, known := d.run.placeOf(f.Difference)
		if known && d.takes(place) {
			if o.Like == nil || !d.judgeLike(ctx, *o.Like, place, f) {
				d.judgeFinding(t, place, f)
			}
		}
	}
	d.run.stories = &d.drawn
}

// judgeLike makes a check of what a story of new users shows, if it shows the same as existing ones
// each time, and reports whether it does.
func (d *drawing) judgeLike(ctx context.Context, like story.Story, place rules.Place, f play.Finding) bool {
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + like.Name})
	defer d.cleanUpStory(ctx, t)
	d.makeRoom(ctx, like.Cost())
	again, err := d.player(t).ConfirmIn(ctx, like, f.Difference, confirmations, shortenings)
	final, known := d.run.placeOf(again.Difference)
	if err != nil || !again.Stable || !known || final != place {
		return false
	}
	d.judgeFinding(t, place, again)
	return true
}

// probeConnections finds out what connections of both kinds do, with the requests that a plain
// run can spare.
func (d *drawing) probeConnections(ctx context.Context) {
	if d.run.Lagged() > 0 {
		return
	}
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "what connections of both kinds do"})
	defer d.cleanUpStory(ctx, t)
	player := play.NewPlayer(&modelTarget{t: t, most: plainMost}, d.options(t.reusableForStory))
	choices, _ := player.ProbeConnections(ctx, d.choices) // unanswered requests are reported by the passive rules and by the end of the run
	d.choices = choices
}
