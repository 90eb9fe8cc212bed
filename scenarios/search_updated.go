package scenarios

import . "github.com/socialfeed/conform/conformance"

// searchUpdated judges that a search finds users by what their attributes are
// now, and not by what they were.
func searchUpdated(s *Suite) {
	const excluded = "search.non-match-excluded"
	s.Scenario("a search finds an updated user by its new attributes alone",
		Judges("search.user-name", "search.first-name", "search.last-name", "search.email", excluded), func(t *Trial) {
			searcher := t.Actor()
			was, is := termsOf(t), termsOf(t)
			user := t.ActorWith(was.fields())
			for _, term := range was {
				t.Await(term.rule, hasUsers(found(t, searcher, term.text, user), user))
			}
			updated := t.Send(user, UpdateMe, JSON(user.Required(is.fields())))
			updated.Done()
			now := is.fields()
			user.UserName, user.Email = now["user_name"].(string), now["email"].(string)
			own := t.Send(user, GetMe).Record()
			for name, value := range now {
				if own[name] != value {
					t.Blocked("users.me.update.applies", "needs an update of %s, and it did not take effect", name)
				}
			}
			for _, term := range is {
				t.Judge(term.rule, func(c *Check) {
					c.Eventually(hasUsers(found(t, searcher, term.text, user), user))
				})
			}
			t.Judge(excluded, func(c *Check) {
				for _, term := range was {
					c.EventuallyForGood(hasNoUsers(found(t, searcher, term.text, user), user))
				}
			})
		})
}

// attributeTerm is a term inside of one attribute that a search looks at.
type attributeTerm struct{ rule, field, text string }

type attributeTerms []attributeTerm

func termsOf(t *Trial) attributeTerms {
	return attributeTerms{
		{"search.user-name", "user_name", t.Unique()},
		{"search.first-name", "first_name", t.Unique()},
		{"search.last-name", "last_name", t.Unique()},
		{"search.email", "email", t.Unique()},
	}
}

// fields are attributes that hold the terms.
func (terms attributeTerms) fields() Fields {
	fields := Fields{}
	for _, term := range terms {
		fields[term.field] = "a" + term.text + "b"
	}
	fields["email"] = fields["email"].(string) + "@example.com"
	return fields
}
