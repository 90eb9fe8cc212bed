package conformance

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/model/reuse"
)

// account is a user that a scenario created on the target, wanted or not, with the
// credentials that may delete it.
type account struct {
	app       string
	id        string
	userName  string
	email     string
	passwords []string // the latest first
	tokens    []string // the latest first
	own       []string // those of these that its creation gave, or in which GET /0.2/user showed it
	doubtful  bool     // its creation got no answer or failed inside the target, or may have been carried out twice
	maybeGone bool     // a request to delete it got no answer
	gone      bool
	involved  bool     // there may be events and connections of earlier scenarios
	usedBy    []string // the scenarios that have used it
	// events are those that earlier scenarios have left, eventsUnknown that there may be others.
	events        []reuse.Event
	eventsUnknown bool
}

// isOther reports whether a user that the target shows is another one.
func (a *account) isOther(shown jsonvalue.Record) bool {
	return shown.ID() != "" && shown.ID() != a.id && !strings.EqualFold(shown.Text("user_name"), a.userName)
}

// likelyTokens are the account's tokens, those that are surely its own first.
func (a *account) likelyTokens() []string {
	others := slices.DeleteFunc(slices.Clone(a.tokens), func(token string) bool { return slices.Contains(a.own, token) })
	own := slices.DeleteFunc(slices.Clone(a.own), func(token string) bool { return token == "" })
	return slices.Concat(own, others)
}

// accountList are accounts, the latest last.
type accountList []*account

// find returns the latest account that is such, nil if there is none.
func (l accountList) find(is func(*account) bool) *account {
	for _, a := range slices.Backward(l) {
		if is(a) {
			return a
		}
	}
	return nil
}

// holder is the account of a session: one of the session's own application, else one of the
// other, whose session the target seems to have taken.
func (l accountList) holder(in session) *account {
	holds := func(a *account) bool { return in.Token != "" && slices.Contains(a.tokens, in.Token) }
	if a := l.find(func(a *account) bool { return a.app == in.App && holds(a) }); a != nil {
		return a
	}
	return l.find(holds)
}

// ofLogin is the account that a login was one of: by the id in its answer, else by a name, which
// two users may have.
func (l accountList) ofLogin(app string, sent, got jsonvalue.Record) *account {
	if a := l.find(func(a *account) bool { return a.app == app && a.id != "" && a.id == got.ID() }); a != nil {
		return a
	}
	return l.find(func(a *account) bool {
		return a.app == app && (a.userName != "" && a.userName == sent.Text("user_name") || a.email != "" && a.email == sent.Text("email"))
	})
}
