package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userUpdates judges the contract's part Endpoints, row 5.
func userUpdates(s *Suite) {
	// sessions.login.last-login: After a login the user's last_login is a real time.
	// users.me.update.status: Updating the own record answers 201.
	// users.me.update.applies: An update takes effect, in its own answer and in later reads.
	// users.me.update.keeps-identity: An update leaves the user's id and created_at as they were.
	// users.me.update.updated-at: An update never moves updated_at into the past.
	s.Scenario("an update takes effect and leaves the user the same one",
		Covers("users.me.update.status", "users.me.update.applies",
			"users.me.update.keeps-identity", "users.me.update.updated-at").And(CoversAt(GetMe, "sessions.login.last-login")), func(t *T) {
			actor := t.ActorWith(userProfile(t))
			created := t.Send(actor, GetMe)
			actor.Update(Fields{"created_at": "2001-02-03T04:05:06Z"}) // the second update is judged: the first may be a special case
			before, fields := t.Send(actor, GetMe), userProfile(t)
			for _, field := range []string{"user_name", "first_name", "last_name"} { // no less an update where case alone changes
				if name := before.Record().Text(field); name != otherCase(name) {
					fields[field] = otherCase(name)
				}
			}
			updated := t.Send(actor, UpdateMe, JSON(actor.Required(fields)))
			again := t.Send(actor, UpdateMe, JSON(actor.Required(fields))) // the same once more is an update as well
			after := t.Send(actor, GetMe)
			if name := updated.Record().Text("user_name"); strings.EqualFold(name, actor.UserName) {
				actor.UserName = name
			}

			t.Judge("users.me.update.status", func(c *Check) {
				c.Status(updated, OneOf(201))
				c.Status(again, OneOf(201))
			})
			userUpdate{sent: fields, before: created, answer: updated, after: []*Answer{after, t.Send(actor, GetMe)}}.applied(t, actor)
			t.Judge("users.me.update.keeps-identity", func(c *Check) {
				was := ownRecord(t, c, actor, created)
				shown := []Record{ownRecord(t, c, actor, before), recordOf(c, updated), ownRecord(t, c, actor, after)}
				for i, now := range shown {
					c.Decide([]*Answer{before, updated, after}[i])
					c.Same("the id as before,", was.ID(), now.ID())
					c.True(compareInstants(t, "created_at", was, now) == 0, fmt.Sprintf("created_at %v", was["created_at"]), now.Shown("created_at"))
				}
			})
			t.Judge("sessions.login.last-login", func(c *Check) {
				if was := ownRecord(t, c, actor, created); was.Happened("last_login") {
					now := ownRecord(t, c, actor, after)
					c.True(now.Happened("last_login"), "last_login still a real time after an update", now.Shown("last_login"))
				}
			})
			t.Judge("users.me.update.updated-at", func(c *Check) {
				was := ownRecord(t, c, actor, before)
				shown := []Record{recordOf(c, updated), ownRecord(t, c, actor, after)}
				for i, now := range shown {
					c.Decide([]*Answer{updated, after}[i])
					c.True(compareInstants(t, "updated_at", was, now) <= 0, fmt.Sprintf("updated_at %v or later", was["updated_at"]), now.Shown("updated_at"))
				}
			})
		})
}

// otherCase is a text with its small letters capital, and where there are none its capital
// letters small; those of ASCII alone.
func otherCase(text string) string {
	swap := func(from, to rune) func(rune) rune {
		return func(r rune) rune {
			if from <= r && r < from+26 {
				return r - from + to
			}
			return r
		}
	}
	if upper := strings.Map(swap('a', 'A'), text); upper != text {
		return upper
	}
	return strings.Map(swap('A', 'a'), text)
}

// userCredentialUpdates judges an update of what a user logs in with.
func userCredentialUpdates(s *Suite) {
	// sessions.login.user-name: A user logs in with user name and password and gets its id and a session token that works.
	// sessions.login.email: A user logs in with email and password and gets its id and a session token that works.
	// sessions.login.details: With withUserDetails=true the login answers the full User together with id and session_token.
	// sessions.login.unknown-user: A login for a user name that nobody has is refused.
	// users.me.update.applies: An update takes effect, in its own answer and in later reads.
	s.Scenario("an update changes user name and email, and what the user logs in by", Covers("users.me.update.applies",
		"sessions.login.user-name", "sessions.login.email", "sessions.login.unknown-user", "sessions.login.details"), func(t *T) {
		actor := t.Actor()
		former := []identifier{{field: "user_name", value: actor.UserName}, {field: "email", value: actor.Email}}
		before, fields := t.Send(actor, GetMe), t.NewUser(nil)
		fields["password"] = actor.Password
		updated := t.Send(actor, UpdateMe, JSON(fields))
		if updated.Succeeded() {
			actor.UserName, actor.Email = fields["user_name"].(string), fields["email"].(string)
		}
		delete(fields, "password")
		userUpdate{sent: fields, before: before, answer: updated, after: []*Answer{t.Send(actor, GetMe)}}.applied(t, actor)
		loginsFollow(t, actor, former, updated)
	})
	// users.me.update.password: After a change of password only the new password logs in.
	s.Scenario("after a change of password only the new one logs in", Covers("users.me.update.password"), func(t *T) {
		actor := t.Actor()
		identifiers := loginsOf(t, actor)
		former, password := []string{actor.Password, t.Password()}, t.Password()
		t.Judge("users.me.update.password", func(c *Check) {
			for _, next := range []string{former[1], password} {
				t.Send(actor, UpdateMe, JSON(actor.Required(Fields{"password": next}))).Done()
				actor.Password = next // which the target may ask for, if the change ends the session
			}
			for _, identifier := range identifiers {
				for _, earlier := range former { // before the new one was used
					old := t.Send(t.AppOnly(), Login, JSON(identifier.with(earlier)))
					if old.Succeeded() {
						needWrongRefused(t, identifier)
						c.Fail("no login with an old password", fmt.Sprint(old.Status()))
					}
					c.Status(old, Refused())
				}
				renewed := t.Send(t.AppOnly(), Login, JSON(identifier.with(password)))
				c.True(renewed.Succeeded(), "a login with the new password", fmt.Sprint(renewed.Status()))
			}
		})
		t.Send(actor, GetUser, ID(actor.ID)) // for the passive rules: a password that was changed is kept elsewhere, perhaps
	})
}

