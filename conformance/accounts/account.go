package accounts

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/model/reuse"
)

// Account is a user that a scenario created on the target, wanted or not, with the
// credentials that may delete it.
type Account struct {
	App       string
	ID        string
	UserName  string
	Email     string
	passwords []string // the latest first
	tokens    []string // the latest first
	own       []string // those of these that its creation gave, or in which GET /0.2/user showed it
	Doubtful  bool     // its creation got no answer or failed inside the target, or may have been carried out twice
	MaybeGone bool     // a request to delete it got no answer
	Gone      bool
	Involved  bool     // there may be events and connections of earlier scenarios
	UsedBy    []string // the scenarios that have used it
	// Events are those that earlier scenarios have left, eventsUnknown that there may be others.
	Events        []reuse.Event
	EventsUnknown bool
}

// isOther reports whether a user that the target shows is another one.
func (a *Account) isOther(shown jsonvalue.Record) bool {
	return shown.ID() != "" && shown.ID() != a.ID && !strings.EqualFold(shown.Text("user_name"), a.UserName)
}

// likelyTokens are the account's tokens, those that are surely its own first.
func (a *Account) likelyTokens() []string {
	others := slices.DeleteFunc(slices.Clone(a.tokens), func(token string) bool { return slices.Contains(a.own, token) })
	own := slices.DeleteFunc(slices.Clone(a.own), func(token string) bool { return token == "" })
	return slices.Concat(own, others)
}

// List are accounts, the latest last.
type List []*Account

// Find returns the latest account that is such, nil if there is none.
func (l List) Find(is func(*Account) bool) *Account {
	for _, a := range slices.Backward(l) {
		if is(a) {
			return a
		}
	}
	return nil
}

// holder is the account of a session: one of the session's own application, else one of the
// other, whose session the target seems to have taken.
func (l List) holder(in Session) *Account {
	holds := func(a *Account) bool { return in.Token != "" && slices.Contains(a.tokens, in.Token) }
	if a := l.Find(func(a *Account) bool { return a.App == in.App && holds(a) }); a != nil {
		return a
	}
	return l.Find(holds)
}

// ofLogin is the account that a login was one of: by the id in its answer, else by a name, which
// two users may have.
func (l List) ofLogin(app string, sent, got jsonvalue.Record) *Account {
	if a := l.Find(func(a *Account) bool { return a.App == app && a.ID != "" && a.ID == got.ID() }); a != nil {
		return a
	}
	return l.Find(func(a *Account) bool {
		return a.App == app && (a.UserName != "" && a.UserName == sent.Text("user_name") || a.Email != "" && a.Email == sent.Text("email"))
	})
}
