package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// isolation judges that applications are kept apart. Ids may be each application's own, so users
// are identified by their names.
func isolation(s *Suite) {
	const rule = "auth.app-isolation"
	// auth.app-isolation: Applications are kept apart. A session of one is invalid in another, and the users of one are unknown to the other.
	s.ScenarioWithRecheck("one application's sessions, users and events are unknown to another", Covers(rule), func(t *T) {
		apart := &applications{t: t, here: t.Actor(), finder: t.Actor()}
		if apart.elsewhere = t.NamesakeElsewhere(apart.finder); apart.elsewhere == nil {
			apart.elsewhere = t.ActorElsewhere()
		}
		apart.event = apart.here.Post(nil)
		apart.followed = sync.OnceFunc(func() { apart.finder.Follow(apart.here) })
		t.JudgeAt(GetMe, rule, func(c *Check) {
			apart.sessions(c)
			apart.logins(c)
		})
		t.JudgeAt(GetUser, rule, func(c *Check) {
			apart.users(c)
			apart.connections(c)
			apart.events(c)
		})
		t.JudgeAt(SearchUsers, rule, apart.searches)
		t.JudgeAt(GetMe, rule, apart.namesakes)
		t.JudgeAt(GetMe, rule, apart.deletion)
		apart.finder.Delete()
		t.JudgeAt(GetMe, rule, apart.deletedSession)
		t.JudgeAt(GetUser, rule, apart.deletedRecord)
	})
}

// applications are two users of one application and one of another, which are judged endpoint by
// endpoint: what keeps them apart may be missing at a single one. The user elsewhere has the names
// of the finder, where the target lets it.
type applications struct {
	t                       *T
	here, finder, elsewhere *Actor
	event                   Record // of here
	followed                func() // has the finder follow here, once
}

// sessions judges that a session of one application opens nothing in another.
func (a *applications) sessions(c *Check) {
	here, elsewhere := a.here.Session(), a.elsewhere.Session()
	crossed, back := Basic{App: elsewhere.App, Session: here.Session}, Basic{App: here.App, Session: elsewhere.Session}
	a.unauthorized(c, crossed, GetMe)
	a.unauthorized(c, back, GetMe)
	a.unauthorized(c, crossed, Feed)
	a.unauthorized(c, crossed, MyFollows)
	a.unauthorized(c, crossed, SearchUsers, Query("q", a.here.UserName))
	a.unauthorized(c, crossed, GetUser, ID(a.here.ID))
	a.unauthorized(c, crossed, CreateEvent, JSON(Fields{"verb": a.t.Unique()}))
	a.unauthorized(c, crossed, DeleteEvent, IDText(a.event.ID()))
	name := a.t.Unique()
	a.unauthorized(c, crossed, UpdateMe, JSON(a.here.Required(Fields{"last_name": name})))
	now := a.t.Send(a.here, GetMe)
	c.True(now.Record().Text("last_name") != name, "the user as before an update that was refused with another application's token", "its last name")
	a.logout(c)
}

// logout judges that a logout with another application's token ends no session. A target may
// end sessions by itself, but hardly each in that moment.
func (a *applications) logout(c *Check) {
	const attempts = 3
	for range attempts {
		here := a.here.Session()
		a.unauthorized(c, Basic{App: a.elsewhere.Session().App, Session: here.Session}, Logout)
		after := a.t.Send(here, GetMe)
		if !refusesSession(after) {
			return
		}
		c.Decide(after)
		a.here.LogIn()
	}
	c.Fail("a session that another application's logout did not end", fmt.Sprintf("%s refuses it", GetMe))
}

// unauthorized judges that a session is refused where it is unknown. The answer to
// other unknown sessions belongs to the rule about those.
func (a *applications) unauthorized(c *Check, crossed Basic, at Endpoint, with ...With) {
	answer := a.t.Send(crossed, at, with...)
	if answer.Status() != http.StatusUnauthorized {
		crossed.Session = madeUp(a.t, crossed.Session)
		if control := a.t.Send(crossed, at, with...); control.Status() != http.StatusUnauthorized {
			a.t.Blocked("auth.session-unknown", "needs an unknown session to be refused by %s, which answered %d", at, control.Status())
		}
	}
	c.Status(answer, OneOf(http.StatusUnauthorized))
}

