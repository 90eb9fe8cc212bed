package model

import (
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// account is a user who can log in by what it was created with.
type account struct {
	id       string
	sent     Fields
	created  any  // evidence
	doubtful bool // it may have changed, or be gone
}

// identifier is a user name or an email, in lower case: whether case counts is open.
type identifier struct{ app, field, folded string }

// identifiers are the fields that a user logs in by, with the rule that stands for each.
func identifiers() map[string]string {
	return map[string]string{"user_name": "sessions.login.user-name", "email": "sessions.login.email"}
}

// logins are the logins of a scenario: a user who was created, and not touched since, logs in.
type logins struct {
	accounts map[identifier]*account
	refused  map[identifier]Difference // what was refused, and not taken since
}

func newLogins() *logins {
	return &logins{accounts: map[identifier]*account{}, refused: map[identifier]Difference{}}
}

// follow takes in what an exchange, of the user of a session where that is known, does to
// who can log in.
func (l *logins) follow(x Sighting, holder string) {
	sent, _ := x.Sent.(map[string]any)
	switch x.Endpoint {
	case rules.CreateUser:
		l.created(x, sent)
	case rules.UpdateMe:
		l.claim(x.App, sent, nil)
		l.touched(holder)
	case rules.DeleteMe:
		l.touched(holder)
	case rules.Login:
		l.loggedIn(x, sent)
	}
}

// created takes in who was created.
func (l *logins) created(x Sighting, sent Fields) {
	if password, _ := sent["password"].(string); x.Status != 201 || x.Doubtful || password == "" {
		l.claim(x.App, sent, nil)
		return
	}
	l.claim(x.App, sent, &account{id: idText(x.object()["id"]), sent: sent, created: x.Evidence})
}

// claim takes in whose a user name and an email are, nil where that is not known. Who shares
// them with another does not log in for certain.
func (l *logins) claim(app string, sent Fields, by *account) {
	for field := range identifiers() {
		value, _ := sent[field].(string)
		key := identifier{app, field, strings.ToLower(value)}
		if _, taken := l.accounts[key]; taken {
			l.accounts[key] = nil
			continue
		}
		l.accounts[key] = by
	}
}

// touched takes in that a user, or somebody where it is not known who, was changed or deleted.
func (l *logins) touched(id string) {
	for _, a := range l.accounts {
		if a != nil && (id == "" || a.id == id) {
			a.doubtful = true
		}
	}
}

// loggedIn sees that who has the right password logs in. After a wrong one a target may
// refuse the right one, too.
func (l *logins) loggedIn(x Sighting, sent Fields) {
	for field, rule := range identifiers() {
		value, _ := sent[field].(string)
		key := identifier{x.App, field, strings.ToLower(value)}
		a := l.accounts[key]
		if value == "" || a == nil || a.doubtful {
			continue
		}
		if len(sent) != 2 || value != a.sent[field] || sent["password"] != a.sent["password"] || !x.Usual || x.Doubtful {
			a.doubtful = true
			continue
		}
		got := idText(x.object()["id"])
		switch {
		case x.OK() && (got == "" || got == a.id):
			delete(l.refused, key)
		case x.OK():
			l.refused[key] = Difference{Rule: rule, At: x.Endpoint, Expected: "id " + a.id, Actual: "id " + got, Evidence: []any{a.created, x.Evidence}}
		case x.refused():
			l.refused[key] = Difference{Rule: rule, At: x.Endpoint, Expected: "200 for the " + field + " and the password with which the user was created", Actual: x.show(), Evidence: []any{a.created, x.Evidence}}
		}
	}
}
