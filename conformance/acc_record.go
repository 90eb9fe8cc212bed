package conformance

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// recorder records what exchanges show of accounts.
type recorder struct {
	redactor  *wire.Redactor
	owners    *sessionOwners
	withLogin bool // sessions that come with a creation are trusted: else one may be another user's, who would be deleted by it
}

// record records the accounts and secrets that an exchange shows.
func (r recorder) record(all *accountList, x *wire.Exchange) {
	value, _ := x.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	password, _ := sent["password"].(string)
	app, session, _ := wire.CredentialsOf(x.Header)
	if name := sent.Text("user_name"); x.Endpoint == rules.CreateUser && mayHaveCreated(x) && name != "" && password != "" { // else nobody could log in to delete it
		a := all.find(func(a *account) bool { return a.doubtful && !a.gone && a.app == app && a.userName == name })
		if a == nil {
			a = &account{app: app, userName: name, email: sent.Text("email"), doubtful: true}
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
func (r recorder) recordSuccess(all *accountList, x *wire.Exchange, app, token string, sent jsonvalue.Record) {
	value, _ := x.Value()
	got, _ := jsonvalue.AsRecord(value)
	opened, _ := got["session_token"].(string)
	r.redactor.Learn(opened, "SESSION_TOKEN")
	in := session{app, token}
	switch x.Endpoint {
	case rules.CreateUser:
		if !r.withLogin {
			opened = ""
		}
		a := &account{app: app, id: got.ID(), userName: sent.Text("user_name"), email: sent.Text("email"), own: []string{opened}, doubtful: x.Repeated}
		r.recordFor(a, sent, opened, rules.CreateUser.BlockingRule())
		*all = append(*all, a)
	case rules.Login:
		if a := all.ofLogin(app, sent, got); a != nil {
			r.recordFor(a, nil, opened, loginRule(sent))
		} else if opened != "" { // of a user whose creation the target claims to have refused
			*all = append(*all, &account{app: app, id: got.ID(), tokens: []string{opened}})
		}
	case rules.GetMe:
		if a := all.holder(in); a != nil && a.isOther(got) {
			r.owners.recordForeign(slices.Contains(a.own, token))
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
			a.userName = cmp.Or(sent.Text("user_name"), a.userName)
			a.email = cmp.Or(sent.Text("email"), a.email)
		}
	case rules.DeleteMe:
		if a := all.holder(in); a != nil {
			a.gone = true
		}
	}
}

// recordFor records a password that an account was given, and a session that was
// opened for it by a request that is the rule's to judge.
func (r recorder) recordFor(a *account, sent jsonvalue.Record, token, rule string) {
	if password, ok := sent["password"].(string); ok && password != "" && !slices.Contains(a.passwords, password) {
		a.passwords = slices.Insert(a.passwords, 0, password)
	}
	if token != "" {
		a.tokens = slices.Insert(a.tokens, 0, token)
		r.owners.record(session{a.app, token}, a, rule)
	}
}

// loginRule is the rule of a login, by what it identifies the user by.
func loginRule(sent jsonvalue.Record) string {
	if sent.Text("user_name") == "" && sent.Text("email") != "" {
		return "sessions.login.email"
	}
	return rules.Login.BlockingRule()
}
