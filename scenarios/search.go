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
			userName, firstName, lastName, local := threeParts(t), threeParts(t), threeParts(t), t.Short()
			user := t.ActorWith(Fields{
				"user_name":  strings.Join(userName, ""),
				"first_name": strings.Join(firstName, " "),
				"last_name":  strings.Join(lastName, " "),
				"email":      "me" + local + "@example.com",
			})
			t.Judge("search.status", func(c *Check) {
				results := judgedList(t, c, searcher, SearchUsers, Query("q", user.UserName))
				t.Require("search.exact", results, haveUsers(user)) // an empty answer tells nothing of its elements
			})
			t.Judge("search.exact", func(c *Check) {
				c.Eventually(found(t, searcher, user.UserName, user), haveUsers(user))
			})
			for _, attribute := range []struct {
				rule  string
				terms []string
			}{
				{"search.user-name", userName},
				{"search.first-name", append(firstName, firstName[0]+" "+firstName[1])},
				{"search.last-name", append(lastName, lastName[1]+" "+lastName[2])},
				{"search.email", []string{"me" + local, local, local + "@example", local + "@example.com"}},
			} {
				t.Judge(attribute.rule, func(c *Check) {
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
						if stored(term.text) == term.text { // needs the attribute to be searched at all
							t.Require(term.rule, found(t, searcher, term.text, user), haveUsers(user))
							term.text = strings.ToUpper(term.text)
						}
						c.Eventually(found(t, searcher, term.text, user), haveUsers(user))
					}
				}
			})
			t.Judge("search.unicode-case", func(c *Check) {
				upper, lower := t.Unique(), t.Unique()
				user := t.ActorWith(Fields{"first_name": "É" + upper, "last_name": "é" + lower})
				t.Require("search.first-name", found(t, searcher, upper, user), haveUsers(user))
				t.Require("search.last-name", found(t, searcher, lower, user), haveUsers(user))
				c.Eventually(found(t, searcher, "é"+upper, user), haveUsers(user))
				c.Eventually(found(t, searcher, "É"+lower, user), haveUsers(user))
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

// threeParts are the beginning, the middle and the end of a text, each of them
// a term that stands nowhere else.
func threeParts(t *T) []string { return []string{t.Short(), t.Short(), t.Short()} }
