package model

import "testing"

// TestCost keeps the estimated costs of stories near the actual ones.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	total := map[string]Cost{}
	real := map[string]Cost{}
	for _, s := range DeepStories(1) {
		if s.Name == "random" {
			break
		}
		c := &counting{fake: newFake(dialect{}, "")}
		if _, err := NewPlayer(c, Options{Choices: dialect{}.choices(), Pause: noPause}).Play(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		cost := s.Cost()
		total[s.Name] = total[s.Name].Minus(Cost{-cost.Writes, -cost.Reads, -cost.Deletes})
		real[s.Name] = real[s.Name].Minus(Cost{-c.w, -c.r, -c.d - len(c.users)})
	}
	for name, cost := range total {
		t.Logf("%s: estimated %+v, took %+v", name, cost, real[name])
		if !real[name].Within(Cost{cost.Writes * 5 / 4, cost.Reads*5/4 + 5, cost.Deletes*5/4 + 5}) {
			t.Errorf("%s takes %+v, more than the %+v estimated", name, real[name], cost)
		}
	}
}
