package explore

import (
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
)

// Plan is what a plain run can still play.
type Plan struct {
	Payloads *body.Payloads // whose values the target has been sent
	Left     story.Cost
	Free     int // users who need not be created
}

// Candidate is a story that a plain run may play, with its estimate.
type Candidate struct {
	story story.Story
	cost  story.Cost
	users int // of these, that may be ones who exist already
}

// Candidates returns the stories with their estimates.
func Candidates(stories []story.Story) []Candidate {
	var all []Candidate
	for _, s := range stories {
		cost, users := Job{Story: s}.Cost()
		all = append(all, Candidate{s, cost, users})
	}
	return all
}

// Choose returns the jobs of the candidates that fit together, and the other candidates.
func (p *Plan) Choose(all []Candidate) (fit []Job, others []Candidate) {
	sent := p.Payloads.Sent()
	for _, c := range all {
		if !p.take(c.cost, c.users) {
			others = append(others, c)
			continue
		}
		fit = append(fit, Job{Story: sent.Refresh(c.story)})
	}
	return fit, others
}

// Fit returns as many of the jobs as fit together, in their order.
func (p *Plan) Fit(jobs []Job) []Job {
	for i, j := range jobs {
		if !p.take(j.Cost()) {
			return jobs[:i]
		}
	}
	return jobs
}

// take takes a cost off what is left, if it fits.
func (p *Plan) take(cost story.Cost, users int) bool {
	reused := min(users, p.Free)
	if cost.Writes -= reused; !cost.Within(p.Left) {
		return false
	}
	p.Left, p.Free = p.Left.Minus(cost), p.Free-reused
	return true
}
