package scenarios

import (
	"fmt"
	"net/http"
	"slices"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// sessionEnds judges when a session token stops working (States and transitions;
// Authentication, items 4 and 5).
func sessionEnds(s *Suite) {
	logouts(s)
	sessionsBesideOthers(s)
	sessionsOfDeleted(s)
}

// logouts judges the contract's part Endpoints, row 3.
func logouts(s *Suite) {
	// sessions.logout.status: A logout answers 204.
	// sessions.logout.destroys: A session token is invalid after its logout.
	// sessions.logout.relogin: A user can log in again after a logout.
	s.ScenarioWithRecheck("a logout destroys the session, and the user logs in again",
		Covers("sessions.logout.status", "sessions.logout.destroys", "sessions.logout.relogin"), loggedOut)
}

func loggedOut(t *T) {
	actor := t.AnyActor()
	session, identifiers := actor.Session(), workingIdentifiers(t, actor)
	if len(identifiers) > 0 {
		session = identifiers[len(identifiers)-1].session // the logins may have ended the first
	}
	before := t.Send(session, GetMe)
	t.Send(session, GetUser, ID(UnusedID(actor.ID))) // a logout after a refusal is one as well
	ended := t.Send(session, Logout)
	const attempts = 2 // further ones: the target may have ended a session by itself, but hardly each in that moment
	for i := 0; i < attempts && len(identifiers) > 0 && before.Succeeded() && ended.Status() == http.StatusUnauthorized; i++ {
		session = freshSession(t, actor)
		before, ended = t.Send(session, GetMe), t.Send(session, Logout)
	}
	t.Judge("sessions.logout.status", func(c *Check) { c.Status(ended, OneOf(204)) })
	t.Judge("sessions.logout.destroys", func(c *Check) {
		before.Done()
		ended.Done()
		destroyed{session, actor.ID, OneOf(401)}.refusedEverywhere(t, c)
		logOut := func(as Credentials) *Answer { return t.Send(as, Logout) }
		refusedAsUnknown(t, c, logOut(session), OneOf(401), logOut)
	})
	var reopened []identifier
	t.Judge("sessions.logout.relogin", func(c *Check) {
		ended.Done()
		if len(identifiers) == 0 {
			t.Blocked(Login.BlockingRule(), "needs a login before the logout, and neither user name nor email gave one")
		}
		failed := map[string]*Answer{} // by field, the read that shows it
		for _, d := range tryIdentifiers(t, actor) {
			if !slices.ContainsFunc(identifiers, func(before identifier) bool { return before.field == d.field }) {
				continue // it gave no session of the actor's before the logout, either
			}
			if failed[d.field] = d.failure(t, actor); failed[d.field] == nil {
				reopened = append(reopened, d)
			}
		}
		for _, before := range identifiers {
			if answer := failed[before.field]; answer != nil {
				c.Decide(answer)
				c.Fail("a login by "+before.field+" to a session that works, as before the logout", "none")
			}
		}
	})
	t.Judge("sessions.logout.destroys", func(c *Check) {
		ended.Done()
		if slices.ContainsFunc(reopened, func(d identifier) bool { return d.session == session }) {
			return // the login gave the same token again
		}
		destroyed{session, actor.ID, OneOf(401)}.refusedAt(t, c, GetMe, GetUser, MyFollows, Feed)
		c.EventuallyStays(func() *Answer { return t.Send(session, GetMe) }, refuseASession())
	})
}

// sessionsBesideOthers records the lives of several sessions of one user, which the
// contract leaves open (Authentication, item 8).
func sessionsBesideOthers(s *Suite) {
	// sessions.concurrent (choice): Whether an earlier session token survives a later login of the same user is left open.
	// sessions.logout.destroys: A session token is invalid after its logout.
	// sessions.logout.others (choice): Whether a logout ends the user's other sessions too is left open.
	s.Scenario("the effect of a later login on an earlier session, and of a logout on the user's other ones",
		Covers("sessions.concurrent", "sessions.logout.others", "sessions.logout.destroys"), laterLoginAndLogout)
}

func laterLoginAndLogout(t *T) {
	actor := t.AnyActor()
	first, second := freshSession(t, actor), freshSession(t, actor)
	survives := sessionLives(t, first)
	single := first == second || !survives
	t.Judge("sessions.concurrent", func(c *Check) {
		switch {
		case first == second:
			c.Observe("every login gives the same token")
		case survives:
			c.ObserveAnswer(SessionSurvives)
		}
		c.ObserveAnswer(SessionEnds)
	})
	end, other := first, second // of two, the older one
	if single {
		end, other = second, first
	}
	ended := t.Send(end, Logout)
	t.Judge("sessions.logout.destroys", func(c *Check) {
		ended.Done()
		destroyed{end, actor.ID, OneOf(401)}.refusedAt(t, c, GetMe, SearchUsers, FollowersOf, Feed)
	})
	t.Judge("sessions.logout.others", func(c *Check) {
		ended.Done()
		switch {
		case single:
			c.Observe("one session at a time")
		case sessionLives(t, other):
			c.ObserveAnswer(OthersSurvive)
		}
		c.ObserveAnswer(OthersEnd)
	})
	t.Judge("sessions.logout.destroys", func(c *Check) { // the user's second logout is one as well
		ended.Done()
		if single || !t.Send(other, Logout).Succeeded() {
			return
		}
		destroyed{other, actor.ID, OneOf(401)}.refusedAt(t, c, GetMe)
	})
}

// sessionsOfDeleted judges the contract's part States and transitions, row "user exists".
func sessionsOfDeleted(s *Suite) {
	// sessions.deleted-user: A deleted user has no session and cannot log in.
	s.Scenario("a deleted user has no session and cannot log in", Covers("sessions.deleted-user"), deletedWithoutSession)
}

func deletedWithoutSession(t *T) {
	actor := t.Actor()
	former := identifier{field: "email", value: actor.Email}
	if email := t.Unique() + "@example.com"; actor.Update(Fields{"email": email}).Succeeded() {
		actor.Email = email // the one that has to leave an index, too
	}
	sessions := []Basic{actor.Session()}
	identifiers := loginsOf(t, actor)
	for _, identifier := range identifiers {
		sessions = append(sessions, identifier.session)
	}
	deleted := t.Send(actor, DeleteMe)
	sessions = append(sessions, actor.Session()) // a new one where the logins ended the first
	want, other := OneOf(401).Tolerating(403, 404), t.AnyActor()
	t.JudgeAt(DeleteMe, "sessions.deleted-user", func(c *Check) {
		deleted.Done()
		destroyed{sessions[0], other.ID, want}.refusedEverywhere(t, c)
		for _, session := range sessions[1:] {
			destroyed{session, other.ID, want}.refusedAt(t, c, GetMe, Feed)
		}
		post := func(as Credentials) *Answer { return t.Send(as, CreateEvent, JSON(Fields{"verb": t.Unique()})) }
		refusedAsUnknown(t, c, post(sessions[0]), want, post)
	})
	t.JudgeAt(Login, "sessions.deleted-user", func(c *Check) {
		deleted.Done()
		if slices.ContainsFunc(identifiers, func(d identifier) bool { return d.field == former.field }) { // who logs in by email at all
			identifiers = append(identifiers, former)
		}
		for _, identifier := range identifiers {
			answer := t.Send(t.AppOnly(), Login, JSON(identifier.with(actor.Password)))
			c.Status(answer, OneOf(401).Tolerating(400, 403, 404, 422))
		}
	})
}

// destroyed is a session that no longer works.
type destroyed struct {
	session Basic
	userID  fmt.Stringer  // a user that exists, for the endpoints that read one by its id
	want    StatusMatcher // how its requests are refused
}

// refusedEverywhere judges that the session is refused at every endpoint that reads.
func (d destroyed) refusedEverywhere(t *T, c *Check) {
	d.refusedAt(t, c, GetMe, Feed, SearchUsers, GetUser, MyFollows, MyFollowers, MyFriends, FollowsOf, FollowersOf, FriendsOf)
}

func (d destroyed) refusedAt(t *T, c *Check, endpoints ...Endpoint) {
	for _, at := range endpoints {
		with := []With{ID(d.userID)}
		if at == SearchUsers {
			with = append(with, Query("q", t.Unique()))
		}
		send := func(as Credentials) *Answer { return t.Send(as, at, with...) }
		refusedAsUnknown(t, c, send(d.session), d.want, send)
	}
}

// refusedAsUnknown judges that a destroyed session token is refused like one that was
// never issued. If a made-up token is accepted, too, auth.session-unknown is the
// broken rule.
func refusedAsUnknown(t *T, c *Check, answer *Answer, want StatusMatcher, send func(Credentials) *Answer) {
	if answer.Status() != 401 {
		unknown := send(Basic{App: t.AppToken(), Session: t.Unique()})
		if unknown.Status() == answer.Status() {
			t.Blocked("auth.session-unknown", "needs a made-up session token to get 401, and it got %d", unknown.Status())
		}
	}
	c.Status(answer, want)
}

// sessionLives reports whether a session token still works.
func sessionLives(t *T, session Basic) bool {
	answer := t.Send(session, GetMe)
	if refusesSession(answer) {
		return false
	}
	answer.Done()
	return true
}

// freshSession logs an actor in again. A session that does not work is blamed on the login.
func freshSession(t *T, a *Actor) Basic {
	a.LogIn()
	session := a.Session()
	if !sessionLives(t, session) {
		t.Blocked(Login.BlockingRule(), "needs a session that works, and the login's does not")
	}
	return session
}
