package model

import (
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// view is one way to read the target: an endpoint, as seen by a user.
type view struct {
	at      rules.Endpoint
	viewer  int    // whose session reads, -1 for none
	owner   int    // whose data it is; the viewer for its own
	session int    // the viewer's session, -1 for one that works
	field   string // rules.SearchUsers: the field that the term stands in
	term    string
	word    string // the word that extends the previous term, "" if there is none
	exact   bool   // the term must not be varied
}

func own(at rules.Endpoint, who int) view { return view{at: at, viewer: who, owner: who, session: -1} }

func of(at rules.Endpoint, owner, viewer int) view {
	return view{at: at, viewer: viewer, owner: owner, session: -1}
}

// judge compares what a view shows with the state.
func (st *State) judge(v view, r Response) []Difference {
	if objects, ok := r.objects(); ok {
		st.choices.Lengths.saw(v.at, len(objects))
	}
	switch v.at {
	case rules.Feed:
		if v.session >= 0 {
			return st.judgeSession(v, r)
		}
		return st.judgeFeed(v.viewer, r)
	case rules.GetMe, rules.GetUser:
		return st.judgeUser(v, r)
	case rules.SearchUsers:
		return st.judgeSearch(v, r)
	case rules.Login:
		return st.judgeLogin(v, r)
	}
	return st.judgeList(v, r)
}

// recordShown records which resources a view has shown.
func (st *State) recordShown(v view, r Response) {
	objects, _ := r.objects()
	for _, o := range objects {
		st.shownAt[v.key(idText(o["id"]), "")] = st.step()
	}
}

func (v view) key(id, how string) showing { return showing{v.at, v.viewer, v.owner, v.field, id, how} }

func (st *State) eventByID(id string) (int, bool) {
	i := slices.IndexFunc(st.events, func(e *event) bool { return idText(e.id) == id })
	return i, i >= 0
}

func (st *State) userByID(id string) (int, bool) {
	i := slices.IndexFunc(st.users, func(u *user) bool { return idText(u.id) == id })
	return i, i >= 0
}

// sharedNameField is the field of a view that searches for the token that several user names
// share.
const sharedNameField = "kinship"

// wholeNameField is the field of a view that searches for a whole user name.
const wholeNameField = "whole user_name"

// endedSessionsValue marks what a session that has ended tries to write.
const endedSessionsValue = "of an ended session"
