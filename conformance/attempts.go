package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Attempts are requests that must all be answered alike, each described by what is special about
// it. All wrong answers are reported together; the first of them decides.
type Attempts struct {
	c     *Check
	want  StatusMatcher
	wrong failedAttempts
	mild  failedAttempts // tolerated
}

// failedAttempts are answers that are not as wanted.
type failedAttempts struct {
	told  []string
	first *Answer
}

func (f *failedAttempts) add(what string, answer *Answer) {
	f.told = append(f.told, fmt.Sprintf("%d for %s", answer.Status(), what))
	if f.first == nil {
		f.first = answer
	}
}

// Attempts begins a judgement of several answers.
func (c *Check) Attempts(want StatusMatcher) *Attempts { return &Attempts{c: c, want: want} }

// StatusFor judges the status of an answer to a request, and tells what is special about the request.
func (c *Check) StatusFor(what string, answer *Answer, want StatusMatcher) {
	one := c.Attempts(want)
	one.Add(what, answer)
	one.Judge()
}

// Add adds the answer to a request, and what is special about it.
func (a *Attempts) Add(what string, answer *Answer) {
	a.c.about(answer)
	switch status := answer.Status(); {
	case a.want.tolerates(status):
		a.mild.add(what, answer)
	case !slices.Contains(a.want.statuses(), status):
		a.wrong.add(what, answer)
	}
}

// AllWanted reports whether all were answered as wanted so far.
func (a *Attempts) AllWanted() bool { return a.wrong.first == nil }

// Judge judges the answers that were added.
func (a *Attempts) Judge() {
	if a.wrong.first != nil {
		a.c.about(a.wrong.first)
		panic(a.want.failure(strings.Join(a.wrong.told, ", ")))
	}
	if a.mild.first != nil {
		a.c.about(a.mild.first)
		a.c.warn(a.want.failure(strings.Join(a.mild.told, ", ")))
	}
}
