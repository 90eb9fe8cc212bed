package world

import (
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// View is one way to read the target: an endpoint, as seen by a user.
type View struct {
	At      rules.Endpoint
	Viewer  int    // whose session reads, -1 for none
	Owner   int    // whose data it is; the viewer for its own
	Session int    // the viewer's session, -1 for one that works
	Field   string // rules.SearchUsers: the field that the term stands in
	Term    string
	Word    string // the word that extends the previous term, "" if there is none
	Exact   bool   // the term must not be varied
}

// Own returns the view of a user's own data at an endpoint.
func Own(at rules.Endpoint, who int) View { return View{At: at, Viewer: who, Owner: who, Session: -1} }

// Of returns the view of a user's data at an endpoint, as another sees it.
func Of(at rules.Endpoint, owner, viewer int) View {
	return View{At: at, Viewer: viewer, Owner: owner, Session: -1}
}

// Judge compares what a view shows with the state.
func (st *State) Judge(v View, r exchange.Response) []blame.Difference {
	if objects, ok := r.Objects(); ok {
		st.Choices.Lengths.Saw(v.At, len(objects))
	}
	switch v.At {
	case rules.Feed:
		if v.Session >= 0 {
			return st.judgeSession(v, r)
		}
		return st.judgeFeed(v.Viewer, r)
	case rules.GetMe, rules.GetUser:
		return st.judgeUser(v, r)
	case rules.SearchUsers:
		return st.judgeSearch(v, r)
	case rules.Login:
		return st.judgeLogin(v, r)
	}
	return st.judgeList(v, r)
}

// RecordShown records which resources a view has shown.
func (st *State) RecordShown(v View, r exchange.Response) {
	objects, _ := r.Objects()
	for _, o := range objects {
		st.shownAt[v.Key(value.ID(o["id"]), "")] = st.step()
	}
}

// Key returns what identifies a difference that the view shows of a resource.
func (v View) Key(id, how string) blame.Key {
	return blame.Key{At: v.At, Viewer: v.Viewer, Owner: v.Owner, Field: v.Field, ID: id, How: how}
}

// EventByID returns the event with an id, false if there is none.
func (st *State) EventByID(id string) (int, bool) {
	i := slices.IndexFunc(st.Events, func(e *Event) bool { return value.ID(e.ID) == id })
	return i, i >= 0
}

// UserByID returns the user with an id, false if there is none.
func (st *State) UserByID(id string) (int, bool) {
	i := slices.IndexFunc(st.Users, func(u *User) bool { return value.ID(u.ID) == id })
	return i, i >= 0
}

// SharedNameField is the field of a view that searches for the token that several user names
// share.
const SharedNameField = "kinship"

// WholeNameField is the field of a view that searches for a whole user name.
const WholeNameField = "whole user_name"

// EndedSessionsValue marks what a session that has ended tries to write.
const EndedSessionsValue = "of an ended session"
