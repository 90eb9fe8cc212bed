package play

import (
	"fmt"
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
)

// update returns what an operation changes of a user, nil if it makes no sense.
type update func(*run, story.Op, *world.User) *userChanges

// userChanges are the fields of an update of a user.
type userChanges struct {
	*body.Drawn
	terms     map[string]string // that find the user afterwards
	told      string            // what the log says that the user does
	shown     int               // chooses the values that the log shows, 0 for none
	takenBack bool              // they are those of before the latest update
}

// changed stands for values that the log shows: any number but that of plain ones.
const changed = 1

// changes returns what every update of a user sends, and the terms that find it, as they are.
func (t *run) changes(u *world.User, told string, shown int) *userChanges {
	return &userChanges{Drawn: t.payloads.Begin(u.Credentials()), told: told, shown: shown,
		terms: map[string]string{"user_name": u.Terms["user_name"], "first_name": u.Terms["first_name"]}}
}

func newProfile(t *run, o story.Op, u *world.User) *userChanges {
	c := t.changes(u, "updates itself", o.Values)
	if o.NewToken {
		c.terms["first_name"] = t.player.target.Unique()
	}
	c.With(t.payloads.User(o.Values, c.terms["first_name"]))
	if o.SharedLastName {
		c.With(t.payloads.Begin(value.Fields{"last_name": t.commonLastName()}))
	}
	return c
}

func newNames(t *run, o story.Op, u *world.User) *userChanges {
	c := t.changes(u, "takes another name and email", 0)
	c.terms["user_name"] = t.player.target.Unique()
	c.With(t.payloads.DistinctNames(o.Values, c.terms["user_name"]))
	return c
}

func newPassword(t *run, o story.Op, u *world.User) *userChanges {
	c := t.changes(u, "takes another password", 0)
	c.With(t.password(o, u))
	return c
}

func similarProfile(t *run, o story.Op, u *world.User) *userChanges {
	c := t.changes(u, "changes itself a little", changed)
	changes := u.SlightChange(o.Variant)
	c.With(t.payloads.Begin(changes))
	for _, name := range []string{"email", "url"} { // which get longer, and may be refused
		if _, there := changes[name]; there {
			c.Fallback[name], c.Refusable[name] = u.Fields[name].First(), "changed a little"
		}
	}
	return c
}

func formerProfile(t *run, _ story.Op, u *world.User) *userChanges {
	if u.Previous == nil || !t.namesFreeAgain(u) {
		return nil
	}
	c := t.changes(u, "takes back its latest update", changed)
	c.With(t.payloads.Begin(u.Previous.Fields))
	c.terms, c.takenBack = maps.Clone(u.Previous.Terms), true
	return c
}

// namesOfOther returns the names of another user, or those that it gave up.
func namesOfOther(t *run, o story.Op, u *world.User) *userChanges {
	c := t.changes(u, "takes the names of a user of another application", changed)
	if !t.story.CrossesApps(o) {
		c.told, c.shown = fmt.Sprintf("takes the name and email that user %d gave up", t.slots[o.Other%t.story.Slots]), 0
	}
	names, term := t.namesLike(o)
	c.terms["user_name"] = term
	c.With(names)
	return c
}

// allowRefusedPassword lets the target refuse a password that the user had before.
func (t *run) allowRefusedPassword(d *body.Drawn, u *world.User) {
	if password, _ := d.Fields["password"].(string); password != u.Password && slices.Contains(u.Passwords, password) {
		d.Fallback["password"], d.Refusable["password"] = u.Password, "one that the user had before"
	}
}

// commonLastName returns the last name that several users of the story have.
func (t *run) commonLastName() string {
	if t.sharedLastName == "" {
		t.sharedLastName = t.player.target.Unique()
	}
	return t.sharedLastName
}
