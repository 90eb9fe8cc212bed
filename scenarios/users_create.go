package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userCreates judges the answers to creates (Endpoints, row 1).
func userCreates(s *Suite) {
	// users.create.status: Creating a user answers 201.
	// users.create.body: The answer to a create is the User, with id, the user name as sent, and both timestamps.
	// users.create.enabled: A new user is enabled.
	// users.create.no-session-token: Creating a user without withLogin=true opens no session.
	// users.create.last-login-unset: A user that never logged in has no last_login, or the zero value.
	s.Scenario("a create answers 201 and the new user, without a session",
		Covers("users.create.status", "users.create.body", "users.create.enabled",
			"users.create.no-session-token", "users.create.last-login-unset"), createdWithoutSession)
}

func createdWithoutSession(t *T) {
	fields := t.NewUser(Fields{"user_name": capitalized(t.Unique())})
	created := createUser(t, fields)
	withoutLogin := []*Answer{created}
	if said := createUser(t, t.NewUser(nil), Query("withLogin", "false")); said.Succeeded() {
		withoutLogin = append(withoutLogin, said)
	}
	t.Judge("users.create.status", func(c *Check) { c.Status(created, OneOf(201)) })
	t.Judge("users.create.body", func(c *Check) {
		created.Done()
		user := c.Object(created)
		c.Present(user, "id", "created_at", "updated_at")
		c.True(user.ID() != "", "an id", user.Shown("id"))
		c.Fields(user, Fields{"user_name": fields["user_name"]})
	})
	t.Judge("users.create.enabled", func(c *Check) { c.Fields(recordOf(c, created), Fields{"enabled": true}) })
	t.Judge("users.create.no-session-token", func(c *Check) {
		for _, answer := range withoutLogin {
			c.True(!recordOf(c, answer).Has("session_token"), "no session_token without withLogin=true", "one")
		}
	})
	t.Judge("users.create.last-login-unset", func(c *Check) {
		for _, answer := range withoutLogin {
			user := recordOf(c, answer)
			c.True(neverLoggedIn(user), "no last_login before the first login, or 0000-01-01T00:00:00Z", user.Shown("last_login"))
		}
		if t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": fields["user_name"], "password": t.Password()})).Succeeded() {
			return
		}
		reader := t.Actor()
		t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": created.Record()["id"], "type": "follow"}))
		shown := append(t.Send(reader, MyFollows).Records(), t.Send(reader, GetUser, IDText(created.Record().ID())).Record())
		for _, user := range shown {
			if user.ID() != created.Record().ID() {
				continue // which other rules judge
			}
			c.True(!user.Happened("last_login"), "no last_login after a login that was refused, or 0000-01-01T00:00:00Z", user.Shown("last_login"))
		}
	})
}

// userCreateWithLogin judges a create that opens a session (Endpoints, row 1;
// States and transitions).
func userCreateWithLogin(s *Suite) {
	// sessions.create-with-login: The session token that comes with a new user works, and belongs to that user.
	// users.create.status: Creating a user answers 201.
	// users.create.enabled: A new user is enabled.
	// users.create.with-login: With withLogin=true the new User comes with a session token and a real last_login.
	s.Scenario("a user created with login has a session of its own",
		Covers("users.create.status", "users.create.enabled", "users.create.with-login", "sessions.create-with-login"), createdWithLogin)
}

func createdWithLogin(t *T) {
	fields := t.NewUser(nil)
	created := createUser(t, fields, Query("withLogin", "true"))
	const rule = "users.create.with-login"
	t.Judge(rule, func(c *Check) {
		user := acceptedUser(t, c, created, "with withLogin=true")
		c.True(user.Text("session_token") != "", "a session_token", "none")
		justLoggedIn(t, c, user)
	})
	if !created.Succeeded() {
		t.Blocked(rule, "needs a create with withLogin=true, which got %d", created.Status())
	}
	t.Judge("users.create.status", func(c *Check) { c.Status(created, OneOf(201)) })
	t.Judge("users.create.enabled", func(c *Check) { c.Fields(recordOf(c, created), Fields{"enabled": true}) })
	t.Judge("sessions.create-with-login", func(c *Check) {
		token := recordOf(c, created).Text("session_token")
		if token == "" {
			t.Blocked(rule, "needs a session_token from a create with withLogin=true, and got none")
		}
		ownSession(t, c, token, t.ActorOf(fields, created))
	})
}

