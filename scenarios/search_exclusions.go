package scenarios

import (
	"cmp"
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// searchExcluded judges which users a search must not find.
func searchExcluded(s *Suite) {
	// search.exact: A search for a full user name finds that user.
	// search.user-name: A search finds the users whose user name contains the term.
	// search.non-match-excluded: A search leaves out the users that have the term in no attribute.
	// search.no-match-empty: A search without matches answers an empty array.
	s.ScenarioWithRecheck("a search leaves out the users without the term",
		Covers("search.non-match-excluded", "search.no-match-empty", "search.exact", "search.user-name"), nearMissesLeftOut)
	// search.deleted-excluded: A deleted user is no longer found.
	s.ScenarioWithRecheck("a deleted user is no longer found",
		Covers("search.deleted-excluded"), func(t *T) {
			searcher, term := t.AnyActor(), t.Short()
			named := func(ending string) Fields {
				name := term + ending
				return Fields{"user_name": name, "first_name": name, "last_name": name, "email": name + "@example.com"}
			}
			leaver, stays := t.ActorWith(named("a")), t.ActorWith(named("b"))
			results := found(t, searcher, term, leaver, stays)
			t.Require("search.user-name", results, haveUsers(leaver, stays))
			leaver.Delete()
			t.Judge("search.deleted-excluded", func(c *Check) {
				const turns = 4 // nodes of a target may take turns
				for range turns {
					c.EventuallyStays(results, haveKept(stays, leaver))
				}
				for _, whole := range []string{leaver.UserName, leaver.Email} {
					c.Eventually(found(t, searcher, whole, leaver), lackUsers(leaver))
				}
			})
		})
}

// nearMissesLeftOut searches for a term that one user has and others nearly have.
func nearMissesLeftOut(t *T) {
	const shortTerm = 3
	searcher := t.AnyActor()
	one, other, mailbox := t.Short(), t.Short(), t.Short()
	head, tail := "k"+one+"sc", other+"w"
	// Near misses, in every attribute: a letter more, less or another, at the
	// beginning, the end and in between, and two letters that changed places.
	// A hyphen counts. The emails differ where patterns do not, and words.
	// All are made of the same words, so that a script can make them too.
	near := t.ActorWith(Fields{"user_name": "k" + one + "c" + tail, "first_name": one + "sc" + tail, "last_name": head + "-" + tail,
		"email": mailbox + "qb@example.com"})
	odd := t.ActorWith(Fields{"user_name": head + other + "q", "first_name": "k" + one + "sd" + tail, "last_name": "k" + one + "cs" + tail})
	halves := t.ActorWith(Fields{"user_name": head, "first_name": head, "last_name": tail, "email": mailbox + "_b@example.org"})
	match := t.ActorWith(Fields{"user_name": head + tail, "email": mailbox + "_b@example.com"})
	results := found(t, searcher, head+tail, match, near, odd, halves)
	t.Judge("search.exact", func(c *Check) { c.EventuallyStays(results, haveUsers(match)) })
	t.Judge("search.non-match-excluded", func(c *Check) {
		t.Require("search.exact", results, haveUsers(match))
		c.EventuallyStays(results, haveNobodyBut(match)) // no other user can have a text that was just made up
		twoWords := found(t, searcher, head+" "+t.Unique(), match, halves)
		c.EventuallyStays(twoWords, lackUsers(match, halves))
		without := found(t, searcher, "-"+head+tail, match) // which means "without" to some engines
		c.Eventually(without, lackUsers(match))
		c.Eventually(found(t, searcher, head+tail+"s", match), lackUsers(match)) // which means several to some
		c.Eventually(found(t, searcher, `"`+head+tail+`"`, match), lackUsers(match))
		byEmail := found(t, searcher, match.Email, match, near, odd, halves)
		t.Require("search.email", byEmail, haveUsers(match))
		c.EventuallyStays(byEmail, haveNobodyBut(match))
	})
	t.Judge("search.user-name", func(c *Check) {
		// The term is in two fields of one of them.
		c.Eventually(found(t, searcher, match.UserName[:shortTerm], match, halves),
			unlessMany(func(list []Record) Mismatch {
				return cmp.Or(missing("user", idsOfUsers([]*Actor{match}), list), notOnce("user", idsOfUsers([]*Actor{halves}), list))
			}))
	})
	t.Judge("search.no-match-empty", func(c *Check) {
		answer := t.Send(searcher, SearchUsers, Query("q", t.Unique()))
		if !isList(answer) { // the endpoint itself may be broken
			awaitList(t, func() *Answer { return t.Send(searcher, SearchUsers, Query("q", match.UserName)) }, SearchUsers)
		}
		isEmptyList(c, answer)
	})
}

// searchLiteral judges that characters with a meaning in pattern languages match
// themselves alone.
func searchLiteral(s *Suite) {
	// search.non-match-excluded: A search leaves out the users that have the term in no attribute.
	// search.literal-term: The characters % _ * . and \ stand for themselves in a search term, not for a pattern.
	s.Scenario(`the characters % _ * . and \ mean themselves in a search`,
		Covers("search.literal-term", "search.non-match-excluded"), func(t *T) {
			searcher := t.AnyActor()
			head, tail := t.Unique(), t.Unique()
			// As a pattern, each character would match another one or none: this user and
			// those with the other characters.
			plain := t.ActorWith(Fields{"first_name": head + tail, "last_name": head + "z" + tail})
			term := func(character string) string { return head + character + tail }
			wild := t.ActorWith(Fields{"first_name": term("%"), "last_name": term("*")})
			single := t.ActorWith(Fields{"first_name": term("_"), "last_name": term(".")})
			escape := t.ActorWith(Fields{"first_name": term(`\`)})
			t.Judge("search.literal-term", func(c *Check) {
				t.Require("search.first-name", found(t, searcher, head, wild, single, escape), haveUsers(wild, single, escape))
				t.Require("search.last-name", found(t, searcher, head+"z", plain), haveUsers(plain))
				t.Require("search.non-match-excluded", found(t, searcher, head+tail, plain), haveExactly(plain))
				for _, each := range []struct {
					character string
					bearer    *Actor
				}{{"%", wild}, {"*", wild}, {"_", single}, {".", single}, {`\`, escape}} {
					c.Eventually(searchable(t, c, searcher, term(each.character), each.bearer), haveExactly(each.bearer))
				}
				c.Eventually(searchable(t, c, searcher, head+`\`, escape), haveExactly(escape)) // at the end it escapes the term's closing quote
				for _, escaped := range []string{`\%`, `\_`} {                                  // two characters that nobody has
					answer := t.Send(searcher, SearchUsers, Query("q", term(escaped)))
					if !isList(answer) {
						continue // which search.status judges
					}
					if users := identified(answer.Records(), []*Actor{plain, wild, single, escape}); !matches(lackUsers(plain, wild, single, escape), users) {
						t.Require("search.no-match-empty", found(t, searcher, term(t.Short())), haveNobodyBut())
						c.Decide(answer)
						c.Expect(users, lackUsers(plain, wild, single, escape))
					}
				}
				// Operators of further languages, which would find the plain user.
				for _, operator := range []string{"^" + head + tail, head + tail + "$", head + "?" + tail[1:], head + tail + "|" + tail + head, head + tail + "~"} {
					c.Eventually(found(t, searcher, operator, plain), lackUsers(plain))
				}
			})
			furtherCharacters(t, searcher)
		})
}

// furtherCharacters searches for others that languages give a meaning to. The
// contract does not name them, and a name may be refused for them.
func furtherCharacters(t *T, searcher *Actor) {
	first, last, apart := t.Short(), t.Short(), t.Short()
	names := Fields{"first_name": first + `'` + apart + `"([{+?^圖書`, "last_name": last + `$|&#;/<\\%41` + t.Short()}
	fields := t.NewUser(joined(names, Fields{"user_name": t.Short() + ":" + t.Short() + "@(&" + t.Short()}))
	created := createUser(t, fields, Query("withLogin", "true"))
	if !created.Succeeded() { // perhaps for its user name
		fields = t.NewUser(names)
		created = createUser(t, fields, Query("withLogin", "true"))
	}
	var whole *Actor // found by the whole of both names
	t.Judge("search.literal-term", func(c *Check) {
		if !created.Succeeded() || len(storedFields(names, created.Record())) < len(names) {
			return
		}
		bearer := t.ActorOf(fields, created)
		for _, known := range []struct{ rule, field, word string }{{"search.first-name", "first_name", first}, {"search.last-name", "last_name", last}} {
			t.Require(known.rule, found(t, searcher, known.word, bearer), haveUsers(bearer))
			c.Eventually(searchable(t, c, searcher, names[known.field].(string), bearer), haveUsers(bearer))
		}
		c.Eventually(found(t, searcher, first+apart, bearer), lackUsers(bearer))
		whole = bearer
		if created.Record().Text("user_name") == bearer.UserName {
			t.Require("search.user-name", found(t, searcher, bearer.UserName[:len(apart)], bearer), haveUsers(bearer))
			allButOne := bearer.UserName[:len(bearer.UserName)-1] // a whole name is for search.exact
			c.Eventually(searchable(t, c, searcher, allButOne, bearer), haveUsers(bearer))
		}
	})
	t.Judge("search.non-match-excluded", func(c *Check) {
		if whole != nil {
			c.Eventually(found(t, searcher, last+"$|&amp;", whole), lackUsers(whole)) // as pages are written, not names
		}
	})
}

// searchChoices records the points that the contract leaves open about searches.
func searchChoices(s *Suite) {
	// search.blank-query (choice): How a search with an empty term, or without one, is answered is left open.
	// search.self (choice): Whether the searching user is itself among the results is left open.
	s.Scenario("a search with an empty term, without one, and for a term of the user's own",
		Covers("search.blank-query", "search.self"), func(t *T) {
			term := t.Unique()
			self := t.ActorWith(Fields{"user_name": term + "a"})
			control := t.ActorWith(Fields{"user_name": term + "b"})
			t.Judge("search.blank-query", func(c *Check) {
				t.Require("search.exact", found(t, self, control.UserName, control), haveUsers(control))
				for _, odd := range [][]With{ // for the passive rules
					{Query("q", control.UserName), Query("q", term)}, {Query("q[]", term)}, {Query("q[a]", term)}, {Query("q", "a\x00")}, {Query("q", "\xff\xfe")}, {Query("q", strings.Repeat("long", 300))}, {RawQuery("q=" + term + "%zz")},
					{Query("q", term), Query("limit", "-1"), Query("offset", "-1"), Query("page", "a"), Query("sort", "'")},
				} {
					t.Send(self, SearchUsers, append(odd, Sample())...)
				}
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
					finds(t.Send(self, SearchUsers, Query("q", ""), Sample())), finds(t.Send(self, SearchUsers, Sample())))
			})
			t.Judge("search.self", func(c *Check) {
				results := found(t, self, term, self, control)
				t.Require("search.user-name", results, haveUsers(control)) // made later: the results are up to date
				if matches(haveUsers(self), results()) {
					c.Observe("included")
				}
				c.Observe("left out")
			})
		})
}
