package play

import (
	"slices"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// Cost returns the requests of the gathering on a target that is sound and does not lag.
func (s Gathering) Cost() story.Cost {
	if !s.worthIt() {
		return story.Cost{}
	}
	return s.searchCost().Plus(s.gatherCost()).Plus(s.growCost()).Plus(s.endCost())
}

func (s Gathering) searchCost() story.Cost {
	if len(s.namesakes) <= leavers {
		return story.Cost{}
	}
	inCrowd := func(who int) bool { return slices.Contains(s.crowd, who) }
	alone := slices.DeleteFunc(slices.Clone(s.namesakes[:leavers]), inCrowd)
	return story.Cost{Reads: 2, Deletes: len(alone)}
}

func (s Gathering) gatherCost() story.Cost {
	const comparedAfterPost, comparedAfterEnds, comparedAfterDeletion = 2, 4, 4
	connecting := story.Cost{Writes: 1, Reads: 1}
	c := connecting.Plus(story.Cost{Reads: 2})
	if s.state.Choices.FriendsAtOnce == leeway.Yes {
		c = c.Plus(connecting).Plus(story.Cost{Reads: 1})
		if s.state.Choices.KindsStand == leeway.Yes {
			c = c.Plus(connecting)
		}
	}
	c = c.Plus(story.Cost{Writes: 1, Deletes: 4, Reads: comparedAfterPost + comparedAfterEnds + comparedAfterDeletion}) // two ends, an event, a user
	if len(s.crowd) > mostAtOnce {
		c.Writes++
	}
	if n := len(s.events(s.crowd[0])); n-1 > 2 {
		c.Deletes += 2
	}
	return c
}

func (s Gathering) growCost() story.Cost {
	others := len(s.crowd) - mostAtOnce - 1
	if others <= 0 {
		return story.Cost{}
	}
	chunks := (others + mostAtOnce - 1) / mostAtOnce
	return story.Cost{Writes: chunks + 1, Reads: chunks + 4, Deletes: 1}
}

func (s Gathering) endCost() story.Cost {
	left := len(s.crowd) - 1
	if len(s.crowd) > mostAtOnce+1 { // growCost has another one
		left--
	}
	return story.Cost{Reads: repeatedReadings + 4, Deletes: left}
}
