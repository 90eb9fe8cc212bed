package conformance

import (
	"context"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/story"
)

// job is a story to play, or inputs with a defect to send.
type job struct {
	story story.Story
	cases []grid.Case
	kept  *story.CorpusEntry // of an earlier run, nil for what is drawn anew
}

// cost estimates a job's requests, and how many of its users may be ones that exist already.
func (j job) cost() (story.Cost, int) {
	if j.cases != nil {
		return gridCost(j.cases), 0
	}
	return j.story.Cost(), max(0, j.story.UserCount()-j.story.SharedNames)
}

// name is what a report calls the job.
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

// jobOf returns the job of a saved story.
func jobOf(k *story.CorpusEntry) job {
	if k.Story == nil {
		return job{cases: grid.Named(k.Inputs), kept: k}
	}
	return job{story: *k.Story, kept: k}
}
