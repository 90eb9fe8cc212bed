package control

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/store"
)

// createUser creates a user by a request of the contract, so that the page creates none that a client could not.
func (c *console) createUser(w http.ResponseWriter, r *http.Request, world *World) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	body, err := json.Marshal(map[string]string{
		"user_name": r.PostFormValue("user_name"), "password": r.PostFormValue("password"), "email": r.PostFormValue("email"),
	})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, "https://console/0.2/users", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	request.SetBasicAuth(world.options.AppTokens[0], "")
	request.TLS = &tls.ConnectionState{} // nothing is sent
	for name, value := range map[string]string{"User-Agent": "console", "Accept": "application/json", "Content-Type": "application/json"} {
		request.Header.Set(name, value)
	}
	answer := keptAnswer{header: http.Header{}}
	world.ServeHTTP(&answer, request)
	if answer.status != http.StatusCreated {
		return c.showWorld(w, r, world, said{fmt.Sprintf("The user was not created: status %d. %s", answer.status, messageOf(answer.body.Bytes())), true})
	}
	http.Redirect(w, r, "/worlds/"+world.Name+"?done=create", http.StatusSeeOther)
	return nil
}

// keptAnswer is an answer that stays here.
type keptAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is that of the answer.
func (a *keptAnswer) Header() http.Header { return a.header }

// WriteHeader keeps the status.
func (a *keptAnswer) WriteHeader(status int) { a.status = status }

// Write keeps a part of the body.
func (a *keptAnswer) Write(part []byte) (int, error) { return a.body.Write(part) }

// messageOf is the message of an error that the contract's port answers.
func messageOf(body []byte) string {
	var told struct{ Errors []struct{ Message string } }
	if json.Unmarshal(body, &told) != nil || len(told.Errors) == 0 {
		return ""
	}
	return told.Errors[0].Message
}

// logInAs opens a session for a user and shows its token, once.
func (c *console) logInAs(w http.ResponseWriter, r *http.Request, world *World) error {
	var token string
	if done, err := c.asUser(w, r, world, func(server *refserver.Server, user *store.User) (err error) {
		if token, err = server.LogInAs(user.App, user.ID); err == nil {
			world.labels.Learn(token, user.UserName, server.UserID(user.ID))
		}
		return err
	}); !done || err != nil {
		return err
	}
	return c.showUser(w, r, world, userPage{Token: token})
}

// endSessions ends the session of a user that the form names, or all of them.
func (c *console) endSessions(w http.ResponseWriter, r *http.Request, world *World) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if done, err := c.asUser(w, r, world, func(server *refserver.Server, user *store.User) error {
		name := r.PostFormValue("session")
		if name == "" {
			return server.EndSessions(user.App, user.ID)
		}
		hash, err := hex.DecodeString(name)
		if err != nil || len(hash) != sha256.Size {
			return errNoSession
		}
		return server.EndSession(user.App, user.ID, [sha256.Size]byte(hash))
	}); !done || err != nil {
		return err
	}
	http.Redirect(w, r, "/worlds/"+world.Name+"/users/"+r.PathValue("id")+"?done=logout", http.StatusSeeOther)
	return nil
}

var errNoSession = errors.New("the form names no session")

// sessionRow is a session in a list.
type sessionRow struct{ Key, Name, Opened string }

// sessionRows lists the sessions of a user by the names that the journal has for them.
func sessionRows(server *refserver.Server, labels *journal.Labels, user *store.User) []sessionRow {
	var rows []sessionRow
	for _, one := range server.Sessions(user.App, user.ID) {
		name, _ := labels.FindHash(one.Hash)
		rows = append(rows, sessionRow{hex.EncodeToString(one.Hash[:]), name, one.Opened.Format(moment)})
	}
	return rows
}

var errTwin = errors.New("a fault that compares two servers is set: log in by a request instead")

// asUser acts on the user of the page. It reports false if there is no such user, which is answered.
func (c *console) asUser(w http.ResponseWriter, r *http.Request, world *World, act func(*refserver.Server, *store.User) error) (bool, error) {
	server, state, err := world.contents(r.Context())
	if err != nil {
		return false, err
	}
	user, found := findUser(w, r, server, state.Users)
	if !found {
		return false, nil
	}
	err = world.alone(context.WithoutCancel(r.Context()), func() error {
		if world.pair != nil {
			return errTwin
		}
		return act(world.server.Load(), user)
	})
	return err == nil, err
}
