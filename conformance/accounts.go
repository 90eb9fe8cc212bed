package conformance

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// account is a user that a trial brought into being on the target, wanted or
// not, with all that may serve to delete it again.
type account struct {
	app       string
	id        string
	userName  string
	email     string
	passwords []string // the latest first
	tokens    []string // the latest first
	gone      bool
}

// learn takes down what an exchange tells about accounts, and its secrets.
func (t *Trial) learn(x *exchange) {
	var sent, got Record
	if value, err := decodeJSON(x.body); err == nil {
		sent, _ = asRecord(value)
	}
	if password, ok := sent["password"].(string); ok {
		t.run.redactor.learn(password, "$PASSWORD")
	}
	t.run.redactor.learnCredentials(x.header)
	if x.err != nil || x.status/100 != 2 {
		return
	}
	if value, err := decodeJSON(x.answered); err == nil {
		got, _ = asRecord(value)
	}
	token, _ := got["session_token"].(string)
	t.run.redactor.learn(token, "$SESSION_TOKEN")

	app, session, _ := credentialsOf(x.header)
	switch x.endpoint {
	case CreateUser:
		a := &account{app: app, id: got.ID(), userName: sent.Text("user_name"), email: sent.Text("email")}
		a.remember(sent, token)
		t.accounts = append(t.accounts, a)
	case Login:
		if a := t.account(func(a *account) bool {
			return a.app == app && (a.id != "" && a.id == got.ID() ||
				a.userName != "" && a.userName == sent.Text("user_name") || a.email != "" && a.email == sent.Text("email"))
		}); a != nil {
			a.remember(nil, token)
		} else if token != "" { // of a user whose creation the target claims to have refused
			t.accounts = append(t.accounts, &account{app: app, id: got.ID(), tokens: []string{token}})
		}
	case UpdateMe:
		if a := t.holder(session); a != nil {
			a.remember(sent, "")
			a.userName = firstOf(sent.Text("user_name"), a.userName)
			a.email = firstOf(sent.Text("email"), a.email)
		}
	case DeleteMe:
		if a := t.holder(session); a != nil {
			a.gone = true
		}
	}
}

func (a *account) remember(sent Record, token string) {
	if password, ok := sent["password"].(string); ok && password != "" {
		a.passwords = slices.Insert(a.passwords, 0, password)
	}
	if token != "" {
		a.tokens = slices.Insert(a.tokens, 0, token)
	}
}

func (t *Trial) account(is func(*account) bool) *account {
	for _, a := range slices.Backward(t.accounts) {
		if is(a) {
			return a
		}
	}
	return nil
}

func (t *Trial) holder(token string) *account {
	return t.account(func(a *account) bool { return token != "" && slices.Contains(a.tokens, token) })
}

// credentialsOf takes apart an Authorization header.
func credentialsOf(h http.Header) (app, session string, ok bool) {
	return (&http.Request{Header: h}).BasicAuth()
}

// cleanUp deletes what the trial created. It returns how many users it had to
// leave behind.
func (t *Trial) cleanUp(ctx context.Context) int {
	t.ctx, t.rushed = ctx, false
	left := 0
	for _, a := range t.accounts {
		if a.gone = a.gone || t.remove(a); !a.gone {
			left++
		}
	}
	return left
}

// remove deletes one account: by a token it has, else by logging in once more.
func (t *Trial) remove(a *account) bool {
	for _, token := range a.tokens {
		if t.removeBy(a, token) {
			return true
		}
	}
	for _, password := range a.passwords {
		for _, login := range []Fields{
			{"user_name": a.userName, "password": password},
			{"email": a.email, "password": password},
		} {
			if token := t.login(a.app, login); token != "" && t.removeBy(a, token) {
				return true
			}
		}
	}
	return false
}

func (t *Trial) removeBy(a *account, token string) bool {
	x := t.quietly(http.MethodDelete, DeleteMe.Path(), Basic{a.app, token}, nil)
	return x != nil && (x.status/100 == 2 || x.status == http.StatusNotFound || x.status == http.StatusGone)
}

// login logs in with the given fields and returns the token, "" when it fails.
func (t *Trial) login(app string, fields Fields) string {
	for _, value := range fields { // an empty field identifies nobody
		if value == "" {
			return ""
		}
	}
	body, err := encodeJSON(fields)
	if err != nil {
		return ""
	}
	x := t.quietly(http.MethodPost, Login.Path(), Basic{App: app}, body)
	if x == nil || x.status/100 != 2 {
		return ""
	}
	var answer struct {
		SessionToken string `json:"session_token"`
	}
	if json.Unmarshal(x.answered, &answer) != nil {
		return ""
	}
	return answer.SessionToken
}

// quietly makes an exchange of the judge's own; nil when no response came.
func (t *Trial) quietly(method, path string, as Credentials, body []byte) *exchange {
	target := t.run.url(path)
	req, err := t.request(method, target.String(), as)
	if err != nil {
		return nil
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	x := t.run.wire.send(req, body, true)
	t.note(x)
	if x.err != nil {
		return nil
	}
	return x
}

// cleanUpGrace bounds the clean-up of a whole run.
const cleanUpGrace = 90 * time.Second

func firstOf(candidates ...string) string {
	for _, c := range candidates {
		if c != "" {
			return c
		}
	}
	return ""
}
