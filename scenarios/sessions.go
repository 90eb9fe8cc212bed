package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// sessions judges the contract's parts States and transitions and Endpoints,
// rows 2 and 3, and the end of a deleted user's sessions.
func sessions(s *Suite) {
	logins(s)
	loginDetails(s)
	loginRefusals(s)
	sessionEnds(s)
}

// identifier is a user name or an email by which a user logs in on this target, with the session
// that it gave.
type identifier struct {
	rule         string // the rule about logins by the field
	field, value string
	login        *Answer
	session      Basic
}

// works reports whether the session that the login gave is accepted, and the actor's.
func (d identifier) works(t *T, a *Actor) bool {
	own := t.Send(d.session, GetMe)
	return !refusesSession(own) && !opensOthers(t, d.session, own, a)
}

// failure is the answer that shows that the login gave no session that works, nil where it did.
func (d identifier) failure(t *T, a *Actor) *Answer {
	if !d.login.Succeeded() {
		return d.login
	}
	own := t.Send(d.session, GetMe)
	if refusesSession(own) {
		return own
	}
	if opensOthers(t, d.session, own, a) {
		t.Blocked(d.rule, "needs a login by %s to give a session of the user's own", d.field)
	}
	return nil
}

// opensOthers reports whether a session that was opened for an actor is another user's, whom
// requests in it would change. GET /0.2/user, which answered in it as given, tells: but one that
// shows anybody to anybody does not, so it must show the same user again, after it has shown an
// actor in a session that is this actor's own.
func opensOthers(t *T, session Basic, own *Answer, a *Actor) bool {
	shown := shownUser(own)
	switch {
	case shown.ID() == "" || isUser(shown, a):
		return false
	case t.Shared(session):
		return true
	}
	witness := a
	if a.Token() == "" {
		witness = t.Actor()
	}
	return isUser(shownUser(t.Send(witness.Session(), GetMe)), witness) && shownUser(t.Send(session, GetMe)).ID() == shown.ID()
}

// shownUser is the user in an answer, nil without.
func shownUser(answer *Answer) Record {
	user, _ := answer.Value().(map[string]any)
	if !answer.Succeeded() {
		return nil
	}
	return user
}

// with are the fields of a login by the identifier and a password.
func (d identifier) with(password string) Fields {
	return Fields{d.field: d.value, "password": password}
}

// tryIdentifiers logs an actor in by user name and by email.
func tryIdentifiers(t *T, a *Actor) []identifier {
	tried := []identifier{
		{rule: "sessions.login.user-name", field: "user_name", value: a.UserName},
		{rule: "sessions.login.email", field: "email", value: a.Email},
	}
	for i, d := range tried {
		tried[i].login = t.Send(t.AppOnly(), Login, JSON(d.with(a.Password)))
		if tried[i].login.Succeeded() {
			tried[i].session = Basic{App: t.AppToken(), Session: tried[i].login.Record().Text("session_token")}
		}
	}
	return tried
}

// workingIdentifiers are those that give an actor a session that works.
func workingIdentifiers(t *T, a *Actor) []identifier {
	return slices.DeleteFunc(tryIdentifiers(t, a), func(d identifier) bool { return !d.login.Succeeded() || !d.works(t, a) })
}

// loginsOf are an actor's working identifiers. Without any the check is blocked: refusals
// prove nothing where the right credentials are refused.
func loginsOf(t *T, a *Actor) []identifier {
	open := workingIdentifiers(t, a)
	if len(open) == 0 {
		t.Blocked(Login.BlockingRule(), "needs a login, and neither user name nor email gave one")
	}
	return open
}

// loginField is a field that a user logs in by, and the rule about that.
type loginField struct{ field, rule string }

func loginFields() []loginField {
	return []loginField{{"user_name", "sessions.login.user-name"}, {"email", "sessions.login.email"}}
}

// logins judges the answers to logins (Endpoints, row 2).
func logins(s *Suite) {
	for _, by := range loginFields() {
		// sessions.login.user-name: A user logs in with user name and password and gets its id and a session token that works.
		// sessions.login.email: A user logs in with email and password and gets its id and a session token that works.
		// sessions.login.id-string (should): The id in the login answer is a JSON string.
		// sessions.login.brief (should): Without withUserDetails the login answers id and session_token and nothing else.
		s.Scenario("a user logs in by "+by.field+" and password",
			Covers(by.rule, "sessions.login.id-string", "sessions.login.brief"), by.logsIn)
	}
}

