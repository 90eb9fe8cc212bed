package model

import "slices"

// DeepStories returns the stories of a seed for a deep run, those that find most for their cost
// first. The one with a long wait comes early, so that others are played meanwhile.
func DeepStories(seed uint64) []Story {
	const readers, length, reads, steps, slots = 15, 24, 4, 80, 4
	rounds := 2 * len(pairsAtOnce()) // each of them either way round
	all := append(purges(seed, readers), afterLongWait(seed), longLists(seed))
	for i := range all {
		all[i].ShortAudit = i > 0 // the purge gets the full audit
	}
	all = append(all, concurrentPairs(seed, rounds)...)
	again := concurrentPairs(seed+1, rounds)[1:] // those with a deletion, in which each race is tried only once
	for i := range again {
		again[i].Stagger = 1 + int(seed%3)
	}
	all = append(all, again...)
	all = append(all, allValues(seed)...)
	all = append(all, repeatedWrites(seed)...)
	all = append(all, takenNames(seed), forbiddenWrites(seed), positions(seed), repeatedReads(seed, reads))
	all = append(all, interruptions(seed)...)
	all = append(all, shortSequences(seed, length)...)
	all = append(all, random(seed, steps, slots))
	return all
}

// PlainStories returns the stories of a seed for a run with few requests to spare, those that
// find most for their cost first: the first that fit are to be played.
func PlainStories(seed uint64, c Choices) []Story {
	const few, rounds, people, short = 4, 13, 21, 6
	var all []Story
	for _, size := range CombinedSizes() {
		all = append(all, CombinedStory(seed, c, size))
	}
	all = append(all, concurrentPairs(seed, rounds)...)
	for _, readers := range []int{15, 12, 10, 8} { // as many as fit
		all = append(all, purges(seed, readers)[0])
	}
	all = append(all, manyConnections(seed, people))
	all = append(all, purges(seed+1, few)...)
	all = append(all, shortSequences(seed, short)...)
	return all
}

// ExtraStories returns the stories of a seed for a run that may send some hundreds of requests more than a
// plain one, those that find most for their cost first: as in a deep run, without a wait.
func ExtraStories(seed uint64, c Choices) []Story {
	all := []Story{CombinedStory(seed, c, CombinedSizes()[0])}
	for _, s := range DeepStories(seed) {
		if !slices.ContainsFunc(s.Ops, func(o Op) bool { return o.Kind == Wait }) {
			all = append(all, s)
		}
	}
	return all
}
