package story

import "iter"

// PlainStory returns the one story of a run with few requests to spare: what is new for what the budget
// allows. Of its users so many exist already, and need not be created.
func (g *Generator) PlainStory(budget Cost, existing int) Story {
	const perUser, most, fewest = 8, 20, 4 // writes
	users := max(fewest, min(most, (budget.Writes+existing)/perUser))
	return g.Story(Shape{Name: "plain", Users: users, Existing: min(existing, users), Budget: budget, Views: 2, Late: 0.7, Deleted: 1, Races: 5, Again: min(3, budget.Reads/100),
		Events: min(21, budget.Writes/8), Follows: min(4, budget.Writes/40), Sessions: min(4, budget.Writes/40)})
}

// DeepStories yields the stories of a round, those that find most for their requests first: everything
// that few users can do with each other, races of all kinds, sizes that double, and a second look long
// after. The coverage of the generator goes on from round to round. With two applications some of the
// stories are in both.
func (g *Generator) DeepStories(apps int) iter.Seq[Story] {
	const large = 128 // of users, events and followers
	few, many := Cost{Writes: 120, Reads: 260, Deletes: 80}, Cost{Writes: 220, Reads: 500, Deletes: 120}
	shapes := []Shape{
		{Name: "many ways to be connected", Users: 20, Budget: many, Views: 3, Events: 16, Follows: 6, Sessions: 4, Late: 0.6, Deleted: 3, Races: 2, Again: 8},
		{Name: "a long wait", Users: 8, Budget: many, Views: 2, Events: 4, Follows: 3, Sessions: 3, Late: 0.6, Deleted: 1, Waits: 1},
		{Name: "sequences of few users", Users: 4, Budget: few, Views: 6, Events: 2, Late: 0.7},
		{Name: "at the same time", Users: 4, Budget: few, Views: 4, Events: 2, Sessions: 3, Late: 0.7, Races: 10},
		{Name: "at the same time, apart", Users: 4, Budget: few, Views: 4, Events: 2, Sessions: 3, Late: 0.7, Races: 10, Stagger: 1 + g.IntN(3)},
		{Name: "sequences of three users", Users: 3, Budget: few, Views: 6, Late: 0.5, Deleted: 1},
		{Name: "large values", Users: 4, Budget: few, Views: 4, Events: 4, Late: 0.8, Large: true},
		{Name: "large numbers", Users: large, Budget: Cost{Writes: 5 * large, Reads: 4 * large, Deletes: 2 * large}, Views: 2, Events: large, Follows: large / 4, Sessions: 8, Late: 0.9, Deleted: 1},
	}
	between := Shape{Name: "two applications", Users: 6, Apps: apps, Budget: few, Views: 6, Events: 2, Late: 0.6, Races: 1}
	return func(yield func(Story) bool) {
		for _, shape := range shapes {
			if !yield(g.Story(shape)) || apps > 1 && !yield(g.Story(between)) {
				return
			}
		}
	}
}
