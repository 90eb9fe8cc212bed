package faults

import "slices"

// Kind says when a fault of the second order shows.
type Kind string

// The kinds of faults of the second order.
const (
	Data        Kind = "data"        // with certain values only
	Endpoint    Kind = "endpoint"    // at one endpoint of several that a rule stands for
	Input       Kind = "input"       // with one class of bad input
	Sequence    Kind = "sequence"    // after certain steps in a certain order
	Scale       Kind = "scale"       // beyond a certain number of things
	Repetition  Kind = "repetition"  // at one of many repetitions
	Concurrency Kind = "concurrency" // where two operations overlap
	Time        Kind = "time"        // a while later
)

// SecondOrder lists the faults of the second order: each breaks one rule like a
// fault of the first, but shows under certain circumstances only. Their names
// begin with their kind. Those called blind, drawn, and fourth to fourteenth were written by somebody who
// knew the contract and this package, and not what the judge looks at.
func SecondOrder() []Fault {
	return slices.Concat(
		ofKind(Data, userData(), loginData(), searchData(), eventData(), feedData(), socialData(), mixedData(),
			blindUserData(), blindSearchData(), blindEventData(),
			blindTexts(), blindTerms(), blindActivities(), blindTimelines(),
			blindPeople(), blindDetails(),
			drawnUserData(), drawnEventData(), edgeData(),
			thirdUserData(), thirdSearchData(), thirdEventData(),
			fourthUserData(), fourthEventData(), fourthFeedData(),
			fifthUserData(), fifthEventData(), sixthUserData(), sixthEventData(), seventhUserData(), seventhEventData(),
			eighthUserData(), eighthEventData(), ninthUserData(), ninthEventData(), tenthUserData(), tenthEventData(),
			eleventhUserData(), eleventhEventData(), twelfthUserData(), twelfthEventData(),
			thirteenthUserData(), fourteenthUserData(), thirteenthEventData(), fourteenthEventData()),
		ofKind(Endpoint, endpointCredentials(), endpointHeaders(), endpointBodies(), endpointLimits(), mixedEndpoints(),
			blindEndpoints(), blindAnswers(), blindExits(), drawnEndpoints(), edgeEndpoints(), thirdEndpoints(), fourthEndpoints(), fifthEndpoints(), sixthEndpoints(), seventhEndpoints(),
			eighthEndpoints(), ninthEndpoints(), tenthEndpoints(), eleventhEndpoints(), twelfthEndpoints(), thirteenthEndpoints(), fourteenthEndpoints()),
		ofKind(Input, userInput(), connectionInput(), eventInput(), metadataInput(), failingInput(), unknownInput(),
			blindInput(), blindRemains(), blindBodies(), blindReferences(), blindLenience(),
			drawnInput(), edgeInput(), thirdInput(), fourthInput(), fifthInput(), sixthInput(), seventhInput(),
			eighthInput(), ninthInput(), tenthInput(), eleventhInput(), twelfthInput(), thirteenthInput(), fourteenthInput()),
		ofKind(Sequence, sessionSequences(), userSequences(), connectionSequences(), identifierSequences(), eventSequences(), purgeSequences(), mixedSequences(),
			blindFeedSequences(), blindEventSequences(), blindConnectionSequences(), blindUserSequences(), blindSequencesOfFeeds(), blindSequencesOfUsers(),
			blindTimelineSequences(), blindCacheSequences(), blindSessionSequences(),
			blindEchoes(), blindSignIns(),
			drawnUpdateSequences(), drawnConnectionSequences(), drawnFeedSequences(), edgeSequencesOfUsers(), edgeSequencesOfConnections(),
			thirdSequencesOfUsers(), thirdSequencesOfFeeds(), fourthSequencesOfUsers(), fourthSequencesOfConnections(),
			fifthSequencesOfUsers(), fifthSequencesOfFeeds(), sixthSequencesOfUsers(), sixthSequencesOfConnections(), sixthSequencesOfFeeds(), seventhSequencesOfConnections(), seventhSequencesOfFeeds(),
			eighthSequencesOfUsers(), eighthSequencesOfFeeds(), ninthSequencesOfUsers(), ninthSequencesOfConnections(), ninthSequencesOfFeeds(), tenthSequencesOfUsers(), tenthSequencesOfConnections(),
			eleventhSequencesOfUsers(), eleventhSequencesOfFeeds(), twelfthSequencesOfUsers(), twelfthSequencesOfFeeds(),
			thirteenthSequencesOfUsers(), fourteenthSequencesOfUsers(), thirteenthSequencesOfFeeds(), fourteenthSequencesOfFeeds()),
		ofKind(Scale, feedScale(), listScale(), purgeScale(),
			blindScale(), blindBatches(), blindCounts(), drawnScale(), edgeScale(), thirdScale(), fourthScale(), fifthScale(), sixthScale(), seventhScale(),
			eighthScale(), ninthScale(), tenthScale(), eleventhScale(), twelfthScale(), thirteenthScale(), fourteenthScale()),
		ofKind(Repetition, repeatedReads(), repeatedWrites(),
			blindRepetition(), blindNodes(), blindAgain(), drawnRepetition(), edgeRepetition(), thirdRepetition(), fourthRepetition(), fifthRepetition(), sixthRepetition(), seventhRepetition(),
			eighthRepetition(), tenthRepetition(), eleventhRepetition(), twelfthRepetition(), thirteenthRepetition(), fourteenthRepetition()),
		ofKind(Concurrency, concurrentWrites(), concurrentSessions(), concurrentFeeds(),
			blindConcurrency(), blindOverlaps(), blindMeanwhile(), drawnConcurrency(), edgeConcurrency(), thirdConcurrency(), fourthConcurrency(), fifthConcurrency(), sixthConcurrency(), seventhConcurrency(),
			eighthConcurrency(), ninthConcurrency(), tenthConcurrency(), eleventhConcurrency(), twelfthConcurrency(), thirteenthConcurrency(), fourteenthConcurrency()),
		ofKind(Time, laterReturns(), laterLosses(),
			blindTime(), blindArchive(), thirdTime(), fifthTime(), eighthTime(), ninthTime(), tenthTime(), thirteenthTime()),
	)
}

// ofKind names the kind of faults.
func ofKind(kind Kind, lists ...[]Fault) []Fault {
	faults := slices.Concat(lists...)
	for i := range faults {
		faults[i].Kind = kind
	}
	return faults
}
