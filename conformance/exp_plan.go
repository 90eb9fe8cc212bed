package conformance

import (
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
)

// plan is what a plain run can still play.
type plan struct {
	payloads *body.Payloads // whose values the target has been sent
	left     story.Cost
	free     int // users who need not be created
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
		fit = append(fit, job{story: p.payloads.Sent().Refresh(c.story)})
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
