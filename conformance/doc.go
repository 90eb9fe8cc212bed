// Package conformance is the judge of a Social Activity Feed Service: the language
// that scenarios are written in, and the runner that plays them.
//
// A scenario is a short story told with a [T]. It creates actors, which do things
// on the target; what an [Actor] does is arranged: when it fails, what needs it is
// blocked. The scenario judges rules of the catalogue (package rules), each by a [Check]:
//
//	func feed(s *conformance.Suite) {
//		s.Scenario("a follower's feed shows new events", conformance.Covers("feed.follow.new-events"), func(t *conformance.T) {
//			reader, author := t.Actor(), t.Actor()
//			reader.Follow(author)
//			event := author.Post(nil)
//			t.Judge("feed.follow.new-events", func(c *conformance.Check) { ... })
//		})
//	}
//
// [Run] plays the scenarios that such functions add against a [Target] and returns
// the report (package result). [Specs] declares them as specs of a Ginkgo suite of
// one's own.
//
// The judge meets a target on the wire alone. A check is soft: when it fails, the
// scenario goes on with the next one.
package conformance
