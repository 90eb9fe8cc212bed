package conformance

import (
	"testing"
	"time"
)

// TestCrewFollowsTheTarget has a crew grow while a distant target answers no slower, and shrink once it does.
func TestCrewFollowsTheTarget(t *testing.T) {
	const far, near, answers = 50 * time.Millisecond, time.Millisecond, 200
	after := func(c *crew, took time.Duration) int {
		for range answers {
			c.answered(took)
		}
		return c.size()
	}
	c := newCrew(0)
	if n := after(c, far); n != MostJobs || c.grewTo() != MostJobs {
		t.Errorf("a target far away has %d jobs, said to be %d", n, c.grewTo())
	}
	if n := after(c, 2*far); n != MostJobs {
		t.Errorf("one that is a little slower has %d jobs", n)
	}
	if n := after(c, 5*far); n != DefaultJobs || c.grewTo() != MostJobs {
		t.Errorf("one that gets slow has %d jobs, of once %d", n, c.grewTo())
	}
	if c := newCrew(0); after(c, near) != DefaultJobs || c.grewTo() != 0 {
		t.Errorf("a target nearby has %d jobs", c.size())
	}
	slower := newCrew(0)
	slower.answered(far)
	if n := after(slower, 3*far); n >= MostJobs/2 {
		t.Errorf("a target that is slower with many requests has %d jobs", n)
	}
	if c := newCrew(3); after(c, far) != 3 || c.roundTrip() != far {
		t.Errorf("of 3 jobs there are %d, and a round trip takes %s", c.size(), c.roundTrip())
	}
}
