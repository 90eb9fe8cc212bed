package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// userUpdates judges the contract's part Endpoints, row 5.
func userUpdates(s *Suite) {
	s.Scenario("an update takes effect and leaves the user the same one",
		Judges("users.me.update.status", "users.me.update.applies",
			"users.me.update.keeps-identity", "users.me.update.updated-at").And(JudgesAt(GetMe, "sessions.login.last-login")), func(t *Trial) {
			actor := t.ActorWith(userProfile(t))
			created := t.Send(actor, GetMe)
			t.Send(actor, UpdateMe, JSON(actor.Required(nil))) // the second update is judged: the first may be a special case
			before, fields := t.Send(actor, GetMe), userProfile(t)
			updated := t.Send(actor, UpdateMe, JSON(actor.Required(fields)))
			after := t.Send(actor, GetMe)

			t.Judge("users.me.update.status", func(c *Check) { c.Status(updated, OneOf(201)) })
			updateApplied(t, actor, fields, created, updated, after)
			t.Judge("users.me.update.keeps-identity", func(c *Check) {
				was := ownRecord(t, c, actor, before)
				for _, now := range []Record{recordOf(c, updated), ownRecord(t, c, actor, after)} {
					c.Same("the id as before,", was.ID(), now.ID())
					c.True(compareInstants(t, "created_at", was, now) == 0, fmt.Sprintf("created_at %v", was["created_at"]), fmt.Sprint(now["created_at"]))
				}
			})
			t.Judge("sessions.login.last-login", func(c *Check) {
				if was := ownRecord(t, c, actor, created); was.Happened("last_login") {
					now := ownRecord(t, c, actor, after)
					c.True(now.Happened("last_login"), "last_login still a real time after an update", fmt.Sprint(now["last_login"]))
				}
			})
			t.Judge("users.me.update.updated-at", func(c *Check) {
				was := ownRecord(t, c, actor, before)
				for _, now := range []Record{recordOf(c, updated), ownRecord(t, c, actor, after)} {
					c.True(compareInstants(t, "updated_at", was, now) <= 0, fmt.Sprintf("updated_at %v or later", was["updated_at"]), fmt.Sprint(now["updated_at"]))
				}
			})
		})
}

// userCredentialUpdates judges an update of what a user logs in with.
func userCredentialUpdates(s *Suite) {
	s.Scenario("an update changes user name and email, and what the user logs in by", Judges("users.me.update.applies",
		"sessions.login.user-name", "sessions.login.email", "sessions.login.unknown-user"), func(t *Trial) {
		actor := t.Actor()
		former := []door{{field: "user_name", value: actor.UserName}, {field: "email", value: actor.Email}}
		before, fields := t.Send(actor, GetMe), t.NewUser(nil)
		fields["password"] = actor.Password
		updated := t.Send(actor, UpdateMe, JSON(fields))
		if updated.Succeeded() {
			actor.UserName, actor.Email = fields["user_name"].(string), fields["email"].(string)
		}
		delete(fields, "password")
		updateApplied(t, actor, fields, before, updated, t.Send(actor, GetMe))
		loginsFollow(t, actor, former, updated)
	})
	s.Scenario("after a change of password only the new one logs in", Judges("users.me.update.password"), func(t *Trial) {
		actor := t.Actor()
		doors := loginsOf(t, actor)
		password := t.Password()
		t.Judge("users.me.update.password", func(c *Check) {
			t.Send(actor, UpdateMe, JSON(actor.Required(Fields{"password": password}))).Done()
			for _, door := range doors {
				renewed := t.Send(t.AppOnly(), Login, JSON(door.with(password)))
				c.True(renewed.Succeeded(), "a login with the new password", fmt.Sprint(renewed.Status()))
				old := t.Send(t.AppOnly(), Login, JSON(door.with(actor.Password)))
				if old.Succeeded() {
					needWrongRefused(t, door)
					c.Fail("no login with the old password", fmt.Sprint(old.Status()))
				}
				c.Status(old, Refused())
			}
		})
		actor.Password = password
	})
}