func (a *applications) logins(c *Check) {
	for _, field := range []string{"user_name", "email"} {
		login := a.t.Send(Basic{App: a.elsewhere.Session().App}, Login, JSON(Fields{field: a.here.Required(nil)[field], "password": a.here.Password}))
		c.True(!login.Succeeded(), "no login of one application's user by "+field+" to another", fmt.Sprint(login.Status()))
	}
}

func (a *applications) users(c *Check) {
	const often = 3 // so that a target remembers it
	for range often {
		a.t.Send(a.finder, GetUser, ID(a.here.ID)).Done()
	}
	answer := a.t.Send(a.elsewhere, GetUser, ID(a.here.ID))
	if answer.Succeeded() && answer.Record().Text("user_name") != a.here.UserName {
		return // the other application's own user, under the same id
	}
	a.unknownUser(c, answer)
	connect := func(to any) *Answer {
		return a.t.Send(a.elsewhere, CreateConnection, JSON(Fields{"user_to_id": to, "type": "follow"}))
	}
	connected := connect(a.here.ID)
	if connected.Succeeded() && connect(UnusedID(a.elsewhere.ID)).Succeeded() {
		a.t.Blocked("connections.create.unknown-target", "needs a connection to nobody to be refused, and it was made")
	}
	c.True(!connected.Succeeded(), "no connection to a user of another application", fmt.Sprint(connected.Status()))
}

// unknownUser judges that a user of another application gets the same answer as an unknown one.
// Its status belongs to users.get.unknown.
func (a *applications) unknownUser(c *Check, answer *Answer) {
	want := OneOf(http.StatusNotFound)
	if tolerated := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}; slices.Contains(tolerated, answer.Status()) {
		want = want.Tolerating(tolerated...)
		if a.t.Send(a.elsewhere, GetUser, ID(UnusedID(a.elsewhere.ID))).Status() == answer.Status() {
			want = OneOf(http.StatusNotFound, answer.Status())
		}
	}
	c.Status(answer, want)
}

// connections judges that no list of another application's user shows its connections.
func (a *applications) connections(c *Check) {
	a.followed()
	for _, has := range []struct {
		list        Endpoint
		of, whoever *Actor
	}{{FollowsOf, a.finder, a.here}, {FollowersOf, a.here, a.finder}} {
		if listed := a.t.Send(a.elsewhere, has.list, ID(has.of.ID)); listed.Succeeded() {
			c.Decide(listed)
			c.Expect(listed.Records(), lackForeignUser(has.whoever.UserName))
		}
	}
}

func (a *applications) events(c *Check) {
	verb := a.t.Unique()
	changed := update(a.t, a.elsewhere, a.event, Fields{"verb": verb})
	if changed.Succeeded() && a.t.Send(a.elsewhere, UpdateEvent, ID(unusedEvent(a.t, a.here, a.event)), JSON(Fields{"verb": verb})).Succeeded() {
		a.t.Blocked("events.update.unknown", "needs the update of no event to be refused, and it was made")
	}
	c.True(!changed.Succeeded(), "no update of an event of another application", fmt.Sprint(changed.Status()))
	a.t.Send(a.elsewhere, DeleteEvent, IDText(a.event.ID())) // whose answer may be that of an unknown id
	now := a.here.Change(a.event, Fields{"priority": "high"})
	if now.Status() == http.StatusNotFound {
		a.here.Change(a.here.Post(nil), Fields{"priority": "high"}).Done() // the control: a change succeeds
		c.Fail("the event still there after another application tried to delete it", fmt.Sprintf("%s answers %d to its id", UpdateEvent, now.Status()))
	}
	c.True(now.Record().Text("verb") != verb, "the event as it was before another application tried to change it", "the verb that it sent")
}

func (a *applications) searches(c *Check) {
	a.t.Require("search.exact", listAt(a.t, a.finder, SearchUsers, Query("q", a.here.UserName)), haveUserNamed(a.here.UserName))
	for _, term := range []string{a.here.UserName, a.here.Email} { // which no lag explains: this user was never there
		c.Expect(listAt(a.t, a.elsewhere, SearchUsers, Query("q", term))(), lackForeignUser(a.here.UserName))
	}
}

