package conformance

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
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
	doubtful  bool     // its creation got no answer, or may have been carried out twice
	gone      bool
}

// recordAccounts records the accounts and secrets that an exchange shows.
func (t *T) recordAccounts(x *wire.Exchange) {
	var sent Record
	if value, err := x.Sent(); err == nil {
		sent, _ = jsonvalue.AsRecord(value)
	}
	if password, ok := sent["password"].(string); ok {
		t.run.redactor.Learn(password, "PASSWORD")
	}
	t.run.redactor.LearnCredentials(x.Header)
	app, session, _ := wire.CredentialsOf(x.Header)
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.Endpoint == rules.CreateUser && x.Err != nil && !x.Unsent && sent.Text("user_name") != "" {
		a := &account{app: app, userName: sent.Text("user_name"), email: sent.Text("email"), doubtful: true}
		t.recordFor(a, sent, "")
		t.accounts = append(t.accounts, a)
	}
	if x.Err == nil && x.Status/100 == 2 {
		t.recordSuccess(x, app, session, sent)
	}
}

// recordSuccess records what a successful answer says of accounts. The scenario's lock is held.
func (t *T) recordSuccess(x *wire.Exchange, app, session string, sent Record) {
	var got Record
	if value, err := x.Value(); err == nil {
		got, _ = jsonvalue.AsRecord(value)
	}
	token, _ := got["session_token"].(string)
	t.run.redactor.Learn(token, "SESSION_TOKEN")
	switch x.Endpoint {
	case rules.CreateUser:
		if !t.run.login.withLogin() { // the session may be another user's, who would be deleted by it
			token = ""
		}
		a := &account{app: app, id: got.ID(), userName: sent.Text("user_name"), email: sent.Text("email"), doubtful: x.Repeated}
		t.recordFor(a, sent, token)
		t.accounts = append(t.accounts, a)
	case rules.Login:
		if a := t.account(func(a *account) bool {
			return a.app == app && (a.id != "" && a.id == got.ID() ||
				a.userName != "" && a.userName == sent.Text("user_name") || a.email != "" && a.email == sent.Text("email"))
		}); a != nil {
			t.recordFor(a, nil, token)
		} else if token != "" { // of a user whose creation the target claims to have refused
			t.accounts = append(t.accounts, &account{app: app, id: got.ID(), tokens: []string{token}})
		}
	case rules.UpdateMe:
		if a := t.holder(Basic{app, session}); a != nil {
			t.recordFor(a, sent, "")
			a.userName = cmp.Or(sent.Text("user_name"), a.userName)
			a.email = cmp.Or(sent.Text("email"), a.email)
		}
	case rules.DeleteMe:
		if a := t.holder(Basic{app, session}); a != nil {
			a.gone = true
		}
	}
}

// Shared reports whether the target gave a session to two users of the run: what is
// done in it would hit the wrong one.
func (t *T) Shared(session Basic) bool { return t.run.holders.isShared(session) }

// recordFor records a password that an account was given, and a session that was
// opened for it.
func (t *T) recordFor(a *account, sent Record, token string) {
	if password, ok := sent["password"].(string); ok && password != "" {
		a.passwords = slices.Insert(a.passwords, 0, password)
	}
	if token != "" {
		a.tokens = slices.Insert(a.tokens, 0, token)
		t.run.holders.record(Basic{a.app, token}, a)
	}
}

func (t *T) account(is func(*account) bool) *account {
	for _, a := range slices.Backward(t.accounts) {
		if is(a) {
			return a
		}
	}
	return nil
}

// holder is the account of a session, of another application only where the session's
// own has none with it: a target may take it for one.
func (t *T) holder(session Basic) *account {
	holds := func(a *account) bool { return session.Session != "" && slices.Contains(a.tokens, session.Session) }
	if a := t.account(func(a *account) bool { return a.app == session.App && holds(a) }); a != nil {
		return a
	}
	return t.account(holds)
}

