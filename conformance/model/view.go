package model

import (
	"fmt"
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

// Difference is where a target is not in a state that the contract allows, and the rule to
// blame.
type Difference struct {
	Rule             string
	At               rules.Endpoint
	Expected, Actual string
	Step             int     // the index of the operation after which it was seen; the number of operations for the end
	Evidence         []any   // the target's records of what was sent, the deciding one last
	key              showing // of several with the same one the first is reported
	oneCause         bool    // what shows it in several views has one cause
	symptom          string  // how it shows, if several rules may be to blame
	stale            bool    // it was right before an update
	repeated         bool    // it showed in repeated reads
	timeless         bool    // it was right at no time, so that no lag explains it
	app              int     // the application that showed it
	slots            []int   // of the users whom it is about
}

func (d Difference) String() string {
	return fmt.Sprintf("%s at %d: expected %s; got %s", d.Rule, d.At, d.Expected, d.Actual)
}

// Repeated reports whether it showed only in repeated reads.
func (d Difference) Repeated() bool { return d.repeated }

// Stale reports whether it was right before an update, and may be a matter of time on a target that lags.
func (d Difference) Stale() bool { return d.stale }

// same reports whether two differences are of the same rule at the same endpoint.
func (d Difference) same(o Difference) bool { return d.Rule == o.Rule && d.At == o.At }

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

// showing identifies what is wrong with what a view shows, or the resource that it shows.
type showing struct {
	at            rules.Endpoint
	viewer, owner int
	field         string
	id            string // of the resource, "" for the view itself
	how           string // it is shown, "" for whether it is
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
