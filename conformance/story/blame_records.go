package story

import (
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// blamesOfUsers are about what the record of a user, or the answer to a write of it, shows.
func blamesOfUsers() []blame {
	at := func(endpoints ...rules.Endpoint) func(func(*cause) bool) func(*cause) bool {
		return func(when func(*cause) bool) func(*cause) bool {
			return func(c *cause) bool { return slices.Contains(endpoints, c.At) && when(c) }
		}
	}
	record, updated, created, login := at(rules.GetMe, rules.GetUser), at(rules.UpdateMe), at(rules.CreateUser), at(rules.Login)
	me, other := at(rules.GetMe), at(rules.GetUser)
	connected := at(rules.CreateConnection)
	wrong, session := []DiffKind{WrongField}, []DiffKind{OtherSession, NoSession}
	garbledField := func(c *cause) bool { return garbled(c.Want, c.Got) }
	changed := func(c *cause) bool { return c.subject != nil && c.subject.changed > 0 }
	return []blame{
		{"users.me.delete.gone", fixed(rules.DeleteMe), []DiffKind{Gone}, record(always)},
		{"users.id-stable", seen, []DiffKind{WrongID}, func(c *cause) bool {
			return c.At == rules.GetMe || c.At == rules.GetUser || c.At == rules.CreateUser && c.knownID()
		}},
		{"users.create.body", seen, []DiffKind{WrongID}, created(always)},
		{"users.me.update.keeps-identity", fixed(rules.UpdateMe), []DiffKind{WrongID}, updated(always)},
		{"users.create.last-login-unset", seen, []DiffKind{WrongTime}, created(always)},
		{"users.me.get", seen, []DiffKind{Unreadable}, me(always)},
		{"users.get.other", seen, []DiffKind{Unreadable}, other(always)},
		{"auth.no-effect", fixed(rules.UpdateMe), wrong, record(func(c *cause) bool { why, _ := c.shownWrongly(); return why != notRefused })},
		{"transport.unicode-roundtrip", fixed(rules.UpdateMe), wrong, record(func(c *cause) bool { return changed(c) && garbledField(c) })},
		{"users.me.update.applies", fixed(rules.UpdateMe), wrong, record(changed)},
		{"transport.unicode-roundtrip", seen, wrong, at(rules.GetMe, rules.CreateUser, rules.UpdateMe)(garbledField)},
		{"users.me.get", seen, wrong, me(always)},
		{"users.get.other", seen, wrong, other(always)},
		{"users.me.update.applies", seen, wrong, updated(always)},
		{"users.create.body", seen, wrong, created(func(c *cause) bool { return c.Field == "user_name" })},
		{"users.create.echo", seen, wrong, created(always)},
		{"sessions.login.last-login", fixed(rules.GetMe), []DiffKind{WrongTime}, me(func(c *cause) bool { return c.Field == "last_login" })},
		{"users.get.other", seen, []DiffKind{WrongTime}, other(func(c *cause) bool { return c.Field == "last_login" })},
		{"users.me.update.keeps-identity", fixed(rules.UpdateMe), []DiffKind{WrongTime}, at(rules.GetMe, rules.GetUser, rules.UpdateMe)(always)},
		{"users.me.update.updated-at", fixed(rules.UpdateMe), []DiffKind{GoneBack}, always},
		{"users.id-stable", seen, []DiffKind{OtherSession}, login(always)},
		{"sessions.login.email", seen, session, login(func(c *cause) bool { return c.Step.By == "email" })},
		{"sessions.login.user-name", seen, session, login(always)},
		{"users.me.get", fixed(rules.GetMe), session, always},
		{"connections.create.follow", seen, wrong, connected(func(c *cause) bool { return c.Step.Type == follow })},
		{"connections.create.friend", seen, wrong, connected(always)},
		{"versions.current", fixed(rules.Versions), wrong, at(rules.Versions)(always)},
		{"versions.status", fixed(rules.Versions), []DiffKind{Unreadable}, at(rules.Versions)(always)},
	}
}

// knownID reports whether the answer to a creation has an id.
func (c *cause) knownID() bool { return idText(c.Got) != "" }

// blamesOfEvents are about what an event in a feed, or the answer to a write of it, shows.
func blamesOfEvents() []blame {
	in := func(at rules.Endpoint) func(func(*cause) bool) func(*cause) bool {
		return func(when func(*cause) bool) func(*cause) bool {
			return func(c *cause) bool { return c.At == at && when(c) }
		}
	}
	created, updated, feed := in(rules.CreateEvent), in(rules.UpdateEvent), in(rules.Feed)
	wrong, times := []DiffKind{WrongField}, []DiffKind{WrongTime}
	both := []DiffKind{WrongField, WrongTime}
	field := func(names ...string) func(*cause) bool {
		return func(c *cause) bool { return slices.Contains(names, c.Field) }
	}
	garbledField := func(c *cause) bool { return garbled(c.Want, c.Got) }
	attempt := func(why refusal) func(*cause) bool {
		return func(c *cause) bool { is, _ := c.shownWrongly(); return is == why }
	}
	return []blame{
		{"events.create.owner", seen, wrong, created(field("user_id"))},
		{"events.create.coordinates", seen, wrong, created(field("latitude", "longitude"))},
		{"transport.unicode-roundtrip", seen, wrong, created(garbledField)},
		{"events.create.body", seen, []DiffKind{WrongID}, created(always)},
		{"events.create.body", seen, wrong, created(field("verb"))},
		{"events.create.echo", seen, wrong, created(always)},
		{"events.update.keeps-identity", seen, []DiffKind{WrongID, WrongTime}, updated(always)},
		{"events.update.partial", seen, wrong, updated(func(c *cause) bool {
			_, sent := c.Step.Body["verb"]
			return c.Field == "verb" && !sent && c.Step.How == ""
		})},
		{"events.update.applies", seen, wrong, updated(always)},
		{"events.update.others", fixed(rules.UpdateEvent), wrong, feed(attempt(byOwner))},
		{"auth.no-effect", fixed(rules.UpdateEvent), wrong, feed(attempt(byEndedSession))},
		{"events.update.keeps-identity", fixed(rules.UpdateEvent), times, feed(func(c *cause) bool { return c.Field == "created_at" && c.event.changed > 0 })},
		{"feed.update-visible", fixed(rules.UpdateEvent), both, feed((*cause).formerValue)},
		{"feed.event-shape", seen, both, feed(always)},
	}
}
