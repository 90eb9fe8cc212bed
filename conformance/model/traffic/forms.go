package traffic

import (
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
)

// otherThan stands for values that a target has shown though a form would have others.
func otherThan(f leeway.Form) shownField { return shownField{field: string(f)} }

// LearnForms returns the choices with the forms ruled out in which the target does not keep what was sent.
func (s *Checker) LearnForms(c leeway.Choices) leeway.Choices {
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.WithoutForms(func(f leeway.Form) bool { return s.shows[otherThan(f)] })
}

// recordForms records the forms in which an answer does not show what was sent.
func (s *Checker) recordForms(name string, want value.Set, got any) {
	for _, f := range leeway.Forms() {
		if _, other := f.Of(name, got); other && want.Allows(got) {
			s.shows[otherThan(f)] = true
		}
	}
}