// loginsFollow judges that a user logs in by the user name and email of an update, and no
// longer by the former ones.
func loginsFollow(t *T, a *Actor, former []identifier, updated *Answer) {
	changed := func(field, value string) {
		updated.Done()
		if updated.Record().Text(field) != value {
			t.Blocked("users.me.update.applies", "needs an update of %s, and it did not take effect", field)
		}
	}
	var detailed []*Answer
	for _, by := range []struct{ rule, field, value string }{
		{"sessions.login.user-name", "user_name", a.UserName},
		{"sessions.login.email", "email", a.Email},
	} {
		t.Judge(by.rule, func(c *Check) {
			changed(by.field, by.value)
			login := t.Send(t.AppOnly(), Login, JSON(identifier{field: by.field, value: by.value}.with(a.Password)), Query("withUserDetails", "true"))
			c.True(login.Succeeded(), "a login by the "+by.field+" of an update", fmt.Sprint(login.Status()))
			if login.Succeeded() {
				detailed = append(detailed, login)
			}
		})
	}
	t.Judge("sessions.login.details", func(c *Check) {
		changed("user_name", a.UserName)
		if len(detailed) == 0 {
			t.Skip("needs a login after an update")
		}
		for _, login := range detailed {
			if user := login.Record(); user.Has("user_name") { // whether there are details at all is judged elsewhere
				c.Decide(login)
				c.Fields(user, Fields{"user_name": a.UserName})
			}
		}
	})
	t.Judge("sessions.login.unknown-user", func(c *Check) {
		changed("user_name", a.UserName)
		changed("email", a.Email)
		for _, identifier := range former {
			login := t.Send(t.AppOnly(), Login, JSON(identifier.with(a.Password)))
			c.True(!login.Succeeded(), "no login by the former "+identifier.field, fmt.Sprint(login.Status()))
		}
	})
}

// userUpdateChoices records what an update does where the contract is silent.
func userUpdateChoices(s *Suite) {
	// users.me.update.omitted-fields (choice): Whether an update keeps or clears the fields that it does not send is left open.
	s.Scenario("what becomes of fields that an update does not send", Covers("users.me.update.omitted-fields"), func(t *T) {
		profile := userProfile(t)
		actor := t.ActorWith(profile)
		t.Judge("users.me.update.omitted-fields", func(c *Check) {
			before := ownRecord(t, c, actor, t.Send(actor, GetMe))
			t.Send(actor, UpdateMe, JSON(actor.Required(nil))).Done()
			after := ownRecord(t, c, actor, t.Send(actor, GetMe))
			var kept, cleared []string
			for _, name := range slices.Sorted(maps.Keys(storedFields(profile, before))) {
				if fmt.Sprint(after[name]) == fmt.Sprint(before[name]) {
					kept = append(kept, name)
				} else {
					cleared = append(cleared, name)
				}
			}
			switch {
			case len(cleared) == 0:
				c.ObserveAnswer(FieldsKept)
			case len(kept) == 0:
				c.ObserveAnswer(FieldsCleared)
			}
			c.Observe("kept %s; cleared %s", strings.Join(kept, ", "), strings.Join(cleared, ", "))
		})
		// For the passive rules: whether this clears a field is open.
		for _, blank := range []any{"", nil} {
			t.Send(actor, UpdateMe, JSON(actor.Required(Fields{"first_name": blank, "last_name": blank, "custom_id": blank, "url": blank})))
			t.Send(actor, GetMe)
			t.Send(actor, SearchUsers, Query("q", actor.UserName)) // which may find the user itself
		}
	})
}

// userUpdate is an update of a user: the fields sent, the answer, and reads of the user
// before and after it.
type userUpdate struct {
	sent           Fields
	before, answer *Answer
	after          []*Answer
}

// applied judges that the answer and the later reads have the values sent. A field
// that no read shows says nothing about the update.
func (u userUpdate) applied(t *T, a *Actor) {
	const rule = "users.me.update.applies"
	t.JudgeAt(UpdateMe, rule, func(c *Check) {
		u.answer.Done()
		c.Fields(c.Object(u.answer), u.sent)
	})
	t.JudgeAt(GetMe, rule, func(c *Check) {
		u.answer.Done()
		was := ownRecord(t, c, a, u.before)
		for _, read := range u.after {
			now, shown := ownRecord(t, c, a, read), maps.Clone(u.sent)
			maps.DeleteFunc(shown, func(name string, _ any) bool { return !was.Has(name) && !now.Has(name) })
			c.Fields(now, shown)
			if len(shown) < len(u.sent) {
				t.Blocked(GetMe.BlockingRule(), "needs all fields of the user from %s, and some never showed", GetMe)
			}
		}
	})
}

// compareInstants compares a timestamp of two reads of a user. A read before without it
// blocks the check; a read after without it counts as earlier.
func compareInstants(t *T, field string, before, after Record) int {
	if _, ok := before.Instant(field); !ok {
		t.Blocked("users.create.body", "needs %s before the update, and got %v", field, before[field])
	}
	order, ok := before.CompareInstant(field, after)
	if !ok {
		return 1
	}
	return order
}