// cleanUp deletes what the scenario created. It returns how many users it had to
// leave behind.
func (t *T) cleanUp(ctx context.Context) int {
	t.ctx, t.unpaced = ctx, false
	left := 0
	for _, a := range t.accounts {
		if a.gone = (a.gone || t.remove(a)) && t.removeDouble(a); !a.gone {
			left++
		}
	}
	return left
}

// removeDouble deletes what a request that was sent twice may have created beside
// an account that is gone.
func (t *T) removeDouble(a *account) bool {
	if !a.doubtful {
		return true
	}
	second := &account{app: a.app, userName: a.userName, email: a.email, passwords: a.passwords, doubtful: true}
	return t.remove(second)
}

// remove deletes one account: by a token it has, else by logging in once more.
func (t *T) remove(a *account) bool {
	for _, token := range a.tokens {
		if gone, missing := t.removeBy(a, token); gone || missing {
			return gone
		}
	}
	for _, password := range a.passwords {
		for _, login := range []Fields{
			{"user_name": a.userName, "password": password},
			{"email": a.email, "password": password},
		} {
			if token := t.login(a.app, login); token != "" {
				if gone, missing := t.removeBy(a, token); gone || missing {
					return gone
				}
			}
		}
	}
	latest := t.latest()
	return a.doubtful && latest != nil && latest.Err == nil && latest.Status/100 == 4 // there is none to log in to
}

// removeBy deletes an account by a session of it. It reports whether the account is gone, and
// where it is not, whether the target seems to have no such endpoint: it answers what a server
// answers of what it does not have, and has never deleted anybody.
func (t *T) removeBy(a *account, token string) (gone, missing bool) {
	session := Basic{a.app, token}
	if t.run.holders.record(session, a); t.run.holders.isShared(session) {
		return false, false
	}
	x := t.exchange(http.MethodDelete, rules.DeleteMe.Path(), session, nil)
	if x == nil {
		return false, false
	}
	served := t.run.hasServed(rules.DeleteMe)
	absent := x.Status == http.StatusNotFound || x.Status == http.StatusGone
	return x.Status/100 == 2 || absent && served, !served && (absent || saysAbsent(x.Status))
}

// login logs in with the given fields and returns the token, "" when it fails.
func (t *T) login(app string, fields Fields) string {
	for _, value := range fields { // an empty field identifies nobody
		if value == "" {
			return ""
		}
	}
	body, err := jsonvalue.Encode(fields)
	if err != nil {
		return ""
	}
	x := t.exchange(http.MethodPost, rules.Login.Path(), Basic{App: app}, body)
	if x == nil || x.Status/100 != 2 {
		return ""
	}
	value, _ := x.Value()
	record, _ := jsonvalue.AsRecord(value)
	token, _ := record["session_token"].(string)
	return token
}

// exchange sends a request of the clean-up, outside of any scenario; nil when no response came.
func (t *T) exchange(method, path string, as Credentials, body []byte) *wire.Exchange {
	x, err := t.ask(method, t.run.url(path), as, body)
	if err != nil || x.Err != nil {
		return nil
	}
	return x
}

// ask sends a request outside of any scenario. The error says that none could be made; what
// went wrong on the wire stands in the exchange.
func (t *T) ask(method string, target *url.URL, as Credentials, body []byte) (*wire.Exchange, error) {
	req, err := t.request(method, target.String(), as)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	x := t.send(req, body, true)
	t.record(x)
	return x, nil
}

// What bounds the clean-up of a run.
const (
	cleanUpGrace       = 90 * time.Second // where the run itself has no end
	interruptedCleanUp = 20 * time.Second // where a person waits for it
	overrun            = 500 * time.Millisecond
)

// cleanUpShare is the part of a run's time that is left to its clean-up.
func cleanUpShare(timeout time.Duration) time.Duration {
	const tenth, most = 10, 10 * time.Second
	return min(timeout/tenth, most)
}
