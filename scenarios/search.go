package scenarios

import (
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
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
	s.Scenario("a search finds a user by each attribute, whole or in part",
		Judges("search.status", "search.exact", "search.user-name", "search.first-name", "search.last-name", "search.email"), func(t *Trial) {
			searcher := t.Actor()
			userName, firstName, lastName, local := threeParts(t), threeParts(t), threeParts(t), threeParts(t)
			user := t.ActorWith(Fields{
				"user_name":  strings.Join(userName, ""),
				"first_name": strings.Join(firstName, " "),
				"last_name":  strings.Join(lastName, " "),
				"email":      strings.Join(local, "") + "@example.com",
			})
			t.Judge("search.status", func(c *Check) {
				results := judgedList(t, c, searcher, SearchUsers, Query("q", user.UserName))
				t.Await("search.exact", hasUsers(results, user)) // an empty answer tells nothing of its elements
			})
			t.Judge("search.exact", func(c *Check) {
				c.Eventually(hasUsers(found(t, searcher, user.UserName, user), user))
			})
			for _, attribute := range []struct {
				rule  string
				terms []string
			}{
				{"search.user-name", userName},
				{"search.first-name", append(firstName, firstName[0]+" "+firstName[1])},
				{"search.last-name", append(lastName, lastName[1]+" "+lastName[2])},
				{"search.email", append(local, local[2]+"@example", local[2]+"@example.com")},
			} {
				t.Judge(attribute.rule, func(c *Check) {
					for _, term := range attribute.terms {
						c.Eventually(hasUsers(found(t, searcher, term, user), user))
					}
				})
			}
		})
}

func searchCase(s *Suite) {
	s.Scenario("upper and lower case make no difference to a search",
		Judges("search.case-insensitive", "search.unicode-case"), func(t *Trial) {
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
							t.Await(term.rule, hasUsers(found(t, searcher, term.text, user), user))
							term.text = strings.ToUpper(term.text)
						}
						c.Eventually(hasUsers(found(t, searcher, term.text, user), user))
					}
				}
			})
			t.Judge("search.unicode-case", func(c *Check) {
				upper, lower := t.Unique(), t.Unique()
				user := t.ActorWith(Fields{"first_name": "É" + upper, "last_name": "é" + lower})
				t.Await("search.first-name", hasUsers(found(t, searcher, upper, user), user))
				t.Await("search.last-name", hasUsers(found(t, searcher, lower, user), user))
				c.Eventually(hasUsers(found(t, searcher, "é"+upper, user), user))
				c.Eventually(hasUsers(found(t, searcher, "É"+lower, user), user))
			})
		})
}

// found searches for a term. Users are known by their names too: an id that is
// another one here is for the rule about ids.
func found(t *Trial, searcher *Actor, term string, known ...*Actor) func() []Record {
	results := userList(t, searcher, SearchUsers, Query("q", term))
	return func() []Record {
		users := results()
		for _, user := range users {
			if i := slices.IndexFunc(known, func(a *Actor) bool { return a.UserName == user.Text("user_name") }); i >= 0 {
				user["id"] = known[i].ID.String()
			}
		}
		return users
	}
}

// threeParts are the beginning, the middle and the end of a text, each of them
// a term that stands nowhere else.
func threeParts(t *Trial) []string { return []string{t.Unique(), t.Unique(), t.Unique()} }
