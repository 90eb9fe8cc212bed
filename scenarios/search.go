package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"
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

// haveFound asks for a list with a user; its message names the field and the value of the
// search.
func haveFound(user *Actor, field, value string) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch { return foundIn(list, user, field, value) })
}

// unlessMany is a condition of a list of so few users that no target shortens it: of a short term
// there may be many on a target that others use.
func unlessMany(mismatch func([]Record) Mismatch) types.GomegaMatcher {
	const many = 20
	return Condition(func(list []Record) Mismatch {
		if len(list) >= many {
			return Mismatch{}
		}
		return mismatch(list)
	})
}

// haveFoundUnlessMany is haveFound for a list of so few users that no target shortens it.
func haveFoundUnlessMany(user *Actor, field, value string) types.GomegaMatcher {
	return unlessMany(func(list []Record) Mismatch { return foundIn(list, user, field, value) })
}

func foundIn(list []Record, user *Actor, field, value string) Mismatch {
	ids := idsOf(list)
	if slices.Contains(ids, user.ID.String()) {
		return Mismatch{}
	}
	return Mismatch{Expected: fmt.Sprintf("user %s, whose %s is %q, in the list", user.ID, field, value), Actual: listed(ids)}
}

func searchCase(s *Suite) {
	// search.case-insensitive: Upper and lower case make no difference to a search.
	// search.unicode-case (should): Letters outside ASCII are matched without regard to case too.
	s.Scenario("upper and lower case make no difference to a search",
		Covers("search.case-insensitive", "search.unicode-case"), foundInAnyCase)
}

func foundInAnyCase(t *T) {
	searcher := t.AnyActor()
	t.Judge("search.case-insensitive", func(c *Check) {
		for _, stored := range []func(string) string{strings.ToLower, capitalsInside} {
			userName, firstName, lastName, local := t.Unique(), t.Unique(), t.Unique(), t.Unique()
			names := Record{
				"user_name": stored(userName), "first_name": stored(firstName),
				"last_name": stored(lastName), "email": stored(local) + "@example.com",
			}
			user := t.ActorWith(Fields(names))
			for _, term := range []struct{ rule, field, text string }{
				{"search.exact", "user_name", userName},
				{"search.first-name", "first_name", firstName},
				{"search.last-name", "last_name", lastName},
				{"search.email", "email", local},
			} {
				wanted := haveFound(user, term.field, names.Text(term.field))
				if stored(term.text) == term.text { // the control: the attribute is searched
					t.Require(term.rule, found(t, searcher, term.text, user), wanted)
					term.text = strings.ToUpper(term.text)
				}
				c.Eventually(found(t, searcher, term.text, user), wanted)
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
}

// capitalsInside writes every second letter of a word as a capital, the first one small.
func capitalsInside(word string) string {
	letters, capitals := []byte(word), strings.ToUpper(word)
	for i := 1; i < len(letters); i += 2 {
		letters[i] = capitals[i]
	}
	return string(letters)
}

// haveNamed asks for a list with a user of this name.
func haveNamed(name string) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch {
		if slices.ContainsFunc(list, func(user Record) bool { return user.Text("user_name") == name }) {
			return Mismatch{}
		}
		return Mismatch{Expected: "the user named " + name + ", who never logged in, in the list", Actual: listed(idsOf(list))}
	})
}

// found searches for a term. Users are known by their names too: an id that is
// another one here is for the rule about ids.
func found(t *T, searcher *Actor, term string, known ...*Actor) func() []Record {
	results := listAt(t, searcher, SearchUsers, Query("q", term))
	return func() []Record { return identified(results(), known) }
}

// searchable is found for a term that a target must take, whatever characters it has.
func searchable(t *T, c *Check, searcher *Actor, term string, known ...*Actor) func() []Record {
	return func() []Record {
		answer := t.Send(searcher, SearchUsers, Query("q", term))
		if answer.Status()/100 == 4 {
			c.Fail("the term "+term+" to be searched for, as a term of letters is", fmt.Sprint(answer.Status()))
		}
		return identified(answer.Records(), known)
	}
}

// identified gives the users that are known by their names the ids that they are known by.
func identified(users []Record, known []*Actor) []Record {
	for i, user := range users {
		if k := slices.IndexFunc(known, func(a *Actor) bool { return a.UserName == user.Text("user_name") }); k >= 0 {
			users[i] = maps.Clone(user)
			users[i]["id"] = known[k].ID.String()
		}
	}
	return users
}
