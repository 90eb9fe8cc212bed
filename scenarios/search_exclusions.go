package scenarios

import (
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// searchExcluded judges whom a search leaves out.
func searchExcluded(s *Suite) {
	s.Scenario("a search leaves out the users without the term",
		Judges("search.non-match-excluded", "search.no-match-empty"), func(t *Trial) {
			searcher := t.Actor()
			head, tail := t.Unique(), t.Unique()
			stranger := t.Actor()
			beginning := t.ActorWith(Fields{"user_name": head})
			halves := t.ActorWith(Fields{"first_name": head, "last_name": tail})
			match := t.ActorWith(Fields{"user_name": head + tail})
			t.Judge("search.non-match-excluded", func(c *Check) {
				results := found(t, searcher, head+tail, match, stranger, beginning, halves)
				t.Await("search.exact", hasUsers(results, match))
				c.EventuallyForGood(hasNoUsers(results, stranger, beginning, halves))
				twoWords := found(t, searcher, head+" "+t.Unique(), match, beginning, halves)
				c.EventuallyForGood(hasNoUsers(twoWords, match, beginning, halves))
			})
			t.Judge("search.no-match-empty", func(c *Check) {
				answer := t.Send(searcher, SearchUsers, Query("q", t.Unique()))
				if !isList(answer) { // the endpoint may be broken, and not the empty answer
					awaitList(t, func() *Answer { return t.Send(searcher, SearchUsers, Query("q", match.UserName)) }, SearchUsers)
				}
				isEmptyList(c, answer)
			})
		})
	s.Scenario("a deleted user is no longer found",
		Judges("search.deleted-excluded"), func(t *Trial) {
			searcher, term := t.Actor(), t.Unique()
			named := func(ending string) Fields {
				name := term + ending
				return Fields{"user_name": name, "first_name": name, "last_name": name, "email": name + "@example.com"}
			}
			leaver, stays := t.ActorWith(named("a")), t.ActorWith(named("b"))
			results := found(t, searcher, term, leaver, stays)
			t.Await("search.user-name", hasUsers(results, leaver, stays))
			leaver.Delete()
			t.Judge("search.deleted-excluded", func(c *Check) {
				c.EventuallyForGood(hasKept(results, stays, leaver))
			})
		})
}

// searchLiteral judges characters that pattern languages give a meaning to.
func searchLiteral(s *Suite) {
	s.Scenario(`the characters % _ * . and \ mean themselves in a search`,
		Judges("search.literal-term"), func(t *Trial) {
			searcher := t.Actor()
			head, tail := t.Unique(), t.Unique()
			// Read as a pattern, each character matches another one, or none at all:
			// this user, and those with the other characters.
			plain := t.ActorWith(Fields{"first_name": head + tail, "last_name": head + "z" + tail})
			characters := strings.Split(`%_*.\`, "")
			bearers := make([]*Actor, len(characters))
			for i, character := range characters {
				bearers[i] = t.ActorWith(Fields{"first_name": head + character + tail})
			}
			t.Judge("search.literal-term", func(c *Check) {
				t.Await("search.first-name", hasUsers(found(t, searcher, head, bearers...), bearers...))
				t.Await("search.non-match-excluded", exactly(found(t, searcher, head+tail, plain), plain))
				for i, character := range characters {
					term := head + character + tail
					if answer := t.Send(searcher, SearchUsers, Query("q", term)); answer.Status()/100 == 4 {
						c.Fail("the term "+term+" to be searched for, as terms of letters are", fmt.Sprint(answer.Status()))
					}
					c.EventuallyForGood(exactly(found(t, searcher, term, bearers[i]), bearers[i]))
				}
			})
			furtherCharacters(t, searcher)
		})
}

// furtherCharacters searches for others that languages give a meaning to. The
// contract does not name them, and a name may be refused for them.
func furtherCharacters(t *Trial, searcher *Actor) {
	name := t.Unique() + `'"([{+?^$|&#;/<` + t.Unique()
	fields := t.NewUser(Fields{"first_name": name})
	created := createUser(t, fields, Query("withLogin", "true"))
	t.Judge("search.literal-term", func(c *Check) {
		if !created.Succeeded() || created.Record().Text("first_name") != name {
			return
		}
		bearer := t.ActorOf(fields, created)
		t.Await("search.exact", hasUsers(found(t, searcher, bearer.UserName, bearer), bearer))
		answer := t.Send(searcher, SearchUsers, Query("q", name))
		c.True(answer.Status()/100 != 4, "a search for "+name, fmt.Sprint(answer.Status()))
		c.Eventually(hasUsers(found(t, searcher, name, bearer), bearer))
	})
}

// searchChoices asks what the contract leaves open about searches.
func searchChoices(s *Suite) {
	s.Scenario("a search with an empty term, without one, and for a term of the user's own",
		Judges("search.blank-query", "search.self"), func(t *Trial) {
			term := t.Unique()
			self := t.ActorWith(Fields{"user_name": term + "a"})
			control := t.ActorWith(Fields{"user_name": term + "b"})
			t.Judge("search.blank-query", func(c *Check) {
				t.Await("search.exact", hasUsers(found(t, self, control.UserName, control), control))
				finds := func(answer *Answer) string {
					if !answer.Succeeded() {
						return fmt.Sprintf("refused with %d", answer.Status())
					}
					if len(answer.Records()) == 0 {
						return "no users"
					}
					return "users"
				}
				c.Observe("q empty: %s; q missing: %s",
					finds(t.Send(self, SearchUsers, Query("q", ""))), finds(t.Send(self, SearchUsers)))
			})
			t.Judge("search.self", func(c *Check) {
				results := found(t, self, term, self, control)
				t.Await("search.user-name", hasUsers(results, control)) // made later: the results are up to date
				if hasUsers(results, self)() == (Problem{}) {
					c.Observe("included")
				}
				c.Observe("left out")
			})
		})
}
