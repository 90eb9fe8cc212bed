package scenarios

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// validRequest is a valid request to an endpoint whose preconditions are arranged on the
// target. Rules that hold at every endpoint send it with one defect and judge whether it
// had an effect.
type validRequest struct {
	t      *T
	at     Endpoint
	as     Credentials // the ones that the endpoint needs
	sender *Actor      // whose session that is; nil where the endpoint needs none
	id     string      // the path's parameter, "" where it has none
	shape  []With      // query and body

	// unchanged judges that the request, once refused, left everything as it was;
	// nil where the endpoint changes nothing. It needs a control change of the same kind.
	unchanged func(*Check)
	controls  *controls
	taken     func() string // the rule under which the request was not refused, "" if there is none; nil where it is sent under one rule
}

// requestGroup is the endpoints whose valid requests one scenario sends.
type requestGroup struct {
	text      string // names the endpoints in the scenario's text
	endpoints []Endpoint
}

// requestGroups are the endpoints that need credentials, without those that write in a session.
// Those that read in one share their users.
func requestGroups() []requestGroup {
	reads := requestGroup{text: "an endpoint that reads"}
	var all []requestGroup
	for _, at := range Endpoints() {
		switch {
		case at == Versions: // which may need none
		case readsInSession(at):
			reads.endpoints = append(reads.endpoints, at)
		case !needsSession(at):
			all = append(all, requestGroup{text: at.String(), endpoints: []Endpoint{at}})
		}
	}
	return append(all, reads)
}

// needsSession reports whether an endpoint needs a session token.
func needsSession(at Endpoint) bool { return at.Caller() == SessionUser }

// readsInSession reports whether an endpoint only reads, in a session.
func readsInSession(at Endpoint) bool { return at.Method() == http.MethodGet && needsSession(at) }

// coversEach is the coverage of rules at each of some endpoints.
func coversEach(endpoints []Endpoint, rules ...string) Coverage {
	var all Coverage
	for _, at := range endpoints {
		all = all.And(CoversAt(at, rules...))
	}
	return all
}

// send sends the request; further options override its own.
func (r *validRequest) send(as Credentials, further ...With) *Answer {
	return r.t.Send(as, r.at, r.with(further)...)
}

func (r *validRequest) with(further []With) []With {
	with := slices.Concat(r.shape, further)
	if r.id != "" {
		with = append(with, IDText(r.id))
	}
	return with
}

// mustWork blocks the check if the endpoint refuses valid requests, too: the endpoint's
// own rule is broken then. After an answer without success it sends a fresh request to
// find out.
func (r *validRequest) mustWork(answer *Answer) {
	if !answer.Succeeded() {
		validlyRequested(r.t, r.at)
	}
}

// validlyRequested needs an endpoint to serve a valid request.
func validlyRequested(t *T, at Endpoint) {
	fresh := validRequestTo(t, at)
	t.SendSettled(fresh.as, at, fresh.with(nil)...).Done()
}

// refused judges that the answer is a refusal with the given status. Its message names the defect of the request.
func (r *validRequest) refused(c *Check, what string, answer *Answer, status int) {
	if answer.Status() != status {
		r.mustWork(answer)
	}
	c.StatusFor(what, answer, OneOf(status))
}

// patch sends the request's body, an empty object where it has none, by PATCH,
// which no path of the contract has. It carries both tokens, whatever the
// endpoint asks for: only at two endpoints does the contract do with less.
func (r *validRequest) patch(as Credentials) *Answer {
	return r.sendBy(as, http.MethodPatch, slices.Concat([]With{JSON(Fields{})}, r.shape)...)
}

// sendBy sends a request to the endpoint's path by another method.
func (r *validRequest) sendBy(as Credentials, method string, with ...With) *Answer {
	path := strings.NewReplacer("{UserID}", url.PathEscape(r.id), "{EventID}", url.PathEscape(r.id)).Replace(r.at.Path())
	return r.t.SendTo(as, method, path, with...)
}

func (r *validRequest) creation() {
	t, fields := r.t, r.t.NewUser(nil)
	r.as, r.shape = t.AppOnly(), []With{JSON(fields)}
	r.unchanged = func(c *Check) {
		t.AnyActor().LogIn() // the control: a login succeeds
		for _, name := range []string{"user_name", "email"} {
			login := t.Send(t.AppOnly(), Login, JSON(Fields{name: fields[name], "password": fields["password"]}))
			c.True(!login.Succeeded(), "no user created by the refused request",
				fmt.Sprintf("a user that can log in by %s (%d)", name, login.Status()))
		}
	}
}

func (r *validRequest) login() {
	t, fields := r.t, r.t.NewUser(nil)
	created := t.Send(t.AppOnly(), CreateUser, JSON(fields)).Record()
	r.as = t.AppOnly()
	r.shape = []With{JSON(Fields{"user_name": fields["user_name"], "password": fields["password"]})}
	r.unchanged = func(c *Check) {
		if created.ID() == "" {
			t.Blocked("users.create.body", "needs the id of a created user, and got none")
		}
		user := t.Send(t.AnyActor(), GetUser, IDText(created.ID())).Record()
		after, known := user.Instant("last_login")
		neverYet := !known || after.Year() <= 1 // the zero value of the contract, or of Go's time
		order, _ := created.CompareInstant("last_login", user)
		c.True(neverYet || created.Has("last_login") && order == 0, "no login by the refused request: last_login as after the creation",
			"last_login "+user.Text("last_login"))
	}
}

func (r *validRequest) update() {
	t := r.t
	sent := Fields{"first_name": t.Unique(), "last_name": t.Unique()}
	r.shape = []With{JSON(r.sender.Required(sent))}
	r.unchanged = func(c *Check) {
		user := t.Send(r.sender, GetMe).Record()
		for _, name := range []string{"first_name", "last_name"} {
			c.True(user.Text(name) != sent[name], name+" as before the refused request", name+" as the request sent it")
		}
	}
}

// stillLoggedIn judges that the sender's session and account still exist.
func (r *validRequest) stillLoggedIn(c *Check) {
	me := r.t.Send(r.sender.Session(), GetMe)
	if me.Status()/100 == 4 {
		r.t.Send(r.t.AnyActor(), GetMe).Done() // the control: another session is accepted
		r.needWorkingLogins()
		c.Fail("the session to work after the refused request", fmt.Sprintf("%s answers %d to it", GetMe, me.Status()))
	}
	me.Done()
}

// needWorkingLogins blocks the check if the sender can log in, but the session of that login
// does not work either.
func (r *validRequest) needWorkingLogins() {
	login := r.t.Send(r.t.AppOnly(), Login, JSON(Fields{"user_name": r.sender.UserName, "password": r.sender.Password}))
	if !login.Succeeded() {
		return
	}
	if session := (Basic{App: r.t.AppToken(), Session: login.Record().Text("session_token")}); !sessionLives(r.t, session) {
		r.t.Blocked(Login.BlockingRule(), "needs a session that works, and that of a login does not")
	}
}

// versionsReader finds the credentials that reading the versions needs, which the
// contract leaves open: the least that works, both tokens where nothing does.
func versionsReader(t *T) Credentials {
	for _, as := range []Credentials{Anonymous{}, t.AppOnly()} {
		if t.Send(as, Versions).Succeeded() {
			return as
		}
	}
	return t.AnyActor()
}
