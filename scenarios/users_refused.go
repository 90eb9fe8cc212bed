package scenarios

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userCreateRefusals judges which creates are refused (Errors, rows 400 and 422).
func userCreateRefusals(s *Suite) {
	// users.create.user-name-required: A user without a user name is not created.
	s.Scenario("a user without a user name is not created", Covers("users.create.user-name-required"), namelessNotCreated)
	// users.create.malformed-json: A create of a user whose body is not JSON is refused.
	// users.create.not-an-object: A JSON body that is not an object is refused.
	s.Scenario("a body that is not a JSON object creates no user",
		Covers("users.create.malformed-json", "users.create.not-an-object"), otherBodiesCreateNobody)
	// users.create.wrong-type: A field of the wrong JSON type is refused, and creates no user.
	s.Scenario("a field of the wrong type creates no user", Covers("users.create.wrong-type"), wrongTypesCreateNobody)
}

func namelessNotCreated(t *T) {
	needCreates(t)
	fields := t.NewUser(nil)
	delete(fields, "user_name")
	t.Judge("users.create.user-name-required", func(c *Check) {
		c.Status(createUser(t, fields), OneOf(400, 422))
		c.Status(createUser(t, joined(fields, Fields{"user_name": nil})), OneOf(400, 422))
		noSuchUser(t, c, "email", fields)
	})
}

func otherBodiesCreateNobody(t *T) {
	needCreates(t)
	body := func() string { return jsonText(t.NewUser(nil)) } // of another user each time
	post := func(body string) *Answer {
		return t.Send(t.AppOnly(), CreateUser, Text(body, "application/json"))
	}
	t.Judge("users.create.malformed-json", func(c *Check) {
		attempts := c.Attempts(OneOf(400).Tolerating(422))
		attempts.Add("a body that ends early", post(strings.TrimSuffix(body(), "}")))
		attempts.Add("a comma behind the last field", post(strings.TrimSuffix(body(), "}")+",}"))
		attempts.Add("a second brace at the end", post(body()+"}"))
		attempts.Add("a comment", post("/**/"+body()))
		attempts.Add("a line break inside a text", post(strings.Replace(body(), `@`, "\n@", 1)))
		attempts.Judge()
	})
	t.Judge("users.create.not-an-object", func(c *Check) {
		inText := jsonText(jsonText(Fields{"user_name": t.Unique()})) // without a password, which must not become part of a name
		attempts := c.Attempts(OneOf(400, 422))
		attempts.Add("a list with the object", post("["+body()+"]"))
		attempts.Add("a text with an object", post(inText))
		attempts.Add("a number", post("17"))
		attempts.Add("an empty list", post("[]"))
		attempts.Judge()
		empty := post("")
		c.True(!empty.Succeeded(), "no user created from an empty body", fmt.Sprint(empty.Status()))
	})
}

func wrongTypesCreateNobody(t *T) {
	needCreates(t)
	t.Judge("users.create.wrong-type", func(c *Check) {
		fields := t.NewUser(userProfile(t))
		attempts := c.Attempts(OneOf(422).Tolerating(400))
		for i, name := range settableFields() {
			for j, wrong := range wrongTypes(name, fields[name]) {
				required := Fields{"user_name": fields["user_name"], "password": fields["password"], "email": fields["email"]}
				required[name] = wrong
				if what := mistyped(Fields{name: wrong}); (i+j)%2 == 1 { // which may be checked in a place of its own
					attempts.Add(what+" in a create with a login", createUser(t, required, Query("withLogin", "true")))
				} else {
					attempts.Add(what, createUser(t, required))
				}
			}
		}
		attempts.Judge()
		noSuchUser(t, c, "user_name", fields)
		noSuchUser(t, c, "email", fields)
		if created := createUser(t, Fields{"user_name": fields["user_name"], "password": fields["password"], "email": fields["email"]}); !created.Succeeded() {
			needCreates(t) // the control: others are created
			c.Fail("201 for a valid create with the names of the refused one", fmt.Sprint(created.Status()))
		}
	})
}

// userUpdateRefusals judges which updates are refused (Errors, rows 400 and 422).
func userUpdateRefusals(s *Suite) {
	// users.me.update.user-name-required: An update without a user name is refused and changes nothing.
	s.Scenario("an update without a user name changes nothing", Covers("users.me.update.user-name-required"), namelessUpdateRefused)
	// users.me.update.wrong-type: An update of a user with a field of the wrong JSON type is refused and changes nothing.
	s.Scenario("an update with a field of the wrong type changes nothing", Covers("users.me.update.wrong-type"), wrongTypesChangeNothing)
}

