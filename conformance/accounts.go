package conformance

import (
	"net/url"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
)

// recordAccounts records the accounts and secrets that an exchange shows.
func (t *T) recordAccounts(x *wire.Exchange) {
	value, _ := x.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	password, _ := sent["password"].(string)
	t.run.redactor.Learn(password, "PASSWORD")
	t.run.redactor.LearnCredentials(x.Header)
	t.mu.Lock()
	defer t.mu.Unlock()
	accounts.Recorder{Redactor: t.run.redactor, Owners: t.run.holders, WithLogin: t.run.login.withLogin()}.Record(&t.accounts, x)
}

// Shared reports whether the target gave a session to two users of the run: what is
// done in it would hit the wrong one.
func (t *T) Shared(session Basic) bool { return t.run.holders.IsShared(holding(session)) }

// holding returns the session of credentials.
func holding(b Basic) accounts.Session { return accounts.Session{App: b.App, Token: b.Session} }

// sender sends requests outside of any scenario.
func (t *T) sender() accounts.Sender {
	return func(method, path string, as accounts.Session, body []byte) (*wire.Exchange, bool) {
		return t.exchange(method, path, Basic{as.App, as.Token}, body)
	}
}

// remover deletes accounts of the scenario.
func (t *T) remover() accounts.Remover {
	return accounts.Remover{Send: t.sender(), Owners: t.run.holders, Answers: t.run.answers}
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
