package conformance

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/reuse"
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
func (a *account) isOther(shown Record) bool {
	return shown.ID() != "" && shown.ID() != a.id && !strings.EqualFold(shown.Text("user_name"), a.userName)
}

// likelyTokens are the account's tokens, those that are surely its own first.
func (a *account) likelyTokens() []string {
	others := slices.DeleteFunc(slices.Clone(a.tokens), func(token string) bool { return slices.Contains(a.own, token) })
	own := slices.DeleteFunc(slices.Clone(a.own), func(token string) bool { return token == "" })
	return slices.Concat(own, others)
}

// recordAccounts records the accounts and secrets that an exchange shows.
func (t *T) recordAccounts(x *wire.Exchange) {
	value, _ := x.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	password, _ := sent["password"].(string)
	t.run.redactor.Learn(password, "PASSWORD")
	t.run.redactor.LearnCredentials(x.Header)
	app, session, _ := wire.CredentialsOf(x.Header)
	t.mu.Lock()
	defer t.mu.Unlock()
	if name := sent.Text("user_name"); x.Endpoint == rules.CreateUser && mayHaveCreated(x) && name != "" && password != "" { // else nobody could log in to delete it
		a := t.account(func(a *account) bool { return a.doubtful && !a.gone && a.app == app && a.userName == name })
		if a == nil {
			a = &account{app: app, userName: name, email: sent.Text("email"), doubtful: true}
			t.accounts = append(t.accounts, a)
		}
		t.recordFor(a, sent, "", "")
	}
	if x.Err == nil && x.Status/100 == 2 {
		t.recordSuccess(x, app, session, sent)
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

// recordSuccess records what a successful answer says of accounts. The scenario's lock is held.
func (t *T) recordSuccess(x *wire.Exchange, app, session string, sent Record) {
	value, _ := x.Value()
	got, _ := jsonvalue.AsRecord(value)
	token, _ := got["session_token"].(string)
	t.run.redactor.Learn(token, "SESSION_TOKEN")
	switch x.Endpoint {
	case rules.CreateUser:
		if !t.run.login.withLogin() { // the session may be another user's, who would be deleted by it
			token = ""
		}
		a := &account{app: app, id: got.ID(), userName: sent.Text("user_name"), email: sent.Text("email"), own: []string{token}, doubtful: x.Repeated}
		t.recordFor(a, sent, token, rules.CreateUser.BlockingRule())
		t.accounts = append(t.accounts, a)
	case rules.Login:
		if a := t.accountOfLogin(app, sent, got); a != nil {
			t.recordFor(a, nil, token, loginRule(sent))
		} else if token != "" { // of a user whose creation the target claims to have refused
			t.accounts = append(t.accounts, &account{app: app, id: got.ID(), tokens: []string{token}})
		}
	case rules.GetMe:
		if a := t.holder(Basic{app, session}); a != nil && a.isOther(got) {
			t.run.holders.recordForeign(slices.Contains(a.own, session))
		} else if a != nil && !slices.Contains(a.own, session) {
			a.own = slices.Insert(a.own, 0, session)
		}
	case rules.Logout:
		if a := t.holder(Basic{app, session}); a != nil {
			a.own = slices.DeleteFunc(a.own, func(token string) bool { return token == session })
		}
	case rules.UpdateMe:
		if a := t.holder(Basic{app, session}); a != nil {
			t.recordFor(a, sent, "", "")
			a.userName = cmp.Or(sent.Text("user_name"), a.userName)
			a.email = cmp.Or(sent.Text("email"), a.email)
		}
	case rules.DeleteMe:
		if a := t.holder(Basic{app, session}); a != nil {
			a.gone = true
		}
	}
}

// accountOfLogin is the account that a login was one of: by the id in its answer, else by a name, which
// two users may have. The scenario's lock is held.
func (t *T) accountOfLogin(app string, sent, got Record) *account {
	if a := t.account(func(a *account) bool { return a.app == app && a.id != "" && a.id == got.ID() }); a != nil {
		return a
	}
	return t.account(func(a *account) bool {
		return a.app == app && (a.userName != "" && a.userName == sent.Text("user_name") || a.email != "" && a.email == sent.Text("email"))
	})
}

// Shared reports whether the target gave a session to two users of the run: what is
// done in it would hit the wrong one.
func (t *T) Shared(session Basic) bool { return t.run.holders.isShared(session) }

// recordFor records a password that an account was given, and a session that was
// opened for it by a request that is the rule's to judge.
func (t *T) recordFor(a *account, sent Record, token, rule string) {
	if password, ok := sent["password"].(string); ok && password != "" && !slices.Contains(a.passwords, password) {
		a.passwords = slices.Insert(a.passwords, 0, password)
	}
	if token != "" {
		a.tokens = slices.Insert(a.tokens, 0, token)
		t.run.holders.record(Basic{a.app, token}, a, rule)
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

// holder is the account of a session: one of the session's own application, else one of the
// other, whose session the target seems to have taken.
func (t *T) holder(session Basic) *account {
	holds := func(a *account) bool { return session.Session != "" && slices.Contains(a.tokens, session.Session) }
	if a := t.account(func(a *account) bool { return a.app == session.App && holds(a) }); a != nil {
		return a
	}
	return t.account(holds)
}

// login logs in with the given fields and returns the token, "" when it fails, and the exchange,
// nil where nothing was sent.
func (t *T) login(app string, fields Fields) (token string, x *wire.Exchange) {
	for _, value := range fields { // an empty field identifies nobody
		if value == "" {
			return "", nil
		}
	}
	body, err := jsonvalue.Encode(fields)
	if err != nil {
		return "", nil
	}
	x, answered := t.exchange(http.MethodPost, rules.Login.Path(), Basic{App: app}, body)
	if !answered || x.Status/100 != 2 {
		return "", x
	}
	value, _ := x.Value()
	record, _ := jsonvalue.AsRecord(value)
	token, _ = record["session_token"].(string)
	return token, x
}

// exchange sends a request of the clean-up, outside of any scenario, and reports whether a response
// came. The exchange is nil where nothing was sent.
func (t *T) exchange(method, path string, as Credentials, body []byte) (x *wire.Exchange, answered bool) {
	x, err := t.ask(method, t.run.url(path), as, body)
	if err != nil || x.Err != nil {
		t.uncleaned = true
		return x, false
	}
	return x, true
}

// ask sends a request outside of any scenario. The error says that none could be made; what
// went wrong on the wire stands in the exchange.
func (t *T) ask(method string, target *url.URL, as Credentials, body []byte) (*wire.Exchange, error) {
	req, err := t.request(t.ctx, method, target.String(), as)
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
