package explore

import (
	"iter"
	"slices"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/story"
)

// storiesOf yields the stories of a seed, with values that none before had as far as there are such. If the target
// has two applications, the stories of two are spread over the first others.
func storiesOf(seed uint64, applications int) iter.Seq[story.Story] {
	return func(yield func(story.Story) bool) {
		var between []story.Story
		if applications > 1 {
			between = draw.Applications(seed)
		}
		sent := body.SentValues{}
		for _, s := range draw.Deep(seed) {
			if !yield(sent.Refresh(s)) || len(between) > 0 && !yield(between[0]) {
				return
			}
			between = between[min(1, len(between)):]
		}
	}
}

// batch is how many inputs with a defect are tried by one set of users.
const batch = 40

// Round yields the stories of a seed, with the inputs with a defect between them.
func Round(seed uint64, applications int) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		batches := slices.Collect(slices.Chunk(grid.Draw(seed), batch))
		for s := range storiesOf(seed, applications) {
			if !yield(Job{Story: s}) {
				return
			}
			const each = 2 // batches, which take few requests, to a story
			for _, cases := range batches[:min(each, len(batches))] {
				if !yield(Job{Cases: cases}) {
					return
				}
			}
			batches = batches[min(each, len(batches)):]
		}
		for _, cases := range batches {
			if !yield(Job{Cases: cases}) {
				return
			}
		}
	}
}

// Refusals returns all inputs that must be refused, in large batches, in the order that is drawn from the seed.
func Refusals(seed uint64) []Job {
	const batch = 100
	var all []Job
	for cases := range slices.Chunk(slices.DeleteFunc(grid.Draw(seed), func(c grid.Case) bool { return len(c.Refused) == 0 }), batch) {
		all = append(all, Job{Cases: cases})
	}
	return all
}
