package conformance

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// sender sends a request in a session, and reports whether a response came. The exchange is nil where nothing was
// sent.
type sender func(method, path string, as session, body []byte) (x *wire.Exchange, answered bool)

// logIn logs in with the given fields and returns the token, "" when it fails, and the exchange,
// nil where nothing was sent.
func (send sender) logIn(app string, fields jsonvalue.Fields) (token string, x *wire.Exchange) {
	for _, value := range fields { // an empty field identifies nobody
		if value == "" {
			return "", nil
		}
	}
	body, err := jsonvalue.Encode(fields)
	if err != nil {
		return "", nil
	}
	x, answered := send(http.MethodPost, rules.Login.Path(), session{App: app}, body)
	if !answered || x.Status/100 != 2 {
		return "", x
	}
	value, _ := x.Value()
	record, _ := jsonvalue.AsRecord(value)
	token, _ = record["session_token"].(string)
	return token, x
}

// remover deletes accounts.
type remover struct {
	send    sender
	owners  *sessionOwners
	answers *endpointAnswers
}

// removeDouble deletes what a request that was sent twice may have created besides an account
// that is deleted.
func (r remover) removeDouble(a *account) bool {
	if !a.doubtful {
		return true
	}
	second := &account{app: a.app, userName: a.userName, email: a.email, passwords: a.passwords, doubtful: true}
	return r.remove(second)
}

// remove deletes one account: by a token it has, one that is surely its own first, else by
// logging in once more.
func (r remover) remove(a *account) bool {
	var latest *wire.Exchange // nil where nothing was sent for the account
	for _, token := range a.likelyTokens() {
		x, gone, missing := r.removeBy(a, token)
		if gone || missing {
			return gone
		}
		latest = cmp.Or(x, latest)
	}
	for _, password := range a.passwords {
		for _, login := range []jsonvalue.Fields{
			{"user_name": a.userName, "password": password},
			{"email": a.email, "password": password},
		} {
			if !r.owners.worthLogin() {
				return false
			}
			token, x := r.send.logIn(a.app, login)
			if latest = cmp.Or(x, latest); token == "" {
				continue
			}
			x, gone, missing := r.removeBy(a, token)
			if gone || missing {
				return gone
			}
			latest = cmp.Or(x, latest)
			r.owners.recordLogin(session{a.app, token})
		}
	}
	if latest == nil || latest.Err != nil {
		return false
	}
	refused := latest.Status/100 == 4 // there is nobody to log in to
	if !a.doubtful {
		return refused && a.maybeGone && latest.Endpoint == rules.Login && r.answers.served(rules.Login)
	}
	return refused || !r.answers.served(rules.CreateUser) && !r.answers.served(rules.Login) // a target that serves neither has made no user
}

// removeBy deletes an account by a session of it, with an exchange that is nil where nothing was
// sent. It reports whether the account is gone, and where it is not, whether the target seems to
// have no such endpoint: it answers as for an unknown path, and has never deleted a user.
func (r remover) removeBy(a *account, token string) (x *wire.Exchange, gone, missing bool) {
	in := session{a.app, token}
	if r.owners.record(in, a, rules.Login.BlockingRule()); r.opensOthers(in, a) {
		return nil, false, false
	}
	x, answered := r.send(http.MethodDelete, rules.DeleteMe.Path(), in, nil)
	a.maybeGone = a.maybeGone || !answered || x.Repeated
	if !answered {
		return x, false, false
	}
	served := r.answers.served(rules.DeleteMe)
	absent := x.Status == http.StatusNotFound || x.Status == http.StatusGone
	return x, x.Status/100 == 2 || absent && served, !served && (absent || saysAbsent(x.Status))
}

// opensOthers reports whether a session that the target gave for an account may be another user's,
// who would be deleted in its place. One that was given to two users is, unless it shows this one;
// of the others a target is asked that gave somebody's session to somebody else before.
func (r remover) opensOthers(in session, a *account) bool {
	shared, mixedUp, reliable := r.owners.suspicions(in)
	switch {
	case !reliable:
		return shared
	case !shared && (!mixedUp || slices.Contains(a.own, in.Token)):
		return false
	}
	x, answered := r.send(http.MethodGet, rules.GetMe.Path(), in, nil)
	if !answered || x.Status/100 != 2 {
		return shared
	}
	value, _ := x.Value()
	shown, _ := jsonvalue.AsRecord(value)
	return a.isOther(shown) || shared && shown.ID() == ""
}