// userCreateFields judges which fields of a create are stored (Endpoints, row 1 and rule 1;
// User, the rows that are server-set).
func userCreateFields(s *Suite) {
	// users.create.echo: The fields of a new user come back unchanged.
	s.Scenario("the fields of a new user come back", Covers("users.create.echo"), newUserEchoed)
	// users.create.activated-string: The parameter activated is accepted as a string, and is a boolean in the User.
	// users.me.update.applies: An update takes effect, in its own answer and in later reads.
	s.Scenario("the parameter activated is a string, and a boolean in the user",
		Covers("users.create.activated-string").And(CoversAt(UpdateMe, "users.me.update.applies")), activatedText)
	// users.create.server-set-ignored (should): A client cannot set id, created_at or enabled of a new user.
	s.Scenario("a client cannot set fields of the server", Covers("users.create.server-set-ignored"), serverSetIgnored)
}

func newUserEchoed(t *T) {
	sent := t.NewUser(userProfile(t))
	sent["email"], sent["custom_id"] = capitalized(t.Unique())+"@Example.com", t.UUID()
	alike := capitalized(t.Unique()) // on both networks
	sent["social_ids"] = map[string]any{"facebook": alike, "twitter": alike}
	sent["metadata"] = map[string]any{"Team": "between blanks: " + capitalized(t.Unique()) + " ", "level": "007"}
	created := createUser(t, sent)
	if !created.Succeeded() { // for the length of that id
		sent["custom_id"] = capitalized(t.Unique())
		created = createUser(t, sent)
	}
	credentials := maps.Clone(sent)
	t.Judge("users.create.echo", func(c *Check) {
		user := acceptedUser(t, c, created, "with the optional fields")
		delete(sent, "password")
		delete(sent, "user_name") // judged by users.create.body
		if lower := strings.ToLower(sent["email"].(string)); user.Text("email") == lower && keptEmail(t, credentials, created) == lower {
			sent["email"] = lower // as the target keeps it
		}
		c.Fields(created.Record(), sent)
	})
}

// keptEmail is the email of a new user as it reads its own record.
func keptEmail(t *T, fields Fields, created *Answer) string {
	return t.Send(t.ActorOf(fields, created), GetMe).Record().Text("email")
}

func activatedText(t *T) {
	fields := t.NewUser(Fields{"activated": "true"})
	created := createWithLogin(t, fields)
	t.Judge("users.create.activated-string", func(c *Check) {
		user := acceptedUser(t, c, created, `with activated "true"`)
		if value, returned := user["activated"]; returned && value != nil {
			_, boolean := value.(bool)
			c.True(boolean, "activated as a boolean", fmt.Sprintf("%#v", value))
		}
	})
	t.JudgeAt(UpdateMe, "users.me.update.applies", func(c *Check) {
		actor := t.ActorOf(fields, created)
		if updated := actor.Update(Fields{"activated": "false"}); updated.Succeeded() {
			c.True(updated.Record()["activated"] != true, "activated false, as sent", "true")
		}
	})
}

func serverSetIgnored(t *T) {
	actor, plain := newcomer(t, nil)
	t.Judge("users.create.server-set-ignored", func(c *Check) {
		serverSet := Fields{"id": UnusedID(actor.ID), "created_at": "2001-02-03T04:05:06Z", "enabled": false}
		for _, name := range slices.Sorted(maps.Keys(serverSet)) {
			value := serverSet[name]
			created := createUser(t, t.NewUser(Fields{name: value}), Query("withLogin", "true"))
			if !created.Succeeded() {
				c.Status(created, Refused())
				continue
			}
			answers := []*Answer{created}
			if own := t.Send(Basic{App: t.AppToken(), Session: created.Record().Text("session_token")}, GetMe); own.Succeeded() {
				answers = append(answers, own)
			}
			for _, answer := range answers {
				user := answer.Record()
				took := hasValue(user, name, value) && !hasValue(plain.Record(), name, value) // which is not a default of every user
				c.Decide(answer)
				c.True(!took, fmt.Sprintf("%s %v of the request ignored or refused", name, value), "a user with it")
			}
		}
	})
}

// hasValue reports whether a user's field has a value, in whatever form.
func hasValue(user Record, name string, value any) bool {
	if at, ok := (Record{name: value}).Instant(name); ok {
		got, ok := user.Instant(name)
		return ok && got.Equal(at)
	}
	return fmt.Sprint(user[name]) == fmt.Sprint(value)
}

// neverLoggedIn reports whether last_login is missing or the contract's zero value, in
// whatever form of RFC 3339. Null and blank are judged by other rules.
func neverLoggedIn(user Record) bool {
	value := user["last_login"]
	if value == nil || value == "" {
		return true
	}
	at, ok := user.Instant("last_login")
	return ok && at.Equal(time.Date(0, time.January, 1, 0, 0, 0, 0, time.UTC))
}
