package model

import (
	"fmt"
	"maps"
	"slices"
)

// update returns what an operation changes of a user, nil if it makes no sense.
type update func(*run, Op, *user) *userChanges

// userChanges are the fields of an update of a user.
type userChanges struct {
	*drawnPayload
	terms     map[string]string // that find the user afterwards
	told      string            // what the log says that the user does
	shown     int               // chooses the values that the log shows, 0 for none
	takenBack bool              // they are those of before the latest update
}

// changed stands for values that the log shows: any number but that of plain ones.
const changed = 1

// changes returns what every update of a user sends, and the terms that find it, as they are.
func (t *run) changes(u *user, told string, shown int) *userChanges {
	return &userChanges{drawnPayload: t.payloads.begin(u.credentials()), told: told, shown: shown,
		terms: map[string]string{"user_name": u.terms["user_name"], "first_name": u.terms["first_name"]}}
}

func newProfile(t *run, o Op, u *user) *userChanges {
	c := t.changes(u, "updates itself", o.Values)
	if o.NewToken {
		c.terms["first_name"] = t.player.target.Unique()
	}
	c.with(t.payloads.user(o.Values, c.terms["first_name"]))
	if o.SharedLastName {
		c.with(t.payloads.begin(Fields{"last_name": t.commonLastName()}))
	}
	return c
}

func newNames(t *run, o Op, u *user) *userChanges {
	c := t.changes(u, "takes another name and email", 0)
	c.terms["user_name"] = t.player.target.Unique()
	c.with(t.payloads.distinctNames(o.Values, c.terms["user_name"]))
	return c
}

func newPassword(t *run, o Op, u *user) *userChanges {
	c := t.changes(u, "takes another password", 0)
	c.with(t.password(o, u))
	return c
}

func similarProfile(t *run, o Op, u *user) *userChanges {
	c := t.changes(u, "changes itself a little", changed)
	changes := u.slightChange(o.Variant)
	c.with(t.payloads.begin(changes))
	for _, name := range []string{"email", "url"} { // which get longer, and may be refused
		if _, there := changes[name]; there {
			c.fallback[name], c.refusable[name] = u.fields[name].first(), "changed a little"
		}
	}
	return c
}

func formerProfile(t *run, _ Op, u *user) *userChanges {
	if u.previous == nil || !t.namesFreeAgain(u) {
		return nil
	}
	c := t.changes(u, "takes back its latest update", changed)
	c.with(t.payloads.begin(u.previous.fields))
	c.terms, c.takenBack = maps.Clone(u.previous.terms), true
	return c
}

// namesOfOther returns the names of another user, or those that it gave up.
func namesOfOther(t *run, o Op, u *user) *userChanges {
	c := t.changes(u, "takes the names of a user of another application", changed)
	if !t.story.crossesApps(o) {
		c.told, c.shown = fmt.Sprintf("takes the name and email that user %d gave up", t.slots[o.Other%t.story.Slots]), 0
	}
	names, term := t.namesLike(o)
	c.terms["user_name"] = term
	c.with(names)
	return c
}

// allowRefusedPassword lets the target refuse a password that the user had before.
func (t *run) allowRefusedPassword(d *drawnPayload, u *user) {
	if password, _ := d.fields["password"].(string); password != u.password && slices.Contains(u.passwords, password) {
		d.fallback["password"], d.refusable["password"] = u.password, "one that the user had before"
	}
}

// commonLastName returns the last name that several users of the story have.
func (t *run) commonLastName() string {
	if t.sharedLastName == "" {
		t.sharedLastName = t.player.target.Unique()
	}
	return t.sharedLastName
}
