package accounts

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/observed"
	"github.com/socialfeed/conform/conformance/rules"
)

// Sender sends a request in a session, and reports whether a response came. The exchange is nil where nothing was
// sent.
type Sender func(method, path string, as Session, body []byte) (x *wire.Exchange, answered bool)

// LogIn logs in with the given fields and returns the token, "" when it fails, and the exchange,
// nil where nothing was sent.
func (send Sender) LogIn(app string, fields jsonvalue.Fields) (token string, x *wire.Exchange) {
	for _, value := range fields { // an empty field identifies nobody
		if value == "" {
			return "", nil
		}
	}
	body, err := jsonvalue.Encode(fields)
	if err != nil {
		return "", nil
	}
	x, answered := send(http.MethodPost, rules.Login.Path(), Session{App: app}, body)
	if !answered || x.Status/100 != 2 {
		return "", x
	}
	value, _ := x.Value()
	record, _ := jsonvalue.AsRecord(value)
	token, _ = record["session_token"].(string)
	return token, x
}

// Remover deletes accounts.
type Remover struct {
	Send    Sender
	Owners  *Owners
	Answers *observed.Answers
}

// RemoveDouble deletes what a request that was sent twice may have created besides an account
// that is deleted.
func (r Remover) RemoveDouble(a *Account) bool {
	if !a.Doubtful {
		return true
	}
	second := &Account{App: a.App, UserName: a.UserName, Email: a.Email, passwords: a.passwords, Doubtful: true}
	return r.Remove(second)
}

// Remove deletes one account: by a token it has, one that is surely its own first, else by
// logging in once more.
func (r Remover) Remove(a *Account) bool {
	var latest *wire.Exchange // nil where nothing was sent for the account
	for _, token := range a.likelyTokens() {
		x, gone, missing := r.RemoveBy(a, token)
		if gone || missing {
			return gone
		}
		latest = cmp.Or(x, latest)
	}
	for _, password := range a.passwords {
		for _, login := range []jsonvalue.Fields{
			{"user_name": a.UserName, "password": password},
			{"email": a.Email, "password": password},
		} {
			if !r.Owners.worthLogin() {
				return false
			}
			token, x := r.Send.LogIn(a.App, login)
			if latest = cmp.Or(x, latest); token == "" {
				continue
			}
			x, gone, missing := r.RemoveBy(a, token)
			if gone || missing {
				return gone
			}
			latest = cmp.Or(x, latest)
			r.Owners.recordLogin(Session{a.App, token})
		}
	}
	if latest == nil || latest.Err != nil {
		return false
	}
	refused := latest.Status/100 == 4 // there is nobody to log in to
	if !a.Doubtful {
		return refused && a.MaybeGone && latest.Endpoint == rules.Login && r.Answers.Served(rules.Login)
	}
	return refused || !r.Answers.Served(rules.CreateUser) && !r.Answers.Served(rules.Login) // a target that serves neither has made no user
}

// RemoveBy deletes an account by a session of it, with an exchange that is nil where nothing was
// sent. It reports whether the account is gone, and where it is not, whether the target seems to
// have no such endpoint: it answers as for an unknown path, and has never deleted a user.
func (r Remover) RemoveBy(a *Account, token string) (x *wire.Exchange, gone, missing bool) {
	in := Session{a.App, token}
	if r.Owners.record(in, a, rules.Login.BlockingRule()); r.opensOthers(in, a) {
		return nil, false, false
	}
	x, answered := r.Send(http.MethodDelete, rules.DeleteMe.Path(), in, nil)
	a.MaybeGone = a.MaybeGone || !answered || x.Repeated
	if !answered {
		return x, false, false
	}
	served := r.Answers.Served(rules.DeleteMe)
	absent := x.Status == http.StatusNotFound || x.Status == http.StatusGone
	return x, x.Status/100 == 2 || absent && served, !served && (absent || observed.SaysAbsent(x.Status))
}

// opensOthers reports whether a session that the target gave for an account may be another user's,
// who would be deleted in its place. One that was given to two users is, unless it shows this one;
// of the others a target is asked that gave somebody's session to somebody else before.
func (r Remover) opensOthers(in Session, a *Account) bool {
	shared, mixedUp, reliable := r.Owners.suspicions(in)
	switch {
	case !reliable:
		return shared
	case !shared && (!mixedUp || slices.Contains(a.own, in.Token)):
		return false
	}
	x, answered := r.Send(http.MethodGet, rules.GetMe.Path(), in, nil)
	if !answered || x.Status/100 != 2 {
		return shared
	}
	value, _ := x.Value()
	shown, _ := jsonvalue.AsRecord(value)
	return a.isOther(shown) || shared && shown.ID() == ""
}
