package scenarios

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// specimen is one valid request to an endpoint, on a small stage of its own, and
// the way to see whether it had its effect. Rules that hold at every endpoint
// send it with the one defect that they are about.
type specimen struct {
	trial  *Trial
	at     Endpoint
	as     Credentials // what the endpoint asks for, and no more
	sender *Actor      // whose session that is, nil where none is needed
	id     string      // the path's parameter, "" where it has none
	shape  []With      // query and body

	// unchanged judges that the request, once refused, left everything as it was;
	// nil where the endpoint changes nothing. It makes a control change of the same
	// kind, so that an effect that only lags, or a look that sees nothing, does not pass.
	unchanged func(*Check)
}

// stage is endpoints whose specimens one story sends.
type stage struct {
	text      string // what it calls them
	endpoints []Endpoint
	reading   bool
}

// stages gathers the endpoints that only read, in a session, on one stage: what
// is sent to one of them leaves the others as they were. Each other endpoint has
// a stage of its own.
func stages(endpoints []Endpoint) []stage {
	reads := stage{text: "an endpoint that reads", reading: true}
	var all []stage
	for _, at := range endpoints {
		if at.Method() == http.MethodGet && at != Versions {
			reads.endpoints = append(reads.endpoints, at)
		} else {
			all = append(all, stage{text: at.String(), endpoints: []Endpoint{at}})
		}
	}
	return append(all, reads)
}

// specimens are the requests to a stage's endpoints; reads are sent by one actor.
func (st stage) specimens(t *Trial) []*specimen {
	if !st.reading {
		return []*specimen{specimenOf(t, st.endpoints[0])}
	}
	reader := t.Actor()
	var all []*specimen
	for _, at := range st.endpoints {
		all = append(all, specimenBy(t, reader, at))
	}
	return all
}

// claims are rules at each of a stage's endpoints.
func (st stage) claims(rules ...string) Claims {
	var all Claims
	for _, at := range st.endpoints {
		all = all.And(JudgesAt(at, rules...))
	}
	return all
}

// specimenOf sets the stage for an endpoint and makes its request.
func specimenOf(t *Trial, at Endpoint) *specimen {
	s := &specimen{trial: t, at: at}
	switch at {
	case CreateUser:
		s.creation()
		return s
	case Login:
		s.login()
		return s
	case Versions:
		s.as = versionsReader(t)
		return s
	}
	return specimenBy(t, t.Actor(), at)
}

// specimenBy makes the request to an endpoint that needs a session by an actor of
// the story.
func specimenBy(t *Trial, sender *Actor, at Endpoint) *specimen {
	s := &specimen{trial: t, at: at, as: sender, sender: sender}
	switch at {
	case Logout, DeleteMe:
		s.unchanged = s.stillLoggedIn
	case UpdateMe:
		s.update()
	case GetUser, FollowsOf, FollowersOf, FriendsOf:
		s.id = s.sender.ID.String()
	case SearchUsers:
		s.shape = []With{Query("q", s.sender.UserName)}
	case CreateConnection:
		s.connection()
	case ConnectSocial:
		s.socialConnection()
	case DeleteConnection:
		s.disconnection()
	case CreateEvent:
		s.event()
	case UpdateEvent:
		s.eventChange()
	case DeleteEvent:
		s.eventRemoval()
	}
	return s
}

// send sends the request with further shaping, which decides where the two disagree.
func (s *specimen) send(as Credentials, further ...With) *Answer {
	with := slices.Concat(s.shape, further)
	if s.id != "" {
		with = append(with, IDText(s.id))
	}
	return s.trial.Send(as, s.at, with...)
}

// mustWork blocks what is being judged when the endpoint answers a valid request
// no better: then its own rule is to blame. An answer of success shows by itself
// that it works; for any other a fresh stage is set.
func (s *specimen) mustWork(answer *Answer) {
	if !answer.Succeeded() {
		fresh := specimenOf(s.trial, s.at)
		fresh.send(fresh.as).Done()
	}
}

// refused judges that the answer is a refusal with the given status.
func (s *specimen) refused(c *Check, answer *Answer, status int) {
	if answer.Status() != status {
		s.mustWork(answer)
	}
	c.Status(answer, OneOf(status))
}

// patch sends the request's body, an empty object where it has none, by PATCH,
// which no path of the contract has. It carries both tokens, whatever the
// endpoint asks for: only at two endpoints does the contract do with less.
func (s *specimen) patch() *Answer {
	path := strings.NewReplacer("{UserID}", url.PathEscape(s.id), "{EventID}", url.PathEscape(s.id)).Replace(s.at.Path())
	as := s.sender
	if as == nil {
		as = s.trial.Actor()
	}
	return s.trial.SendTo(as, http.MethodPatch, path, slices.Concat([]With{JSON(Fields{})}, s.shape)...)
}

func (s *specimen) creation() {
	t, fields := s.trial, s.trial.NewUser(nil)
	s.as, s.shape = t.AppOnly(), []With{JSON(fields)}
	s.unchanged = func(c *Check) {
		t.Actor().LogIn() // logging in works on this target
		for _, name := range []string{"user_name", "email"} {
			login := t.Send(t.AppOnly(), Login, JSON(Fields{name: fields[name], "password": fields["password"]}))
			c.True(!login.Succeeded(), "no user created by the refused request",
				fmt.Sprintf("one that can log in by %s (%d)", name, login.Status()))
		}
	}
}

func (s *specimen) login() {
	t, fields := s.trial, s.trial.NewUser(nil)
	created := t.Send(t.AppOnly(), CreateUser, JSON(fields)).Record()
	s.as = t.AppOnly()
	s.shape = []With{JSON(Fields{"user_name": fields["user_name"], "password": fields["password"]})}
	s.unchanged = func(c *Check) {
		if created.ID() == "" {
			t.Blocked("users.create.body", "needs the id of a created user, and got none")
		}
		before, _ := created.Instant("last_login")
		user := t.Send(t.Actor(), GetUser, IDText(created.ID())).Record()
		after, known := user.Instant("last_login")
		neverYet := !known || after.Year() <= 1 // the zero value, of the contract or of a language
		c.True(neverYet || after.Equal(before), "no login by the refused request: last_login as after the creation",
			"last_login "+user.Text("last_login"))
	}
}

func (s *specimen) update() {
	t := s.trial
	sent := Fields{"first_name": t.Unique(), "last_name": t.Unique()}
	s.shape = []With{JSON(s.sender.Required(sent))}
	s.unchanged = func(c *Check) {
		user := t.Send(s.sender, GetMe).Record()
		for _, name := range []string{"first_name", "last_name"} {
			c.True(user.Text(name) != sent[name], name+" as before the refused request", name+" as the request sent it")
		}
	}
}

// stillLoggedIn judges that the sender's session and account are there. The
// session is not renewed for that.
func (s *specimen) stillLoggedIn(c *Check) {
	me := s.trial.Send(s.sender.Session(), GetMe)
	if me.Status()/100 == 4 {
		s.trial.Send(s.trial.Actor(), GetMe).Done() // the look works on this target
		c.Fail("the session to work after the refused request", fmt.Sprintf("%s answers %d to it", GetMe, me.Status()))
	}
	me.Done()
}

// versionsReader finds the credentials that reading the versions needs, which the
// contract leaves open: the least that works, both tokens where nothing does.
func versionsReader(t *Trial) Credentials {
	for _, as := range []Credentials{Nobody{}, t.AppOnly()} {
		if t.Send(as, Versions).Succeeded() {
			return as
		}
	}
	return t.Actor()
}
