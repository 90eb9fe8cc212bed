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
			"users.me.update.keeps-identity", "users.me.update.updated-at").And(CoversAt(GetMe, "sessions.login.last-login")), userUpdated)
}

func userUpdated(t *T) {
	actor := t.ActorWith(userProfile(t))
	created := t.Send(actor, GetMe)
	first := Fields{"metadata": userProfile(t)["metadata"]} // alone: what compares texts sees no change
	renewed := t.Send(actor, UpdateMe, JSON(actor.Required(joined(first, Fields{"created_at": "2001-02-03T04:05:06Z"}))))
	if !renewed.Succeeded() { // a target may refuse what it sets itself
		renewed = t.Send(actor, UpdateMe, JSON(actor.Required(first)))
	}
	before, fields := ownAfter(t, actor, renewed), userProfile(t)
	for _, field := range []string{"user_name", "first_name", "last_name"} { // no less an update where case alone changes
		if name := before.Record().Text(field); name != otherCase(name) {
			fields[field] = otherCase(name)
		}
	}
	short := fields["custom_id"]
	fields["custom_id"] = t.UUID()
	updated := t.Send(actor, UpdateMe, JSON(actor.Required(fields)))
	if !updated.Succeeded() { // for the length of that id
		fields["custom_id"] = short
		updated = t.Send(actor, UpdateMe, JSON(actor.Required(fields)))
	}
	again := t.Send(actor, UpdateMe, JSON(actor.Required(fields))) // the same once more is an update as well
	after := ownAfter(t, actor, updated)
	if name := updated.Record().Text("user_name"); strings.EqualFold(name, actor.UserName) {
		actor.UserName = name
	}

	t.Judge("users.me.update.status", func(c *Check) {
		c.Status(updated, OneOf(201))
		c.Status(again, OneOf(201))
	})
	userUpdate{sent: first, before: created, answer: renewed, after: []*Answer{before}}.applied(t, actor)
	userUpdate{sent: fields, before: created, answer: updated, after: []*Answer{after, ownAfter(t, actor, updated)}}.applied(t, actor)
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
			createdAt := was.Text("created_at")
			reset := now.Text("updated_at") == createdAt && strings.Contains(createdAt, ".") // which no other clock says
			if compareInstants(t, "updated_at", was, now) > 0 && !reset && !was.WentBack("updated_at", now) {
				now = updatedLater(t, c, actor, fields) // replicas whose clocks differ may have answered
			}
			c.True(compareInstants(t, "updated_at", was, now) <= 0, fmt.Sprintf("updated_at %v or later", was["updated_at"]), now.Shown("updated_at"))
		}
	})
}

// updatedLater updates a user again, once the clocks of all replicas have passed what any of them said before.
func updatedLater(t *T, c *Check, actor *Actor, fields Fields) Record {
	rest(t, ClockSkew)
	return recordOf(c, t.Send(actor, UpdateMe, JSON(actor.Required(fields))))
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

// userUpdateChoices records what an update does where the contract is silent.
func userUpdateChoices(s *Suite) {
	// users.me.update.omitted-fields (choice): Whether an update keeps or clears the fields that it does not send is left open.
	s.Scenario("fields that an update does not send", Covers("users.me.update.omitted-fields"), unsentFields)
}

func unsentFields(t *T) {
	profile := userProfile(t)
	actor := t.ActorWith(profile)
	t.Judge("users.me.update.omitted-fields", func(c *Check) {
		before := ownRecord(t, c, actor, t.Send(actor, GetMe))
		updated := t.Send(actor, UpdateMe, JSON(actor.Required(nil)))
		updated.Done()
		after := ownRecord(t, c, actor, ownAfter(t, actor, updated))
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
	viewer := t.Actor()
	actor.Follow(viewer)
	for _, blank := range []any{"", nil} {
		t.Send(actor, UpdateMe, JSON(actor.Required(Fields{"first_name": blank, "last_name": blank, "custom_id": blank, "url": blank})))
		t.Send(actor, GetMe)
		t.Send(actor, SearchUsers, Query("q", actor.UserName)) // which may find the user itself
		t.Send(viewer, MyFollowers)
		t.Send(viewer, GetUser, ID(actor.ID))
	}
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

// ownAfter reads a user after an update, again for as long as reads may lag and it is not as the
// update was answered.
func ownAfter(t *T, a *Actor, updated *Answer) *Answer {
	return t.SendUntil(func(read *Answer) bool {
		now, want := read.Record(), updated.Record()
		return !updated.Succeeded() || !read.Succeeded() || !slices.ContainsFunc([]string{"user_name", "email", "first_name", "last_name", "metadata"}, func(name string) bool {
			return now.Has(name) && want.Has(name) && now.Shown(name) != want.Shown(name)
		})
	}, a, GetMe)
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
