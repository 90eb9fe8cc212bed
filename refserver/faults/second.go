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
// begin with their kind, and they stand in the file of their kind and of the part
// of the contract that they break: second_sequence_feed_purge_followers.go has the
// sequences that break feed.purge.followers.
//
// Most of them were written by people who knew the contract and this package, and
// not what the judge looks at; their names do not tell which.
//
// Servers may cap lists and feeds. So beyond some number the faults of scale lose
// what stands among others, repeat it or misplace it, and beyond a few more, which
// no server may cap, what stands at the end.
func SecondOrder() []Fault {
	return slices.Concat(
		ofKind(Data,
			dataAuth(), dataConnections(), dataErrors(), dataEventsCreate(), dataEventsUpdate(), dataFeedEvents(),
			dataFeedFollows(), dataFeedPurge(), dataFeedReading(), dataLimits(), dataSearch(), dataSessions(),
			dataSocial(), dataTransport(), dataUsersCreate(), dataUsersMe(), dataUsersRead()),
		ofKind(Endpoint,
			endpointAuth(), endpointConnectionsSocial(), endpointErrorsVersions(), endpointEventsLimits(),
			endpointTransport(), endpointUsersSessions()),
		ofKind(Input,
			inputAuth(), inputConnections(), inputErrors(), inputEvents(), inputLimits(), inputSessions(),
			inputSocial(), inputTransport(), inputUsers(), inputVersions()),
		ofKind(Sequence,
			sequenceAuthRecords(), sequenceAuthSessions(), sequenceConnectionsCreate(), sequenceConnectionsDelete(),
			sequenceConnectionsLists(), sequenceConnectionsListsAfterDeletion(), sequenceConnectionsListsFollowers(), sequenceErrors(),
			sequenceEventsCreateDelete(), sequenceEventsUpdate(), sequenceFeedEventDelete(), sequenceFeedFollowEarlierEvents(),
			sequenceFeedFollowNewEvents(), sequenceFeedPurgeFollowers(), sequenceFeedPurgeOthers(),
			sequenceFeedReading(), sequenceFeedUnfollow(), sequenceFeedUpdateVisible(), sequenceLimits(), sequenceSearchAttributes(),
			sequenceSearchExclusions(), sequenceSessionsDeletedUser(), sequenceSessionsLogin(), sequenceSessionsLogout(),
			sequenceSessionsLogoutRevived(), sequenceSocial(), sequenceTransport(), sequenceUsersCreateRead(), sequenceUsersDelete(),
			sequenceUsersUpdate(), sequenceUsersUpdatePassword(), sequenceUsersUpdatePasswordFormer()),
		ofKind(Scale,
			scaleConnectionsSocial(), scaleErrorsTransport(), scaleEventsSearch(), scaleFeedEvents(),
			scaleFeedFollows(), scaleFeedPurge(), scaleFeedReading(), scaleLimits(), scaleUsersSessions()),
		ofKind(Repetition,
			repetitionConnectionsSocial(), repetitionErrorsLimits(), repetitionEventsSearch(), repetitionFeed(),
			repetitionTransportVersions(), repetitionUsersSessions()),
		ofKind(Concurrency,
			concurrencyConnectionsSocial(), concurrencyErrors(), concurrencyEventsSearch(), concurrencyFeed(),
			concurrencyFeedPurgeUnfollow(), concurrencyUsersSessions()),
		ofKind(Time,
			timeConnectionsSocial(), timeEventsSearch(), timeFeed(), timeUsersSessions()),
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
