package scenarios

import (
	"maps"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// search judges the contract's part Endpoints, row 8 and rule 2. Others search
// for a user, since one may not find oneself.
func search(s *Suite) {
	searchFields(s)
	searchCase(s)
	searchUpdated(s)
	searchExcluded(s)
	searchLiteral(s)
	searchChoices(s)
}

func searchFields(s *Suite) {
	// search.status: A search answers 200 and an array of users.
	// search.exact: A search for a full user name finds that user.
	// search.user-name: A search finds the users whose user name contains the term.
	// search.first-name: A search finds the users whose first name contains the term.
	// search.last-name: A search finds the users whose last name contains the term.
	// search.email: A search finds the users whose email contains the term.
	s.Scenario("a search finds a user by each attribute, whole or in part",
		Covers("search.status", "search.exact", "search.user-name", "search.first-name", "search.last-name", "search.email"), func(t *T) {
			searcher := t.Actor()
			userName, first, last, local := threeParts(t), nameOf(t), nameOf(t), t.Short()
			user, created := newcomer(t, Fields{
				"user_name":  strings.Join(userName, ""),
				"first_name": first.whole(),
				"last_name":  last.whole(),
				"email":      "me" + local + "@example.com",
			})
			t.Judge("search.status", func(c *Check) {
				results := judgedList(t, c, searcher, SearchUsers, Query("q", user.UserName))
				t.Require("search.exact", results, haveUsers(user)) // an empty list has no elements to judge
			})
			t.Judge("search.exact", func(c *Check) {
				c.Eventually(found(t, searcher, user.UserName, user), haveUsers(user))
			})
			for _, attribute := range []struct {
				rule, field, value string
				terms              []string
			}{
				{"search.user-name", "user_name", user.UserName, userName},
				{"search.first-name", "first_name", first.whole(), first.terms()},
				{"search.last-name", "last_name", last.whole(), last.terms()},
				{"search.email", "email", user.Email, []string{"me" + local, local, local + "@example", local + "@example.com"}},
			} {
				t.Judge(attribute.rule, func(c *Check) {
					if echo := created.Record().Text(attribute.field); echo != attribute.value {
						t.Blocked("users.create.echo", "needs the new user's %s as it was sent, and got %q", attribute.field, echo)
					}
					for _, term := range attribute.terms {
						c.Eventually(found(t, searcher, term, user), haveUsers(user))
					}
				})
			}
		})
}

func searchCase(s *Suite) {
	// search.case-insensitive: Upper and lower case make no difference to a search.
	// search.unicode-case (should): Letters outside ASCII are matched without regard to case too.
	s.Scenario("upper and lower case make no difference to a search",
		Covers("search.case-insensitive", "search.unicode-case"), func(t *T) {
			searcher := t.Actor()
			t.Judge("search.case-insensitive", func(c *Check) {
				for _, stored := range []func(string) string{strings.ToLower, strings.ToUpper} {
					userName, firstName, lastName, local := t.Unique(), t.Unique(), t.Unique(), t.Unique()
					user := t.ActorWith(Fields{
						"user_name": stored(userName), "first_name": stored(firstName),
						"last_name": stored(lastName), "email": stored(local) + "@example.com",
					})
					for _, term := range []struct{ rule, text string }{
						{"search.exact", userName},
						{"search.first-name", firstName},
						{"search.last-name", lastName},
						{"search.email", local},
					} {
						if stored(term.text) == term.text { // the control: the attribute is searched
							t.Require(term.rule, found(t, searcher, term.text, user), haveUsers(user))
							term.text = strings.ToUpper(term.text)
						}
						c.Eventually(found(t, searcher, term.text, user), haveUsers(user))
					}
				}
			})
			t.Judge("search.unicode-case", func(c *Check) {
				upper, lower := t.Unique(), t.Unique()
				user := t.ActorWith(Fields{"first_name": "ÉДΑ" + upper, "last_name": "éдα" + lower})
				t.Require("search.first-name", found(t, searcher, upper, user), haveUsers(user))
				t.Require("search.last-name", found(t, searcher, lower, user), haveUsers(user))
				c.Eventually(found(t, searcher, "éдα"+upper, user), haveUsers(user))
				c.Eventually(found(t, searcher, "ÉДΑ"+lower, user), haveUsers(user))
			})
		})
}

// found searches for a term. Users are known by their names too: an id that is
// another one here is for the rule about ids.
func found(t *T, searcher *Actor, term string, known ...*Actor) func() []Record {
	results := userList(t, searcher, SearchUsers, Query("q", term))
	return func() []Record {
		users := results()
		for i, user := range users {
			if k := slices.IndexFunc(known, func(a *Actor) bool { return a.UserName == user.Text("user_name") }); k >= 0 {
				users[i] = maps.Clone(user)
				users[i]["id"] = known[k].ID.String()
			}
		}
		return users
	}
}

// threeParts are the beginning, the middle and the end of a text, each a term that occurs
// nowhere else.
func threeParts(t *T) []string { return []string{t.Short(), t.Short(), t.Short()} }

// name is a name of three words, of which the first and the last occur nowhere else and the
// middle is one that searches mishandle.
type name struct{ begins, middle, ends string }

func nameOf(t *T) name { return name{t.Short(), t.NameWord(), t.Short()} }

func (n name) whole() string { return n.begins + " " + n.middle + " " + n.ends }

// terms are parts of the name that find its bearer alone.
func (n name) terms() []string {
	return []string{n.begins, n.ends, n.begins + " " + n.middle, n.middle + " " + n.ends}
}
