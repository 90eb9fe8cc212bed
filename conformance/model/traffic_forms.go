package model

// otherThan stands for values that a target has shown though a form would have others.
func otherThan(f form) shownField { return shownField{field: string(f)} }

// LearnForms returns the choices with the forms ruled out in which the target does not keep what was sent.
func (s *TrafficChecker) LearnForms(c Choices) Choices {
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.withoutForms(func(f form) bool { return s.shows[otherThan(f)] })
}

// recordForms records the forms in which an answer does not show what was sent.
func (s *TrafficChecker) recordForms(name string, want lawful, got any) {
	for _, f := range forms() {
		if _, other := f.of(name, got); other && want.allows(got) {
			s.shows[otherThan(f)] = true
		}
	}
}
