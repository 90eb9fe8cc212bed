package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/client"
)

// clientVariable makes this test's binary a client, in the way that its value says.
const clientVariable = "TESTED_CLIENT"

// reachedVariable names the file that the endless client makes when it goes on no more, and the
// clumsy one for as long as it runs.
const reachedVariable = "TESTED_CLIENT_REACHED"

// The ways of the client.
const (
	lawfulClient  = "lawful"  // lives in every surrounding
	numericClient = "numeric" // takes ids for numbers that floating point knows
	sloppyClient  = "sloppy"  // sends no Accept
	failingClient = "failing" // fails everywhere
	idleClient    = "idle"    // sends nothing
	clumsyClient  = "clumsy"  // fails where another one runs at the same time
	endlessClient = "endless" // does not end where ids are UUIDs
)

// secretClient is the beginning of the way of a client that says secrets: a session's number and a file
// for them follow.
const secretClient = "secrets:"

// beClient is a client's own test: it returns the code of a command that fails or does not.
func beClient(way string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if way == idleClient {
		return 0
	}
	if path, says := strings.CutPrefix(way, secretClient); says {
		return saySecrets(path)
	}
	if names, checks := strings.CutPrefix(way, checkingClient); checks {
		return check(ctx, strings.Split(names, ","))
	}
	if way == clumsyClient {
		own, err := os.OpenFile(os.Getenv(reachedVariable), os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return 1
		}
		defer os.Remove(own.Name())
		defer own.Close()
	}
	err := liveAs(ctx, way)
	if err == nil && way != failingClient {
		return 0
	}
	fmt.Fprintf(os.Stderr, "the client's tests fail: %v\n", err)
	return 1
}

// bare sends requests without an Accept.
type bare struct{ http.RoundTripper }

// RoundTrip sends the request.
func (b bare) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Del("Accept")
	return b.RoundTripper.RoundTrip(r)
}

// clientLife is a client at work.
type clientLife struct {
	ctx  context.Context
	api  *client.Client
	user client.Credentials
	ada  *client.Session
}

func liveAs(ctx context.Context, way string) error {
	const hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	config := client.Config{BaseURL: os.Getenv("REFSERVER_URL"), AppToken: os.Getenv("REFSERVER_APP_TOKEN"), UserAgent: "feedreader/1.0"}
	if way == sloppyClient {
		config.HTTPClient = &http.Client{Transport: bare{http.DefaultTransport}}
	}
	api, err := client.New(config)
	if err != nil {
		return err
	}
	defer api.CloseIdleConnections()
	l := &clientLife{ctx: ctx, api: api, user: client.Credentials{UserName: "ada", Password: hash}}
	if err := l.write(func() (err error) {
		_, l.ada, err = api.CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: hash, Email: "ada@example.com"})
		return err
	}, func() bool { return l.login() == nil }); err != nil {
		return fmt.Errorf("creating a user: %w", err)
	}
	var bob *client.User
	if err := l.write(func() (err error) {
		bob, err = api.CreateUser(ctx, client.UserFields{UserName: "bob", Password: hash, Email: "bob@example.com"})
		return err
	}, func() bool {
		found, err := l.ada.Search(ctx, "bob")
		if err == nil && len(found) > 0 {
			bob = &found[0]
		}
		return bob != nil
	}); err != nil {
		return fmt.Errorf("creating another user: %w", err)
	}
	if id := bob.ID.String(); way == numericClient && len(id) > 15 {
		return fmt.Errorf("the id %s is no number", id)
	}
	if way == endlessClient && strings.Contains(bob.ID.String(), "-") {
		if err := os.WriteFile(os.Getenv(reachedVariable), nil, 0o600); err != nil {
			return err
		}
		<-ctx.Done()
	}
	return errors.Join(l.follow(bob), l.like(), l.update(), l.leave())
}

func (l *clientLife) login() (err error) {
	l.ada, err = l.api.Login(l.ctx, l.user)
	return err
}

// signedIn does something as ada, who logs in anew where her session is over.
func (l *clientLife) signedIn(do func() error) error {
	err := do()
	if errors.Is(err, client.ErrUnauthorized) {
		if err := l.login(); err != nil {
			return err
		}
		return do()
	}
	return err
}

const pause = 60 * time.Millisecond

// write does something that may have been done all the same where no answer tells.
func (l *clientLife) write(do func() error, done func() bool) error {
	for try := 0; ; try++ {
		err := l.signedIn(do)
		if !errors.Is(err, client.ErrGatewayTimeout) || try == 4 {
			return err
		}
		if done() {
			return nil
		}
	}
}

// read does something until it is seen, which may take its time.
func (l *clientLife) read(seen func() (bool, error)) error {
	for try := 0; ; try++ {
		ok := false
		err := l.signedIn(func() (err error) { ok, err = seen(); return err })
		if ok && err == nil || try == 40 {
			return err
		}
		time.Sleep(pause)
	}
}

func (l *clientLife) follow(bob *client.User) error {
	listed := func() (bool, error) {
		users, err := l.ada.Follows(l.ctx)
		return slices.ContainsFunc(users, func(u client.User) bool { return u.ID.SameAs(bob.ID) }), err
	}
	if err := l.write(func() error {
		_, err := l.ada.Connect(l.ctx, bob.ID, client.Follow)
		return err
	}, func() bool { ok, _ := listed(); return ok }); err != nil {
		return fmt.Errorf("following: %w", err)
	}
	return l.read(listed)
}

func (l *clientLife) like() error {
	return l.write(func() error {
		_, err := l.ada.CreateEvent(l.ctx, client.EventFields{Verb: "liked", Object: &client.Object{ID: "song-1"}})
		return err
	}, func() bool { _, err := l.ada.Feed(l.ctx); return err != nil })
}

func (l *clientLife) update() error {
	return l.write(func() error {
		_, err := l.ada.UpdateMe(l.ctx, client.UserFields{UserName: "ada", FirstName: "Ada", Password: l.user.Password, Email: "ada@example.com"})
		return err
	}, func() bool { me, err := l.ada.Me(l.ctx); return err == nil && me.FirstName == "Ada" })
}

func (l *clientLife) leave() error {
	if err := l.read(func() (bool, error) { _, err := l.ada.Me(l.ctx); return true, err }); err != nil {
		return err
	}
	err := l.write(func() error { return l.ada.Logout(l.ctx) }, func() bool { _, err := l.ada.Me(l.ctx); return errors.Is(err, client.ErrUnauthorized) })
	if errors.Is(err, client.ErrUnauthorized) {
		return nil
	}
	return err
}