// namesakes judges that changes to one application's user do not change another application's
// user of the same names, and that a session of a later login is kept apart like the first one.
func (a *applications) namesakes(c *Check) {
	a.followed()
	a.t.Require("feed.follow.earlier-events", feedOf(a.t, a.finder), haveEvents(a.event.ID()))
	c.Expect(feedOf(a.t, a.elsewhere)(), lackEvents(a.event.ID()))
	a.here.Follow(a.finder)
	a.t.Require("connections.lists.followers", listAt(a.t, a.finder, MyFollowers), haveUserNamed(a.here.UserName))
	c.Expect(listAt(a.t, a.elsewhere, MyFollowers)(), lackForeignUser(a.here.UserName))
	name := a.t.Unique()
	a.finder.Update(Fields{"first_name": name, "last_name": name}).Done()
	me := a.t.Send(a.elsewhere, GetMe)
	c.Decide(me)
	c.True(me.Record().Text("last_name") != name, "the last name as it was before another application's user took that one", name)
	found := a.t.Send(a.elsewhere, SearchUsers, Query("q", name))
	c.Decide(found)
	isThat := func(user Record) bool { return user.Text("first_name") == name || user.Text("last_name") == name }
	c.True(!found.Succeeded() || !slices.ContainsFunc(found.Records(), isThat), "results without a user of another application", "the user whose first and last name are "+name)
	a.finder.LogIn()
	a.unauthorized(c, Basic{App: a.elsewhere.Session().App, Session: a.finder.Session().Session}, GetMe)
}

// deletedSession judges that the session and the names of a deleted user open no session of
// another application's user.
func (a *applications) deletedSession(c *Check) {
	home := a.t.Send(a.finder.Session(), GetMe)
	if !slices.Contains([]int{401, 403, 404}, home.Status()) {
		a.t.Blocked("sessions.deleted-user", "needs the session of a deleted user to be refused, and %s answered %d", GetMe, home.Status())
	}
	crossed := Basic{App: a.elsewhere.Session().App, Session: a.finder.Session().Session}
	if a.t.Send(crossed, GetMe).Status() != home.Status() { // which sessions.deleted-user judges
		a.unauthorized(c, crossed, GetMe)
	}
	login := a.t.Send(a.t.AppOnly(), Login, JSON(Fields{"user_name": a.finder.UserName, "password": a.finder.Password}))
	if elsewhere := a.elsewhere.ID.String(); login.Succeeded() && elsewhere != a.finder.ID.String() {
		c.True(login.Record().ID() != elsewhere, "no login of a deleted user as another application's user of that name", "a session of user "+elsewhere)
	}
}

// deletion judges that a deletion with another application's token deletes nobody.
func (a *applications) deletion(c *Check) {
	a.unauthorized(c, Basic{App: a.elsewhere.Session().App, Session: a.here.Session().Session}, DeleteMe)
	now := a.t.Send(a.finder, GetUser, ID(a.here.ID))
	gone := now.Status() == http.StatusNotFound || now.Status() == http.StatusGone
	c.True(!gone, "a user that another application's token did not delete", fmt.Sprint(now.Status()))
}

// deletedRecord judges that a user's deletion makes it known to no other application.
func (a *applications) deletedRecord(c *Check) {
	answer := a.t.Send(a.elsewhere, GetUser, ID(a.finder.ID))
	if answer.Succeeded() && a.elsewhere.ID.String() == a.finder.ID.String() {
		return // the other application's own user, under the same id
	}
	c.True(!answer.Succeeded() || answer.Record().Text("user_name") != a.finder.UserName,
		"no record of another application's deleted user", "user "+a.finder.UserName)
}

// lackForeignUser asks for results without the user of that name.
func lackForeignUser(name string) types.GomegaMatcher {
	return Condition(func(results []Record) Mismatch {
		if !slices.ContainsFunc(results, named(name)) {
			return Mismatch{}
		}
		return Mismatch{Expected: "results without user " + name + " of another application", Actual: "that user among them"}
	})
}