func (by loginField) logsIn(t *T) {
	actor := withOddEmail(t, by.field, "'s+a.b_c-d")
	var namesake *Actor
	if by.field == "user_name" {
		namesake = namesakeInOtherCase(t, actor)
	}
	t.ActorWith(Fields{"password": actor.Password}) // the latest user and session on the target are not the actor's, though the password is
	credentials := Fields{by.field: actor.Required(nil)[by.field], "password": actor.Password}
	answer := t.Send(t.AppOnly(), Login, JSON(credentials))
	t.Judge(by.rule, func(c *Check) {
		c.Status(answer, OneOf(200))
		login := c.Object(answer)
		c.Present(login, "id", "session_token")
		ownSession(t, c, login.Text("session_token"), actor)
		if namesake != nil {
			second := t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": namesake.UserName, "password": namesake.Password}))
			c.Status(second, OneOf(200))
			session := Basic{App: t.AppToken(), Session: second.Record().Text("session_token")}
			me := t.Send(session, GetMe).Record().Text("user_name")
			if me != "" && me != namesake.UserName && sessionOwner(t, session) == namesake.ID.String() {
				t.Blocked(GetMe.BlockingRule(), "needs the session's user %s from %s, and got %q", namesake.UserName, GetMe, me)
			}
			c.Decide(second)
			c.True(me == "" || me == namesake.UserName, "a session of user "+namesake.UserName, "one of user "+me)
		}
	})
	login := func(c *Check) Record {
		if !answer.Succeeded() {
			t.Blocked(by.rule, "needs a login by %s, which got %d", by.field, answer.Status())
		}
		return recordOf(c, answer)
	}
	t.Judge("sessions.login.id-string", func(c *Check) {
		id, there := login(c)["id"]
		if !there {
			t.Blocked(by.rule, "needs an id in the login's answer, and got none")
		}
		_, text := id.(string)
		c.True(text, "id as a JSON string", fmt.Sprintf("%v, which is not a string", id))
	})
	t.Judge("sessions.login.brief", func(c *Check) {
		judgeBrief(c, login(c))
		if by.field == "user_name" {
			if said := t.Send(t.AppOnly(), Login, Query("withUserDetails", "false"), JSON(credentials)); said.Succeeded() {
				judgeBrief(c, recordOf(c, said))
			}
		}
	})
}

// judgeBrief judges that a login answers exactly the required fields.
func judgeBrief(c *Check, login Record) {
	further := maps.Clone(login)
	delete(further, "id")
	delete(further, "session_token")
	c.True(len(further) == 0, "id and session_token alone", "also "+strings.Join(slices.Sorted(maps.Keys(further)), ", "))
}

// namesakeInOtherCase is a user with the actor's user name in other case. It is nil where the
// target takes the two for one name.
func namesakeInOtherCase(t *T, a *Actor) *Actor {
	fields := t.NewUser(Fields{"user_name": otherCase(a.UserName)})
	created := createUser(t, fields, Query("withLogin", "true"))
	if !created.Succeeded() || created.Record().Text("user_name") != fields["user_name"] {
		return nil
	}
	return t.ActorOf(fields, created)
}

// withOddEmail is an actor whose email, where that is to log it in, has characters that forms,
// queries and addresses give a meaning to, and a domain with a hyphen, unless the target refuses such.
func withOddEmail(t *T, field, characters string) *Actor {
	if field == "email" {
		fields := t.NewUser(Fields{"email": t.Unique() + characters + "@my-site.example.com"})
		if created := createUser(t, fields, Query("withLogin", "true")); created.Succeeded() {
			return t.ActorOf(fields, created)
		}
	}
	return t.AnyActor()
}

// ownSession judges that a session token works, and is the actor's. When
// GET /0.2/user shows another user, the user_id of a new event shows which of the two is wrong.
func ownSession(t *T, c *Check, token string, a *Actor) {
	session := Basic{App: t.AppToken(), Session: token}
	answer := t.Send(session, GetMe)
	if refusesSession(answer) {
		c.Fail("a session token that works", fmt.Sprintf("one that GET /0.2/user answers with %d", answer.Status()))
	}
	user := answer.Record()
	if isUser(user, a) {
		return
	}
	if !opensOthers(t, session, answer, a) && sessionOwner(t, session) == a.ID.String() {
		t.Blocked(GetMe.BlockingRule(), "needs the session's user %s from GET /0.2/user, and got %q", a.UserName, user.Text("user_name"))
	}
	c.Decide(answer)
	c.Fail("a session of user "+a.UserName, "one of user "+user.Text("user_name"))
}

// sessionOwner is the id of a session's user, as the user_id of a new event shows it; blank where
// the session is over by then.
func sessionOwner(t *T, session Credentials) string {
	event := t.Send(session, CreateEvent, JSON(Fields{"verb": t.Unique()}))
	if refusesSession(event) {
		return ""
	}
	return event.Record().Text("user_id")
}

// refusesSession reports whether an answer refuses the request's credentials.
func refusesSession(a *Answer) bool { return a.Status() == 401 || a.Status() == 403 }
