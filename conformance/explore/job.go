package explore

import (
	"context"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/story"
)

// Job is a story to play, or inputs with a defect to send.
type Job struct {
	Story story.Story
	Cases []grid.Case
	Kept  *story.CorpusEntry // of an earlier run, nil for what is drawn anew
}

// Cost estimates a job's requests, and how many of its users may be ones that exist already.
func (j Job) Cost() (story.Cost, int) {
	if j.Cases != nil {
		return casesCost(j.Cases), 0
	}
	return j.Story.Cost(), max(0, j.Story.UserCount()-j.Story.SharedNames)
}

// Name is what a report calls the job.
func (j Job) Name() string {
	if j.Cases != nil {
		return "inputs with a defect"
	}
	return j.Story.Name
}

// Play plays a job. A story that was kept has shown a difference, which a race does not show each
// time: it is played until it does, and a few times at most.
func (j Job) Play(ctx context.Context, p *play.Player) (*play.Outcome, error) {
	o, err := p.Play(ctx, j.Story)
	const few = 7
	for n := 0; n < few && j.Kept != nil && j.Story.Concurrent() && err == nil && len(o.Differences) == 0; n++ {
		requests := o.Requests
		o, err = p.Play(ctx, j.Story)
		o.Requests += requests
	}
	return o, err
}

// KeptJob returns the job of a saved story.
func KeptJob(k *story.CorpusEntry) Job {
	if k.Story == nil {
		return Job{Cases: grid.Named(k.Inputs), Kept: k}
	}
	return Job{Story: *k.Story, Kept: k}
}