func namelessUpdateRefused(t *T) {
	actor, before := updatedActor(t)
	fields := actor.Required(userProfile(t))
	fields["password"] = t.Password()
	delete(fields, "user_name")
	t.Judge("users.me.update.user-name-required", func(c *Check) {
		c.Status(t.Send(actor, UpdateMe, JSON(fields)), OneOf(400, 422))
		c.Status(t.Send(actor, UpdateMe, JSON(Fields{"metadata": Fields{"mood": "other"}})), OneOf(400, 422))
		userUnchanged(t, c, actor, before)
		passwordUnchanged(t, c, actor, fields["password"].(string))
	})
}

func wrongTypesChangeNothing(t *T) {
	actor, before := updatedActor(t)
	searcher, taken := t.AnyActor(), t.Unique()
	t.Judge("users.me.update.wrong-type", func(c *Check) {
		password := t.Password()
		attempts := c.Attempts(OneOf(422).Tolerating(400))
		for _, name := range settableFields() {
			fields := actor.Required(userProfile(t)) // new values; none may be stored
			fields["password"], fields["user_name"] = password, taken
			for _, wrong := range wrongTypes(name, fields[name]) {
				fields[name] = wrong
				attempts.Add(mistyped(Fields{name: wrong}), t.Send(actor, UpdateMe, JSON(fields)))
			}
			if attempts.AllWanted() { // an update that was accepted has changed it
				userUnchanged(t, c, actor, before)
			}
		}
		attempts.Judge()
		passwordUnchanged(t, c, actor, password)
		c.Eventually(listAt(t, searcher, SearchUsers, Query("q", taken)), lackUsers(actor))
	})
}

// updatedActor is an actor with all fields, after a successful update, and its record.
func updatedActor(t *T) (*Actor, Record) {
	actor := t.ActorWith(Fields{"metadata": nil}) // an update may add to earlier entries
	updated := t.Send(actor, UpdateMe, JSON(actor.Required(userProfile(t))))
	updated.Done()
	return actor, ownAfter(t, actor, updated).Record() // a read that lags would change later, whatever is refused
}

// settableFields are the fields that a client may set (Endpoints, rule 1).
func settableFields() []string {
	return []string{"user_name", "custom_id", "password", "first_name", "last_name", "email", "url", "social_ids", "metadata", "activated"}
}

// wrongTypes are values for a field in JSON types that the contract nowhere gives it; valid
// is a value of the right type. Zero, false and empty values are among them: many languages
// treat them as absent.
func wrongTypes(name string, valid any) []any {
	switch name {
	case "social_ids":
		return []any{17, `{"blue":"7"}`, Fields{network: 17}} // an array of strings is another choice
	case "activated":
		return []any{17, []any{"true"}}
	case "metadata":
		return []any{`{"team":"blue"}`, 0, []any{}}
	case "email":
		return []any{[]any{valid}, 0, false, map[string]any{}}
	case "first_name":
		return []any{[]any{valid}, 0, true, map[string]any{"value": valid}}
	case "custom_id":
		return []any{[]any{valid}, 0, false}
	case "url":
		return []any{[]any{}, 0, true}
	}
	return []any{[]any{valid}, 0, true}
}

func kindOfJSON(value any) string {
	switch value.(type) {
	case []any, []string, []float64:
		return "as an array"
	case map[string]any, Fields:
		return "as an object"
	case string:
		return "as a string"
	case bool:
		return "as a boolean"
	}
	return "as a number"
}

// noSuchUser judges that a refused create left no user that can log in by the field. Such
// a user is deleted.
func noSuchUser(t *T, c *Check, by string, fields Fields) {
	login := t.Send(t.AppOnly(), Login, JSON(Fields{by: fields[by], "password": fields["password"]}))
	if login.Succeeded() {
		t.Send(Basic{App: t.AppToken(), Session: login.Record().Text("session_token")}, DeleteMe)
		c.Fail("no user created by the refused request", "a user that can log in by "+by)
	}
}

// passwordUnchanged judges that the password of a refused update does not log in. If
// every password does, the check is blocked.
func passwordUnchanged(t *T, c *Check, a *Actor, refused string) {
	byName := identifier{field: "user_name", value: a.UserName}
	if login := t.Send(t.AppOnly(), Login, JSON(byName.with(refused))); login.Succeeded() {
		needWrongRefused(t, byName)
		c.Fail("no login with the password of a refused update", fmt.Sprint(login.Status()))
	}
}

// needWrongRefused blocks the check if any password logs in.
func needWrongRefused(t *T, identifier identifier) {
	if login := t.Send(t.AppOnly(), Login, JSON(identifier.with(t.Password()))); login.Succeeded() {
		t.Blocked("sessions.login.wrong-password", "needs a wrong password to be refused, and it got %d", login.Status())
	}
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a scenario's body does not encode: %v", err))
	}
	return string(text)
}
