package scenarios

import (
	"maps"
	"slices"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// searchUpdated judges that a search finds users by their current attributes, and not by
// earlier ones.
func searchUpdated(s *Suite) {
	const excluded = "search.non-match-excluded"
	// search.user-name: A search finds the users whose user name contains the term.
	// search.first-name: A search finds the users whose first name contains the term.
	// search.last-name: A search finds the users whose last name contains the term.
	// search.email: A search finds the users whose email contains the term.
	// search.non-match-excluded: A search leaves out the users that have the term in no attribute.
	s.ScenarioWithRecheck("a search finds an updated user by its new attributes alone",
		Covers("search.user-name", "search.first-name", "search.last-name", "search.email", excluded), func(t *T) {
			searcher := t.AnyActor()
			was, between, is := termsOf(t), termsOf(t)[:1], termsOf(t)
			user := t.ActorWith(was.fields())
			for _, term := range was {
				t.Require(term.rule, found(t, searcher, term.text, user), haveUsers(user))
			}
			now := was.fields()
			update := func(changed attributeTerms) {
				maps.Copy(now, changed.fields())
				user.Update(now).Done()
				user.UserName, user.Email = now["user_name"].(string), now["email"].(string)
			}
			finds := func(terms attributeTerms) {
				own := func() Record { return t.Send(user, GetMe).Record() }
				t.Require("users.me.update.applies", own, haveFields(now)) // earlier results prove nothing
				for _, term := range terms {
					t.Judge(term.rule, func(c *Check) {
						c.Eventually(found(t, searcher, term.text, user), haveUsers(user))
					})
				}
			}
			for _, alone := range []attributeTerms{between, is[2:3]} { // the other attributes may hide the change of one
				update(alone)
				finds(alone)
			}
			update(is[:2]) // the user name a second time
			update(is[3:])
			finds(is)
			t.Judge(excluded, func(c *Check) {
				for _, term := range slices.Concat(was, between) {
					c.EventuallyStays(found(t, searcher, term.text, user), lackUsers(user))
				}
			})
		})
}

// attributeTerm is a term inside of one attribute that a search looks at.
type attributeTerm struct{ rule, field, text string }

type attributeTerms []attributeTerm

func termsOf(t *T) attributeTerms {
	return attributeTerms{
		{"search.user-name", "user_name", t.Short()},
		{"search.first-name", "first_name", t.Short() + " " + t.NameWord()},
		{"search.last-name", "last_name", t.NameWord() + " " + t.Short()},
		{"search.email", "email", t.Short()},
	}
}

// fields are attributes that hold the terms.
func (terms attributeTerms) fields() Fields {
	fields := Fields{}
	for _, term := range terms {
		fields[term.field] = "a" + term.text + "b"
	}
	if local, there := fields["email"]; there {
		fields["email"] = local.(string) + "@example.com"
	}
	return fields
}
