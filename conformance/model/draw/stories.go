package draw

import (
	"slices"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// Deep returns the stories of a seed for a deep run, those that find most for their cost
// first. The one with a long wait comes early, so that others are played meanwhile.
func Deep(seed uint64) []story.Story {
	first, others := deep(seed)
	return slices.Concat(first, []story.Story{crowd(seed)}, others)
}

// crowd draws the story of more users and events than a page, batch or cache of 128 holds.
func crowd(seed uint64) story.Story {
	const more = 130
	return ManyConnections(seed, more)
}

// deep returns the stories of a deep run in which few users take part: those of some steps, and those of many.
func deep(seed uint64) (first, others []story.Story) {
	const readers, length, reads, steps, slots = 15, 24, 4, 80, 4
	rounds := 2 * len(pairsAtOnce()) // each of them either way round
	all := append(Purges(seed, readers), AfterLongWait(seed), LongLists(seed))
	for i := range all {
		all[i].ShortAudit = i > 0 // the purge gets the full audit
	}
	all = append(all, ConcurrentPairs(seed, rounds)...)
	again := ConcurrentPairs(seed+1, rounds)[1:] // those with a deletion, in which each race is tried only once
	for i := range again {
		again[i].Stagger = 1 + int(seed%3)
	}
	first = append(all, again...)
	all = AllValues(seed)
	all = append(all, RepeatedWrites(seed)...)
	all = append(all, takenNames(seed), ForbiddenWrites(seed), positions(seed), RepeatedReads(seed, reads))
	all = append(all, Interruptions(seed)...)
	all = append(all, ShortSequences(seed, length)...)
	return first, append(all, Random(seed, steps, slots))
}

// Plain returns the stories of a seed for a run with few requests to spare, those that
// find most for their cost first: the first that fit are to be played.
func Plain(seed uint64, c leeway.Choices) []story.Story {
	const few, rounds, people, short = 4, 13, 21, 6
	var all []story.Story
	for _, size := range Sizes() {
		all = append(all, Combined(seed, c, size))
	}
	all = append(all, ConcurrentPairs(seed, rounds)...)
	for _, readers := range []int{15, 12, 10, 8} { // as many as fit
		all = append(all, Purges(seed, readers)[0])
	}
	all = append(all, ManyConnections(seed, people))
	all = append(all, Purges(seed+1, few)...)
	all = append(all, ShortSequences(seed, short)...)
	return all
}

// Extra returns the stories of a seed for a run that may send some hundreds of requests more than a
// plain one, those that find most for their cost first: as in a deep run, without a wait.
func Extra(seed uint64, c leeway.Choices) []story.Story {
	all := []story.Story{Combined(seed, c, Sizes()[0]), crowd(seed)}
	first, others := deep(seed)
	for _, s := range slices.Concat(first, others) {
		if !slices.ContainsFunc(s.Ops, func(o story.Op) bool { return o.Kind == story.Wait }) {
			all = append(all, s)
		}
	}
	return all
}
