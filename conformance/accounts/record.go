package accounts

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// Recorder records what exchanges show of accounts.
type Recorder struct {
	Redactor  *wire.Redactor
	Owners    *Owners
	WithLogin bool // sessions that come with a creation are trusted: else one may be another user's, who would be deleted by it
}

// Record records the accounts and secrets that an exchange shows.
func (r Recorder) Record(all *List, x *wire.Exchange) {
	value, _ := x.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	password, _ := sent["password"].(string)
	app, session, _ := wire.CredentialsOf(x.Header)
	if name := sent.Text("user_name"); x.Endpoint == rules.CreateUser && mayHaveCreated(x) && name != "" && password != "" { // else nobody could log in to delete it
		a := all.Find(func(a *Account) bool { return a.Doubtful && !a.Gone && a.App == app && a.UserName == name })
		if a == nil {
			a = &Account{App: app, UserName: name, Email: sent.Text("email"), Doubtful: true}
			*all = append(*all, a)
		}
		r.recordFor(a, sent, "", "")
	}
	if x.Err == nil && x.Status/100 == 2 {
		r.recordSuccess(all, x, app, session, sent)
	}
}

// mayHaveCreated reports whether a creation without success may have been carried out all
// the same: it was sent, and nothing refused it.
func mayHaveCreated(x *wire.Exchange) bool {
	if x.Err != nil {
		return !x.Unsent
	}
	return x.Status >= 500 && x.Status != http.StatusNotImplemented && x.Status != http.StatusServiceUnavailable
}

// recordSuccess records what a successful answer says of accounts.
func (r Recorder) recordSuccess(all *List, x *wire.Exchange, app, token string, sent jsonvalue.Record) {
	value, _ := x.Value()
	got, _ := jsonvalue.AsRecord(value)
	opened, _ := got["session_token"].(string)
	r.Redactor.Learn(opened, "SESSION_TOKEN")
	in := Session{app, token}
	switch x.Endpoint {
	case rules.CreateUser:
		if !r.WithLogin {
			opened = ""
		}
		a := &Account{App: app, ID: got.ID(), UserName: sent.Text("user_name"), Email: sent.Text("email"), own: []string{opened}, Doubtful: x.Repeated}
		r.recordFor(a, sent, opened, rules.CreateUser.BlockingRule())
		*all = append(*all, a)
	case rules.Login:
		if a := all.ofLogin(app, sent, got); a != nil {
			r.recordFor(a, nil, opened, loginRule(sent))
		} else if opened != "" { // of a user whose creation the target claims to have refused
			*all = append(*all, &Account{App: app, ID: got.ID(), tokens: []string{opened}})
		}
	case rules.GetMe:
		if a := all.holder(in); a != nil && a.isOther(got) {
			r.Owners.recordForeign(slices.Contains(a.own, token))
		} else if a != nil && !slices.Contains(a.own, token) {
			a.own = slices.Insert(a.own, 0, token)
		}
	case rules.Logout:
		if a := all.holder(in); a != nil {
			a.own = slices.DeleteFunc(a.own, func(own string) bool { return own == token })
		}
	case rules.UpdateMe:
		if a := all.holder(in); a != nil {
			r.recordFor(a, sent, "", "")
			a.UserName = cmp.Or(sent.Text("user_name"), a.UserName)
			a.Email = cmp.Or(sent.Text("email"), a.Email)
		}
	case rules.DeleteMe:
		if a := all.holder(in); a != nil {
			a.Gone = true
		}
	}
}

// recordFor records a password that an account was given, and a session that was
// opened for it by a request that is the rule's to judge.
func (r Recorder) recordFor(a *Account, sent jsonvalue.Record, token, rule string) {
	if password, ok := sent["password"].(string); ok && password != "" && !slices.Contains(a.passwords, password) {
		a.passwords = slices.Insert(a.passwords, 0, password)
	}
	if token != "" {
		a.tokens = slices.Insert(a.tokens, 0, token)
		r.Owners.record(Session{a.App, token}, a, rule)
	}
}

// loginRule is the rule of a login, by what it identifies the user by.
func loginRule(sent jsonvalue.Record) string {
	if sent.Text("user_name") == "" && sent.Text("email") != "" {
		return "sessions.login.email"
	}
	return rules.Login.BlockingRule()
}
