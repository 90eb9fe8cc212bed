package story

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// Variants of actions: what Step.How may say.
const (
	again        = "again"         // create: under the names of the user that had the role before
	back         = "back"          // an update to what it was before the latest one
	unchanged    = "unchanged"     // an update to what it is already
	similar      = "similar"       // an update to similar values
	takenNames   = "taken names"   // an update to the names that Other gave up
	sameNames    = "same names"    // create or update: the names of Other, of another application
	details      = "details"       // log in: the whole user is asked for
	formerSecret = "former secret" // log in: with the password before the latest change
	formerTerm   = "former"        // search: by a text that the user gave up
	wholeTerm    = "whole"         // search: by the whole field
	upperTerm    = "upper case"    // search: by the unique part in upper case
	longerTerm   = "longer"        // search: by the unique part and what is around it
	longWait     = "long"          // wait: longer than short-lived caches last
)

// userActions are those on the session's user: endpoints 1, 5 and 6.
func userActions() []*Action {
	return []*Action{
		{Name: "create", Weight: 1, At: rules.CreateUser, Plans: planCreate, Request: requestCreate, Expect: expectCreate, Apply: applyCreate, Compare: compareCreated, Views: viewsOfNew,
			Required: map[string]string{"user_name": "users.create.user-name-required"},
			Say:      func(s Step) string { return "is created" + variant(s) }},
		{Name: "update", Weight: 6, At: rules.UpdateMe, Plans: planUpdate, Request: requestUpdate, Expect: expectUpdate, Apply: applyUpdate, Compare: compareUpdated, Views: viewsOfUpdate,
			Required: map[string]string{"user_name": "users.me.update.user-name-required"},
			Say:      func(s Step) string { return "updates itself" + variant(s) }},
		{Name: "delete user", Weight: 1, At: rules.DeleteMe, Plans: planDelete, Request: requestPlain(rules.DeleteMe), Expect: succeeds(204, "users.me.delete.status", rules.DeleteMe),
			Apply: func(w *World, c call) { who, _ := w.who(c.User, false); w.deletedUser(who) },
			Views: viewsOfDeletion, Say: func(Step) string { return "deletes itself" }},
	}
}

// variant tells how an action differs from the usual one.
func variant(s Step) string {
	if s.How == "" {
		return ""
	}
	return " (" + s.How + ")"
}

// requestPlain returns the request of an endpoint that takes neither id nor body.
func requestPlain(at rules.Endpoint) func(*World, Step) (Request, bool) {
	return func(w *World, s Step) (Request, bool) {
		who, there := w.who(s.User, false)
		return Request{Endpoint: at}, there && (w.users[who].lives() || s.Session > 0)
	}
}

// requestCreate returns the request that creates a user for a role that has none, or had one that
// is deleted.
func requestCreate(w *World, s Step) (Request, bool) {
	r := Request{Endpoint: rules.CreateUser, Body: maps.Clone(s.Body)}
	if r.Body == nil {
		r.Body = plainUser()
	}
	for _, name := range []string{"user_name", "email", "password"} { // which a server may require
		if r.Body[name] == nil {
			r.Body[name] = plainUser()[name]
		}
	}
	who, there := w.who(s.User, false)
	switch s.How {
	case again:
		if !there || w.users[who].lives() {
			return r, false
		}
		was := w.users[who]
		if w.choices[was.app].NamesRecur != Yes || w.nameTaken(was.app, was.name) {
			return r, false
		}
		r.Body["user_name"], r.Body["email"] = was.name, was.email
	case sameNames:
		other, known := w.who(s.Other, false)
		if there || !known {
			return r, false
		}
		maps.Copy(r.Body, w.users[other].names())
	default:
		if there {
			return r, false
		}
	}
	return r, true
}

// nameTaken reports whether a living user has a name.
func (w *World) nameTaken(app int, name string) bool {
	return slices.ContainsFunc(w.users, func(u user) bool { return u.app == app && u.lives() && u.name == name })
}

// names returns the fields of a user by which another application may mistake another for it.
func (u *user) names() Fields {
	all := Fields{"user_name": u.name, "email": u.email}
	for _, name := range []string{"custom_id", "social_ids"} {
		if _, missing := u.fields[name].first().(absent); !missing && len(u.fields[name]) == 1 {
			all[name] = u.fields[name][0]
		}
	}
	return all
}

func expectCreate(w *World, s Step) Expect {
	return Expect{Status: http.StatusCreated, Either: s.How == sameNames, Rule: "users.create.status", At: rules.CreateUser}
}

func applyCreate(w *World, c call) {
	o := c.answer.object()
	who := w.created(c.User, c.App, c.Request.Body, c.tokens, o)
	if token, _ := o["session_token"].(string); token != "" && c.Query["withLogin"] != "" {
		w.loggedIn(who, c.Step.Session, token, rules.Place{Rule: "sessions.create-with-login", At: rules.CreateUser})
	}
}

func compareCreated(w *World, c call) []Diff {
	who, _ := w.who(c.User, false)
	u, o := &w.users[who], c.answer.object()
	d := c.diff(w, who)
	if idText(o["id"]) == "" {
		d.Kind, d.Want, d.Got = WrongID, allowed{"of its own"}, c.answer.Body
		return []Diff{d}
	}
	var found []Diff
	if other, _ := w.userByID(u.app, idText(o["id"])); other != who {
		d.Kind, d.Want, d.Got = WrongID, allowed{"of its own"}, valueOf(o, "id")
		found = append(found, d)
	}
	if at, ok := instant(o["last_login"]); c.Query["withLogin"] == "" && ok && at.Year() > 1 {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongTime, "last_login", allowed{absent{}}, o["last_login"]
		found = append(found, each)
	}
	return append(found, w.diffAnswer(d, who, o)...)
}

// diff returns the beginning of a difference that the answer to a write of a user shows.
func (c call) diff(w *World, who int) Diff {
	return Diff{Step: c.Step, At: c.Endpoint, Status: c.answer.Status, App: c.App, View: sighting{at: c.Endpoint, viewer: who, owner: who, subject: who}}
}

// diffAnswer compares the answer to a write of a user with what was written. What differs is taken
// over, so that it is reported once.
func (w *World) diffAnswer(d Diff, who int, o Fields) []Diff {
	u := &w.users[who]
	var found []Diff
	fields := maps.Clone(u.fields)
	for _, name := range slices.Sorted(maps.Keys(u.fields)) {
		if got, want := valueOf(o, name), u.fields[name]; !want.allows(got) {
			fields[name] = want.or(got)
			each := d
			each.Kind, each.Field, each.Want, each.Got = WrongField, name, want, got
			found = append(found, each)
		}
	}
	u.fields = fields
	return found
}

// describe tells a body in a report, without its password.
func describe(body Fields) string {
	shown := maps.Clone(body)
	delete(shown, "password")
	if len(shown) == 0 {
		return ""
	}
	return fmt.Sprintf(" with %s", showValue(shown))
}
