package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// view is one look at the target: an endpoint that reads, as somebody sees it.
type view struct {
	at      rules.Endpoint
	viewer  int    // whose session reads, -1 for none
	owner   int    // whose things they are; the viewer for its own
	session int    // the viewer's session, -1 for one that works
	field   string // rules.SearchUsers: the field that the term stands in
	term    string
	word    string // the word by which the term is longer than the one before it, "" for a term of its own
	exact   bool   // the term is not to be varied
}

func own(at rules.Endpoint, who int) view { return view{at: at, viewer: who, owner: who, session: -1} }

func of(at rules.Endpoint, owner, viewer int) view {
	return view{at: at, viewer: viewer, owner: owner, session: -1}
}

// Difference is where a target is not in a state that the contract allows, and
// the rule that stands for what should have brought it there.
type Difference struct {
	Rule             string
	At               rules.Endpoint
	Expected, Actual string
	Step             int    // the operation after which it was seen, from 0; the number of operations for the end
	Evidence         []any  // the target's records of what was sent, the deciding one last
	key              string // names what shows it, so that it is told once
	subject          string // the id of what it is about, where several views may show it
	symptom          string // what it looks like, where several rules may be to blame
	repeated         bool   // it showed when the same was read again
	app              int    // the application that shows it
	slots            []int  // of the users whom it is about
}

func (d Difference) String() string {
	return fmt.Sprintf("%s at %d: expected %s; got %s", d.Rule, d.At, d.Expected, d.Actual)
}

// Repeated reports whether it showed only when the same was read over and over.
func (d Difference) Repeated() bool { return d.repeated }

// same reports whether two differences are one rule's at one endpoint.
func (d Difference) same(o Difference) bool { return d.Rule == o.Rule && d.At == o.At }

// judge compares what a view shows with the world.
func (w *World) judge(v view, r Response) []Difference {
	switch v.at {
	case rules.Feed:
		if v.session >= 0 {
			return w.judgeSession(v, r)
		}
		return w.judgeFeed(v.viewer, r)
	case rules.GetMe, rules.GetUser:
		return w.judgeUser(v, r)
	case rules.SearchUsers:
		return w.judgeSearch(v, r)
	case rules.Login:
		return w.judgeLogin(v, r)
	}
	return w.judgeList(v, r)
}

// saw remembers what a view has shown.
func (w *World) saw(v view, r Response) {
	objects, _ := r.objects()
	for _, o := range objects {
		w.seen[v.entry(idText(o["id"]))] = w.step()
	}
}

// entry names a resource in what a view shows.
func (v view) entry(id string) string {
	return fmt.Sprintf("%d/%d/%d/%s/%s", v.at, v.viewer, v.owner, v.field, id)
}

func (w *World) eventByID(id string) (int, bool) {
	i := slices.IndexFunc(w.events, func(e *event) bool { return idText(e.id) == id })
	return i, i >= 0
}

func (w *World) userByID(id string) (int, bool) {
	i := slices.IndexFunc(w.users, func(u *user) bool { return idText(u.id) == id })
	return i, i >= 0
}