// loginsFollow judges that a user logs in by what an update made of user name
// and email, and no longer by what they were.
func loginsFollow(t *Trial, a *Actor, former []door, updated *Answer) {
	changed := func(field, value string) {
		updated.Done()
		if updated.Record().Text(field) != value {
			t.Blocked("users.me.update.applies", "needs an update of %s, and it did not take effect", field)
		}
	}
	for _, by := range []struct{ rule, field, value string }{
		{"sessions.login.user-name", "user_name", a.UserName},
		{"sessions.login.email", "email", a.Email},
	} {
		t.Judge(by.rule, func(c *Check) {
			changed(by.field, by.value)
			login := t.Send(t.AppOnly(), Login, JSON(door{field: by.field, value: by.value}.with(a.Password)))
			c.True(login.Succeeded(), "a login by the "+by.field+" of an update", fmt.Sprint(login.Status()))
		})
	}
	t.Judge("sessions.login.unknown-user", func(c *Check) {
		changed("user_name", a.UserName)
		changed("email", a.Email)
		for _, door := range former {
			login := t.Send(t.AppOnly(), Login, JSON(door.with(a.Password)))
			c.True(!login.Succeeded(), "no login by the former "+door.field, fmt.Sprint(login.Status()))
		}
	})
}

// userUpdateChoices records what an update does where the contract is silent.
func userUpdateChoices(s *Suite) {
	s.Scenario("what becomes of fields that an update does not send", Judges("users.me.update.omitted-fields"), func(t *Trial) {
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
				c.Observe("kept")
			case len(kept) == 0:
				c.Observe("cleared")
			}
			c.Observe("kept %s; cleared %s", strings.Join(kept, ", "), strings.Join(cleared, ", "))
		})
		// For the rules that look at every response: whether this clears a field is open.
		for _, nothing := range []any{"", nil} {
			t.Send(actor, UpdateMe, JSON(actor.Required(Fields{"first_name": nothing, "custom_id": nothing, "url": nothing})))
			t.Send(actor, GetMe)
		}
	})
}

// updateApplied judges that an update's answer and a later read have the values
// sent. What no read of the user ever shows, as it was created or now, is not the
// update's doing.
func updateApplied(t *Trial, a *Actor, sent Fields, created, updated, after *Answer) {
	const rule = "users.me.update.applies"
	t.JudgeAt(UpdateMe, rule, func(c *Check) {
		updated.Done()
		c.Fields(c.Object(updated), sent)
	})
	t.JudgeAt(GetMe, rule, func(c *Check) {
		updated.Done()
		was, now := ownRecord(t, c, a, created), ownRecord(t, c, a, after)
		shown := maps.Clone(sent)
		maps.DeleteFunc(shown, func(name string, _ any) bool { return !was.Has(name) && !now.Has(name) })
		c.Fields(now, shown)
		if len(shown) < len(sent) {
			t.Blocked(GetMe.Home(), "needs all fields of the user from %s, and some never showed", GetMe)
		}
	})
}

// compareInstants compares a timestamp of two reads of a user. A user that has
// none to compare is for the rule about a new user's fields, and what is no
// timestamp for the one about their form.
func compareInstants(t *Trial, field string, before, after Record) int {
	was, ok := before.Instant(field)
	if !ok {
		t.Blocked("users.create.body", "needs %s before the update, and got %v", field, before[field])
	}
	now, ok := after.Instant(field)
	if !ok {
		return 1
	}
	return was.Compare(now)
}

// userDeletes judges the contract's part Endpoints, row 6.
func userDeletes(s *Suite) {
	s.Scenario("a deleted user is gone", Judges("users.me.delete.status", "users.me.delete.gone"), func(t *Trial) {
		reader, leaver := t.Actor(), t.Actor()
		there := t.Send(reader, GetUser, ID(leaver.ID))
		deleted := t.Send(leaver.Session(), DeleteMe)
		t.Judge("users.me.delete.status", func(c *Check) { c.Status(deleted, OneOf(204)) })
		t.Judge("users.me.delete.gone", func(c *Check) {
			there.Done()
			deleted.Done()
			c.Status(t.Send(reader, GetUser, ID(leaver.ID)), OneOf(404).Tolerating(403, 410))
			c.EventuallyForGood(func() Problem {
				if again := t.Send(reader, GetUser, ID(leaver.ID)); again.Status()/100 == 2 {
					return Problem{Expected: "no record of a deleted user", Actual: fmt.Sprint(again.Status())}
				}
				return Problem{}
			})
		})
	})
}
