// Package faults breaks the reference server on purpose: each fault is the
// smallest deviation that breaks one rule of the contract. They prove that the
// judge blames the broken rule, and show client developers a broken service.
// They wrap the server from outside: in front of its handler
// (handler.go), or between its handlers and its store (overrides.go).
//
// To add a fault, write one row in one file, and its witness in testdata/witnesses.txt
// (make witnesses finds one):
//
//	breaks("feed.unfollow", // the rule that it breaks
//		fault("sequence-second-unfollow-keeps-events", // its name: of those with a condition it begins with their kind
//			"what a user posted stays in the feed of who unfollows it for the second time", // the server's behaviour
//			breaking(stays(ended, func(l look) bool { return l.ever(ended, l.me, l.other) })))) // how
//
// A further rule that it necessarily breaks follows: .also(rule, reason). Faults that always
// show are in the file of the contract's part; faults that show under a condition are in the
// file of their kind (data_events.go, sequence_feeds.go).
//
// There are five ways to write the last part:
//
//   - breaking(effects...): an effect (effects_*.go) on what is read from the store or written to
//     it, such as stays, hides, list.lacks, misses, loginsFail or keeps, mostly where a condition
//     holds. A condition is asked of a look (conditions.go): who looks at whom or at which event,
//     and what the journal (journal.go) has of what happened before. racing is breaking for
//     operations that overlap.
//   - Changes of requests and answers (handler.go, request.go, response.go, object.go), such as
//     rewriteResponse(readsFeed(), status(203)) or creatingUser(mapText("url", cutTo(255))).
//   - A step around an operation of the store (operations.go): around, given, after or fails, such
//     as fails(toUpdate, said, condition). The effects above are made of these.
//   - Changes of answers where a condition holds (looking.go): answersWhere, eachWhere, requestsWhere.
//   - Changes of answers by what was asked before, or by a further question (requests.go): once,
//     recalls, cached, knowing and answers.
//
// Code that no other row needs is a function of its own, given to the store (overrides.go) or
// to one of these.
package faults

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/nearest"
	"github.com/socialfeed/conform/refserver"
)

// Fault is a named way to make the reference server break one rule.
type Fault struct {
	Name    string
	Rule    string        // the id of the rule that it breaks
	Summary string        // the server's behaviour, in one sentence
	Also    []Unavoidable // further rules that it necessarily breaks
	Kind    Kind          // when a fault of the second order shows; blank for the others
	// Apply changes the options of a server that is to have the fault.
	Apply func(*refserver.Options)
	// Listen, if set, changes how the server listens below TLS, for faults that the
	// options cannot express. The handler is the whole server.
	Listen func(net.Listener, http.Handler) net.Listener
}

// Unavoidable is a further rule that a fault necessarily breaks.
type Unavoidable struct {
	Rule   string
	Reason string
}

// All lists the faults of the first order, in the order of the contract's parts:
// each shows whenever somebody looks at its rule.
func All() []Fault {
	return slices.Concat(transport(), auth(), sessions(), users(), search(), connections(),
		social(), events(), feed(), versions(), errorResponses(), limits())
}

// Find finds a fault of either order by its name. The error for an unknown name suggests a
// similar one.
func Find(name string) (Fault, error) {
	var names []string
	for _, order := range []func() []Fault{All, SecondOrder} {
		for _, f := range order() {
			if f.Name == name {
				return f, nil
			}
			names = append(names, f.Name)
		}
	}
	near := nearest.To(name, names)
	if i := slices.IndexFunc(names, func(n string) bool { return name != "" && strings.Contains(n, name) }); near == "" && i >= 0 {
		near = names[i]
	}
	if near == "" {
		return Fault{}, fmt.Errorf("there is no fault %q", name)
	}
	return Fault{}, fmt.Errorf("there is no fault %q (did you mean %q?)", name, near)
}

// mutation changes the options of a server that is to have a fault.
type mutation = func(*refserver.Options)

// breaks puts faults under the rule that they break.
func breaks(rule string, rows ...Fault) []Fault {
	for i := range rows {
		rows[i].Rule = rule
	}
	return rows
}

// fault is the row of one fault.
func fault(name, summary string, apply mutation) Fault {
	return Fault{Name: name, Summary: summary, Apply: apply}
}

// also declares a further rule that the fault necessarily breaks.
func (f Fault) also(rule, reason string) Fault {
	f.Also = append(f.Also, Unavoidable{rule, reason})
	return f
}

// combine applies several mutations.
func combine(mutations ...mutation) mutation {
	return func(o *refserver.Options) {
		for _, apply := range mutations {
			apply(o)
		}
	}
}

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
// begin with their kind.
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
			inputLayouts(), inputSocial(), inputTransport(), inputUsers(), inputVersions()),
		ofKind(Sequence,
			sequenceAuthRecords(), sequenceAuthSessions(), sequenceConnections(), sequenceLists(), sequenceEvents(), sequenceUsers(),
			sequenceDeletedEvents(), sequenceFollowsInFeeds(), sequenceFeeds(), sequencePurges(), sequenceSearches(), sequenceSocials(),
			sequenceSessions(), sequenceTransport(),
			sequenceUsersUpdatePassword(), sequenceUsersUpdatePasswordFormer()),
		ofKind(Scale, scaleConnections(), scaleRest(), scaleFeeds()),
		ofKind(Repetition, repetitions()),
		ofKind(Concurrency,
			concurrencyConnectionsSocial(), concurrencyErrors(), concurrencyEventsSearch(), concurrencyFeed(),
			concurrencyFeedPurgeUnfollow(), concurrencyUsersSessions()),
		ofKind(Time, afterTime()),
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
