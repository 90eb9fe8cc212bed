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

// requestUpdate returns the request of an update, with all fields that a server may require.
func requestUpdate(w *World, s Step) (Request, bool) {
	who, there := w.who(s.User, false)
	if !there || !w.users[who].lives() {
		return Request{}, false
	}
	u := &w.users[who]
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password}
	switch s.How {
	case back:
		if u.previous == nil || w.namesGone(who) {
			return Request{}, false
		}
		maps.Copy(body, u.previous)
	case unchanged:
		maps.Copy(body, u.version())
	case similar:
		maps.Copy(body, u.similar(s.By))
	case takenNames:
		other, known := w.who(s.Other, false)
		if !known || other == who || w.users[other].formerNames == nil || w.nameTaken(u.app, w.users[other].formerNames["user_name"].(string)) {
			return Request{}, false
		}
		maps.Copy(body, w.users[other].formerNames)
	case sameNames:
		other, known := w.who(s.Other, false)
		if !known || w.users[other].app == u.app || w.nameTaken(u.app, w.users[other].name) {
			return Request{}, false
		}
		maps.Copy(body, w.users[other].names())
	}
	maps.Copy(body, s.Body)
	w.respectKeyLimit(body, u.fields["metadata"], w.choices[u.app].MergesMetadata)
	return Request{Endpoint: rules.UpdateMe, Body: body}, true
}

// namesGone reports whether somebody has taken the names that a user had before its latest update.
func (w *World) namesGone(who int) bool {
	u := &w.users[who]
	return slices.ContainsFunc(w.users, func(other user) bool {
		return other.role != u.role && other.app == u.app && (other.name == u.previous["user_name"] || other.email != "" && other.email == u.previous["email"])
	})
}

// respectKeyLimit drops metadata from an update if it could, merged with the present metadata,
// exceed the contract's limit of keys.
func (w *World) respectKeyLimit(body Fields, was allowed, merges Tri) {
	const most = 10
	newer, _ := body["metadata"].(map[string]any)
	if newer == nil || merges == No {
		return
	}
	for _, each := range was {
		if older, _ := each.(map[string]any); len(merged(older, newer)) > most {
			delete(body, "metadata")
		}
	}
}

func expectUpdate(w *World, s Step) Expect {
	return Expect{Status: http.StatusCreated, Either: s.How == takenNames || s.How == sameNames, Rule: "users.me.update.status", At: rules.UpdateMe}
}

func applyUpdate(w *World, c call) {
	who, _ := w.who(c.User, false)
	w.updated(who, c.Request.Body, c.tokens, c.answer.object())
}

func compareUpdated(w *World, c call) []Diff {
	who, _ := w.who(c.User, false)
	u, o, d := &w.users[who], c.answer.object(), c.diff(w, who)
	found := w.diffAnswer(d, who, o)
	if idText(o["id"]) != idText(u.id) {
		each := d
		each.Kind, each.Want, each.Got = WrongID, allowed{u.id}, valueOf(o, "id")
		found = append(found, each)
	}
	if got := valueOf(o, "created_at"); !sameInstant(got, u.created) {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongTime, "created_at", allowed{u.created}, got
		found = append(found, each)
	}
	return found
}

// viewsOfNew are the reads of a user that was just created; of one that has another's names, too,
// those that showed the other.
func viewsOfNew(w *World, s Step) []Step {
	all := []Step{own("see me", s.User)}
	if s.How == again {
		all = append(all, own("see feed", s.User), own("see followers", s.User))
		if former, there := w.who(s.User, true); there {
			for _, reader := range w.rolesOf(w.users[former].app) {
				if who, _ := w.who(reader, false); reader != s.User && w.relation(pair{who, former}).atDeletion != nil {
					all = append(all, own("see feed", reader), own("see follows", reader))
				}
			}
			all = append(all, Step{Do: "log in", User: s.User, Former: true})
		}
	}
	return all
}

// viewsOfUpdate are the reads that show a user's fields: its record, lists that it is in, searches and
// logins.
func viewsOfUpdate(w *World, s Step) []Step {
	who, _ := w.who(s.User, false)
	all := []Step{own("see me", s.User), own("see me", s.User)}
	stranger := 0
	for _, viewer := range w.rolesOf(w.users[who].app) {
		other, _ := w.who(viewer, false)
		p := pair{other, who}
		switch {
		case viewer == s.User:
		case w.relation(p).follow == Yes:
			all = append(all, own("see follows", viewer), own("see feed", viewer))
		case w.friends(p) == Yes:
			all = append(all, own("see friends", viewer))
		case w.relation(p.reversed()).follow == Yes:
			all = append(all, own("see followers", viewer))
		}
		if viewer != s.User {
			stranger = viewer
		}
	}
	if stranger > 0 {
		all = append(all, of("see user", stranger, s.User))
		for _, by := range []string{"first_name", "user_name"} {
			search := Step{Do: "search", User: stranger, Other: s.User, By: by}
			former := search
			former.How = formerTerm
			all = append(all, search, former)
		}
	}
	return append(all, own("log in", s.User), Step{Do: "log in", User: s.User, How: formerSecret}, Step{Do: "log in", User: s.User, By: "email"})
}

// viewsOfDeletion are the reads in which a deleted user could still show.
func viewsOfDeletion(w *World, s Step) []Step {
	who, _ := w.who(s.User, false)
	var all []Step
	for _, reader := range w.rolesOf(w.users[who].app) {
		other, _ := w.who(reader, false)
		r := w.relation(pair{other, who})
		if reader == s.User || w.neverConnected(pair{other, who}) && r.atDeletion == nil {
			continue
		}
		all = append(all, own("see feed", reader), own("see follows", reader), own("see followers", reader), own("see friends", reader))
	}
	for _, viewer := range w.rolesOf(w.users[who].app) {
		if viewer != s.User {
			all = append(all, of("see user", viewer, s.User), Step{Do: "search", User: viewer, Other: s.User, By: "user_name"}, of("see followers", viewer, s.User))
			break
		}
	}
	all = append(all, Step{Do: "log in", User: s.User}, Step{Do: "log in", User: s.User, By: "email"})
	for _, session := range w.users[who].sessions {
		if session.label > 0 {
			all = append(all, Step{Do: "see me", User: s.User, Session: session.label})
		}
	}
	return all
}

// rolesOf returns the roles of an application whose users live.
func (w *World) rolesOf(app int) []int {
	var all []int
	for role := 1; role < len(w.holders); role++ {
		if who, there := w.who(role, false); there && w.users[who].app == app && w.users[who].lives() {
			all = append(all, role)
		}
	}
	return all
}

// appOf returns the application of a role that has a user.
func (w *World) appOf(role int) int {
	if who, there := w.who(role, false); there {
		return w.users[who].app
	}
	return 0
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
