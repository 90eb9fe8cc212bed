package traffic

import (
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// account is a user who can log in with what it was created with.
type account struct {
	id       string
	sent     value.Fields
	created  any       // evidence
	since    time.Time // when its creation was answered
	doubtful bool      // it may have been changed or deleted
}

// identifier is a user name or an email, in lower case: whether case matters is open.
type identifier struct{ app, field, folded string }

// identifiers returns the fields that a user logs in by, with the rule about each.
func identifiers() map[string]string {
	return map[string]string{"user_name": "sessions.login.user-name", "email": "sessions.login.email"}
}

// logins judges the logins of a scenario: a user who was created, and not changed since, can
// log in.
type logins struct {
	accounts map[identifier]*account
	refused  map[identifier]refusedLogin // and not accepted since
}

// refusedLogin is a login that should have been accepted, and when it was answered.
type refusedLogin struct {
	blame.Difference
	until time.Time
}

func newLogins() *logins {
	return &logins{accounts: map[identifier]*account{}, refused: map[identifier]refusedLogin{}}
}

// record records what an exchange changes about who can log in. The user of its session is
// blank if unknown.
func (l *logins) record(x Observation, holder string) {
	sent, _ := x.Sent.(map[string]any)
	switch x.Endpoint {
	case rules.CreateUser:
		l.created(x, sent)
	case rules.UpdateMe:
		l.claim(x, sent, nil)
		l.touched(holder, x.From)
	case rules.DeleteMe:
		l.touched(holder, x.From)
	case rules.Login:
		l.loggedIn(x, sent)
	}
}

// created records a created user.
func (l *logins) created(x Observation, sent value.Fields) {
	if password, _ := sent["password"].(string); x.Status != 201 || x.Doubtful || password == "" {
		l.claim(x, sent, nil)
		return
	}
	l.claim(x, sent, &account{id: value.ID(x.Object()["id"]), sent: sent, created: x.Evidence, since: x.To})
}

// claim records the owner of a user name and an email, nil if unknown. If two users share one,
// their logins are not judged.
func (l *logins) claim(x Observation, sent value.Fields, by *account) {
	for field := range identifiers() {
		value, _ := sent[field].(string)
		key := identifier{x.App, field, strings.ToLower(value)}
		if _, taken := l.accounts[key]; taken {
			l.accounts[key] = nil
			l.forget(key, x.From)
			continue
		}
		l.accounts[key] = by
	}
}

// touched records that a user was changed or deleted from a time on; a blank id stands for any user.
func (l *logins) touched(id string, from time.Time) {
	for key, a := range l.accounts {
		if a != nil && (id == "" || a.id == id) {
			a.doubtful = true
			l.forget(key, from)
		}
	}
}

// forget drops a refusal that was not answered yet at a time: what was sent then may be its reason.
func (l *logins) forget(key identifier, at time.Time) {
	if l.refused[key].until.After(at) {
		delete(l.refused, key)
	}
}

// differences returns what should have been accepted.
func (l *logins) differences() []blame.Difference {
	var all []blame.Difference
	for _, each := range l.refused {
		all = append(all, each.Difference)
	}
	return all
}

// loggedIn judges a login with the right password. After a wrong password a target may refuse
// the right one, too.
func (l *logins) loggedIn(x Observation, sent value.Fields) {
	for field, rule := range identifiers() {
		v, _ := sent[field].(string)
		key := identifier{x.App, field, strings.ToLower(v)}
		a := l.accounts[key]
		if v == "" || a == nil || a.doubtful || a.since.After(x.From) {
			continue
		}
		if len(sent) != 2 || v != a.sent[field] || sent["password"] != a.sent["password"] || !x.Usual || x.Doubtful {
			a.doubtful = true
			continue
		}
		got := value.ID(x.Object()["id"])
		switch {
		case x.OK() && (got == "" || got == a.id):
			delete(l.refused, key)
		case x.OK():
			l.refused[key] = refusedLogin{blame.Difference{Rule: rule, At: x.Endpoint, Expected: "id " + a.id, Actual: "id " + got, Evidence: []any{a.created, x.Evidence}}, x.To}
		case x.refused():
			l.refused[key] = refusedLogin{blame.Difference{Rule: rule, At: x.Endpoint, Expected: "200 for the " + field + " and the password with which the user was created",
				Actual: x.Show(), Evidence: []any{a.created, x.Evidence}}, x.To}
		}
	}
}
