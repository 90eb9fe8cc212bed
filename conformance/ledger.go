package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/ledger"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// writeDown records, before a request is sent, the user that it may create or give other names or
// another password.
func (r *run) writeDown(req *http.Request, body []byte) {
	path := strings.TrimPrefix(req.URL.Path, strings.TrimSuffix(r.base.Path, "/"))
	creates := req.Method == http.MethodPost && path == rules.CreateUser.Path()
	updates := req.Method == http.MethodPut && path == rules.UpdateMe.Path()
	if r.ledger == nil || !creates && !updates {
		return
	}
	value, _ := jsonvalue.Decode(body)
	sent, _ := jsonvalue.AsRecord(value)
	app, _, _ := wire.CredentialsOf(req.Header)
	user := ledger.User{UserName: sent.Text("user_name"), Email: sent.Text("email"), // under a made-up token it would be the first application's
		Second: app != "" && app != r.config.Target.AppToken && app == r.config.Target.SecondAppToken}
	user.Password = r.texts.numberOf(sent.Text("password"))
	if user.Password == 0 || user.UserName == "" && user.Email == "" {
		return // nobody could log in to delete it
	}
	if err := r.ledger.Expect(user); err != nil {
		r.end(err)
	}
}

// keepLedger begins to record the users of the run, if that is configured.
func (r *run) keepLedger() {
	if r.config.UsersDir == "" {
		return
	}
	var err error
	if r.ledger, err = ledger.Create(r.config.UsersDir, r.config.Target.BaseURL, r.texts.secrets); err != nil {
		r.waiting("the users of this run are not written down, should it be killed: " + err.Error())
	}
}

// closeLedger keeps the names of users that could not be deleted.
func (r *run) closeLedger() {
	if err := r.ledger.Close(len(r.undeleted()) > 0); err != nil {
		r.waiting("the file of users stays: " + err.Error())
	}
}

// Cleaned is the result of cleaning up after runs that were killed.
type Cleaned struct {
	Deleted int
	Left    []string // the names of users who are there still, or their email addresses
}

// Clean deletes the users that runs on the target have left behind, whose names are in
// the folder of the configuration.
func (r *Runner) Clean(ctx context.Context) (Cleaned, error) {
	var cleaned Cleaned
	all, err := ledger.Read(r.config.UsersDir, r.config.Target.BaseURL, r.config.Target.AppToken)
	if err != nil || len(all) == 0 {
		return cleaned, err
	}
	run := newRun(r)
	defer run.wire.Close()
	if err := run.preflight(ctx); err != nil {
		return cleaned, err
	}
	for _, undeleted := range all {
		t := newT(ctx, run, &scenario{text: "cleaning up"})
		there := 0
		for _, user := range undeleted.Users {
			switch gone, err := t.deleteRecorded(undeleted.Passwords, user); {
			case err != nil:
				return cleaned, err
			case gone == deletedNow:
				cleaned.Deleted++
			case gone == stillThere:
				there++
				cleaned.Left = append(cleaned.Left, cmp.Or(user.UserName, user.Email))
			}
		}
		if there == 0 {
			if err := os.Remove(undeleted.Path); err != nil {
				return cleaned, fmt.Errorf("removing the file of users that are gone: %w", err)
			}
		}
	}
	return cleaned, nil
}

// fate is whether a recorded user still exists.
type fate int

const (
	neverThere fate = iota
	deletedNow
	stillThere
)

// deleteRecorded deletes a recorded user.
func (t *T) deleteRecorded(passwords ledger.Passwords, user ledger.User) (fate, error) {
	a := &accounts.Account{App: t.run.config.Target.AppToken}
	if user.Second {
		a.App = t.run.config.Target.SecondAppToken
	}
	if a.App == "" {
		return stillThere, nil // nobody gave that application's token
	}
	password := passwords.Make(user.Password)
	t.run.redactor.Learn(password, "PASSWORD")
	const tries = 3
	var latest *wire.Exchange
	for range tries {
		token, refused, login := t.logInRecorded(a.App, user, password)
		latest = cmp.Or(login, latest)
		switch {
		case refused:
			return neverThere, nil
		case token == "":
			continue
		}
		removal, gone, missing := t.remover().RemoveBy(a, token)
		switch {
		case gone:
			return deletedNow, nil
		case missing:
			return stillThere, nil
		}
		latest = cmp.Or(removal, latest)
	}
	if latest != nil && latest.Err != nil {
		return stillThere, errors.New("the target does not answer: " + wire.Trouble(latest.Err))
	}
	return stillThere, nil
}

// logInRecorded logs in by each name that a user was written down with. Where that gives no
// token, it reports whether the target refused them all, as it must where there is no such
// user: any other answer leaves that open. The latest exchange is nil where nothing was sent.
func (t *T) logInRecorded(app string, user ledger.User, password string) (token string, refused bool, latest *wire.Exchange) {
	refused = true
	for _, login := range []Fields{
		{"user_name": user.UserName, "password": password},
		{"email": user.Email, "password": password},
	} {
		token, x := t.sender().LogIn(app, login)
		if token != "" {
			return token, false, x
		}
		if x != nil {
			latest = x
			refused = refused && x.Err == nil && x.Status/100 == 4 && x.Status != http.StatusTooManyRequests
		}
	}
	return "", refused, latest
}
