package scenarios

import (
	"bytes"
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userCreateInputChoices records the input that a create accepts where the contract is
// silent or contradicts itself (Endpoints, rule 1).
func userCreateInputChoices(s *Suite) {
	// sessions.login.password-required: A login without a password is refused.
	// sessions.create-with-login: The session token that comes with a new user works, and belongs to that user.
	// users.create.activated-boolean (choice): Whether activated may also be sent as a boolean is left open.
	// users.create.social-ids-array (choice): Whether social_ids may also be sent as an array of strings is left open.
	// users.create.unknown-field (choice): The treatment of a field that the contract does not know is left open.
	// users.create.minimal (choice): Whether a user name alone, without password and email, is enough is left open.
	s.Scenario("undocumented input that a create accepts",
		Covers("users.create.activated-boolean", "users.create.social-ids-array",
			"users.create.unknown-field", "users.create.minimal", "sessions.create-with-login", "sessions.login.password-required"), func(t *T) {
			needCreates(t)
			value := t.Unique()
			both := createWithLogin(t, t.NewUser(Fields{"activated": true, "favourite_colour": value})) // when this is accepted, each alone is
			one := func(further Fields) *Answer {
				if both.Succeeded() {
					return both
				}
				return createWithLogin(t, t.NewUser(further))
			}
			t.Judge("users.create.activated-boolean", func(c *Check) {
				c.Observe("%s", takenOrNot(one(Fields{"activated": true})))
			})
			t.Judge("users.create.social-ids-array", func(c *Check) {
				id := t.Unique()
				c.Observe("%s", returnedOrNot(createWithLogin(t, t.NewUser(Fields{"social_ids": []any{id}})), id))
			})
			t.Judge("users.create.unknown-field", func(c *Check) {
				c.Observe("%s", returnedOrNot(one(Fields{"favourite_colour": value}), value))
			})
			minimal := createWithLogin(t, Fields{"user_name": t.Unique()})
			t.Judge("sessions.create-with-login", func(c *Check) {
				if !minimal.Succeeded() || minimal.Record().Text("session_token") == "" {
					return
				}
				own := t.Send(Basic{App: t.AppToken(), Session: minimal.Record().Text("session_token")}, GetMe)
				c.True(!refusesSession(own), "the session of a user with only a name", fmt.Sprint(own.Status()))
			})
			t.Judge("sessions.login.password-required", func(c *Check) {
				if minimal.Succeeded() { // this user has none
					c.Status(t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": shownUser(minimal).Text("user_name")})), Refused())
				}
			})
			t.Judge("users.create.minimal", func(c *Check) {
				c.Observe("%s", takenOrNot(minimal))
			})
			// For the passive rules: blank values, and characters that are hard to store.
			for _, odd := range []Fields{
				{"first_name": "", "last_name": nil, "url": "", "metadata": nil, "activated": "false"}, {"last_name": "a\x00b"},
			} {
				createWithLogin(t, t.NewUser(odd))
			}
			halfPair := jsonText(t.NewUser(Fields{"first_name": "half"}))
			t.Send(t.AppOnly(), CreateUser, Query("withLogin", "true"),
				Text(strings.Replace(halfPair, `"half"`, `"\ud83d"`, 1), "application/json"))
		})
}

// userDuplicateChoices records which of a user's fields two users may share (User, closing note).
func userDuplicateChoices(s *Suite) {
	// sessions.create-with-login: The session token that comes with a new user works, and belongs to that user.
	// users.create.duplicate-user-name (choice): Whether two users may have the same user name is left open.
	// users.create.duplicate-email (choice): Whether two users may have the same email is left open.
	// users.create.duplicate-custom-id (choice): Whether two users may have the same custom_id is left open.
	s.Scenario("whether two users may have the same name, email or custom id",
		Covers("users.create.duplicate-user-name", "users.create.duplicate-email", "users.create.duplicate-custom-id", "sessions.create-with-login"), func(t *T) {
			customID := t.Unique()
			first := t.ActorWith(Fields{"custom_id": customID})
			for _, duplicate := range []struct {
				rule string
				same Fields
			}{
				{"users.create.duplicate-user-name", Fields{"user_name": first.UserName}},
				{"users.create.duplicate-email", Fields{"email": first.Email}},
				{"users.create.duplicate-custom-id", Fields{"custom_id": customID}},
			} {
				var created *Answer
				t.Judge(duplicate.rule, func(c *Check) {
					created = createWithLogin(t, t.NewUser(duplicate.same))
					c.Observe("%s", takenOrNot(created))
				})
				t.Judge("sessions.create-with-login", func(c *Check) {
					if created == nil || !created.Succeeded() { // nil where no answer came
						return
					}
					if session := created.Record().Text("session_token"); session != "" {
						as := Basic{App: t.AppToken(), Session: session}
						own := t.Send(as, GetMe)
						if shownUser(own).ID() == first.ID.String() && sessionOwner(t, as) == created.Record().ID() {
							t.Blocked(GetMe.BlockingRule(), "needs the session's user from %s, and got the one who had that before", GetMe)
						}
						c.Decide(own)
						c.True(!own.Succeeded() || own.Record().ID() != first.ID.String(), "a session of the new user", "one of the user who had that before")
					}
				})
			}
		})
}

// createWithLogin creates a user with a session, by which it can be deleted.
func createWithLogin(t *T, fields Fields) *Answer {
	return createUser(t, fields, Query("withLogin", "true"))
}

// takenOrNot says whether a request was accepted, as a choice's answer.
func takenOrNot(a *Answer) string {
	if a.Succeeded() {
		return "accepted"
	}
	return fmt.Sprintf("refused with %d", a.Status())
}

// returnedOrNot is takenOrNot, and whether the answer has the value, which occurs once in
// the request.
func returnedOrNot(created *Answer, value string) string {
	switch {
	case !created.Succeeded():
		return takenOrNot(created)
	case bytes.Contains(created.Body(), []byte(value)):
		return "accepted and returned"
	}
	return "accepted and ignored"
}
