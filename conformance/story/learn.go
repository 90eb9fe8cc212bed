package story

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Learn finds out, with some thirty requests, the choices of an application that stories depend on,
// and how long the target was seen to lag. What is not clear stays Unknown; known answers are kept.
func (p *Player) Learn(ctx context.Context, app int, known Choices) (Choices, time.Duration, error) {
	s := Story{Name: "learning", Users: make([]Role, 6)}
	for i := range s.Users {
		s.Users[i] = Role{App: app, Body: plainUser()}
	}
	l := &learner{player: p, run: p.run(s), app: app, choices: known}
	for _, find := range []func(context.Context){l.hidden, l.updates, l.events, l.friends, l.ends, l.kinds, l.social, l.sessions, l.names} {
		if find(ctx); l.run.err != nil {
			return l.choices, l.lag, fmt.Errorf("learning the target's choices: %w", l.run.err)
		}
	}
	return l.choices, l.lag, nil
}

// learner is one run of Learn.
type learner struct {
	player  *Player
	run     *run
	app     int
	choices Choices
	lag     time.Duration
}

// user returns the user of a role, who is created if need be; false if that fails.
func (l *learner) user(ctx context.Context, role int) (*user, bool) {
	if !l.run.enter(ctx, Step{Do: "see me", User: role}) {
		return nil, false
	}
	who, _ := l.run.world().who(role, false)
	return &l.run.world().users[who], true
}

// do plays steps with the choices that are known so far.
func (l *learner) do(ctx context.Context, steps ...Step) bool {
	for _, s := range steps {
		l.run.world().choices[l.app] = l.choices
		if l.run.perform(ctx, s); l.run.err != nil || l.run.lost {
			return false
		}
	}
	return true
}

// ask sends a request as a user, whose outcome is open.
func (l *learner) ask(ctx context.Context, role int, q Request) Response {
	if _, there := l.user(ctx, role); !there {
		return Response{}
	}
	c := call{Step: Step{User: role}, Request: q}
	c.App = l.app
	if !l.run.signIn(ctx, nil, &c) {
		return Response{}
	}
	return l.run.send(ctx, c.Request)
}

// connect asks for a connection whatever its outcome, and reports whether it was taken.
func (l *learner) connect(ctx context.Context, from, to int, typ string) bool {
	u, there := l.user(ctx, to)
	return there && l.ask(ctx, from, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": u.id, "type": typ}}).OK()
}

// lists reports whether a user's list shows another one. It waits for a control, a user who was
// connected later: before the list shows the control, a missing user may only be late.
func (l *learner) lists(ctx context.Context, list rules.Endpoint, role, whom, control int) Tri {
	w := l.run.world()
	for waited := time.Duration(0); ; waited += pauseOf(waited) {
		answer := l.ask(ctx, role, Request{Endpoint: list})
		objects, _ := answer.objects()
		shows := func(role int) bool {
			who, _ := w.who(role, false)
			return who >= 0 && slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(w.users[who].id) })
		}
		if shows(control) {
			l.lag = max(l.lag, waited)
			return tri(shows(whom))
		}
		if waited >= l.player.options.Settle || l.run.err != nil {
			return Unknown
		}
		l.run.pause(ctx, pauseOf(waited))
	}
}

// pauseOf returns how long to wait before the next read.
func pauseOf(waited time.Duration) time.Duration {
	const shortest, longest = 15 * time.Millisecond, 200 * time.Millisecond
	return min(max(waited, shortest), longest)
}

// hidden finds out which fields of a user are not shown to one who is not connected to it.
func (l *learner) hidden(ctx context.Context) {
	u, there := l.user(ctx, 1)
	if !there || len(l.choices.Hidden) > 0 {
		return
	}
	id, fields := idText(u.id), u.fields
	answer := l.ask(ctx, 2, Request{Endpoint: rules.GetUser, ID: id})
	if answer.Status != 200 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if same(valueOf(answer.object(), name), absent{}) {
			l.choices.Hidden = append(l.choices.Hidden, name)
		}
	}
}

// updates finds out what an update of a user does to omitted fields, and to metadata.
func (l *learner) updates(ctx context.Context) {
	u, there := l.user(ctx, 1)
	if !there {
		return
	}
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password, "metadata": Fields{"other": "one"}}
	answer := l.ask(ctx, 1, Request{Endpoint: rules.UpdateMe, Body: body})
	if !answer.OK() {
		return
	}
	o := answer.object()
	kept, cleared := true, true
	for name, was := range u.fields {
		if _, sent := body[name]; !sent {
			got := valueOf(o, name)
			kept, cleared = kept && was.allows(got), cleared && same(got, absent{})
		}
	}
	l.choices.KeepsUser.resolve(eitherOf(kept, cleared))
	all, replaced := same(valueOf(o, "metadata"), Fields{"mood": "good", "other": "one"}), same(valueOf(o, "metadata"), Fields{"other": "one"})
	l.choices.MergesMetadata.resolve(eitherOf(all, replaced))
	who, _ := l.run.world().who(1, false)
	l.run.world().updated(who, body, nil, o)
}

// events finds out the defaults of event fields, what an update of an event does to omitted
// fields, and whether coordinates of 0 are shown.
func (l *learner) events(ctx context.Context) {
	bare := l.ask(ctx, 1, Request{Endpoint: rules.CreateEvent, Body: Fields{"verb": "like"}})
	if !bare.OK() {
		return
	}
	for _, name := range eventFields()[1:] {
		if got := valueOf(bare.object(), name); l.choices.Defaults[name] == nil && !same(got, absent{}) {
			l.choices.Defaults = merged(l.choices.Defaults, Fields{name: got})
		}
	}
	full := Fields{"verb": "like", "language": "en", "priority": "high", "location": "garden", "latitude": json.Number("13.25"), "longitude": json.Number("7.5"),
		"metadata": Fields{"mood": "good"}, "object": Fields{"id": "1"}}
	made := l.ask(ctx, 1, Request{Endpoint: rules.CreateEvent, Body: full})
	if !made.OK() {
		return
	}
	id := idText(made.object()["id"])
	answer := l.ask(ctx, 1, Request{Endpoint: rules.UpdateEvent, ID: id, Body: Fields{"verb": "watch"}})
	if !answer.OK() {
		return
	}
	kept, cleared := true, true
	for _, name := range eventFields()[1:] {
		got := valueOf(answer.object(), name)
		kept, cleared = kept && same(got, full[name]), cleared && l.choices.unset(name).allows(got)
	}
	l.choices.KeepsEvent.resolve(eitherOf(kept, cleared))
	zero := json.Number("0")
	answer = l.ask(ctx, 1, Request{Endpoint: rules.UpdateEvent, ID: id, Body: Fields{"verb": "watch", "latitude": zero, "longitude": zero}})
	if !answer.OK() {
		return
	}
	latitude, longitude := valueOf(answer.object(), "latitude"), valueOf(answer.object(), "longitude")
	l.choices.OmitsZeros.resolve(eitherOf(same(latitude, absent{}) && same(longitude, absent{}), same(latitude, zero) || same(longitude, zero)))
}

// friends finds out whether one side's friend connection suffices. Nothing is settled if only one
// of the two lists the other.
func (l *learner) friends(ctx context.Context) {
	if !l.connect(ctx, 1, 2, friend) || !l.connect(ctx, 1, 3, friend) {
		return
	}
	l.connect(ctx, 3, 1, friend) // which may be refused if one side sufficed
	asking := l.lists(ctx, rules.MyFriends, 1, 2, 3)
	l.connect(ctx, 2, 3, friend)
	l.connect(ctx, 3, 2, friend)
	if asked := l.lists(ctx, rules.MyFriends, 2, 1, 3); asked == asking {
		l.choices.FriendsAtOnce.resolve(asking)
	}
}

// ends finds out whether one side's end of a friendship ends the other's part too.
func (l *learner) ends(ctx context.Context) {
	third, there := l.user(ctx, 3)
	if !there || l.choices.EndsWhole != Unknown || l.choices.FriendsAtOnce == Unknown {
		return
	}
	if !l.ask(ctx, 1, Request{Endpoint: rules.DeleteConnection, ID: idText(third.id)}).OK() {
		return
	}
	if l.choices.FriendsAtOnce == No && !l.connect(ctx, 1, 3, friend) { // whether the other half is left shows when the first asks again
		return
	}
	if !l.connect(ctx, 1, 4, friend) {
		return
	}
	l.connect(ctx, 4, 1, friend)
	if still := l.lists(ctx, rules.MyFriends, 1, 3, 4); still != Unknown {
		l.choices.EndsWhole.resolve(tri(still == No))
	}
}

// kinds finds out whether a follow and a friend connection can exist side by side. Friends may count
// as followed, so the list of follows shows it only while they are no friends; where they are at
// once, it shows whether a friend who is then followed still is one.
func (l *learner) kinds(ctx context.Context) {
	if l.choices.KindsStand != Unknown || l.choices.FriendsAtOnce == Unknown {
		return
	}
	if l.choices.FriendsAtOnce == No {
		if l.connect(ctx, 5, 2, follow) && l.connect(ctx, 5, 2, friend) && l.connect(ctx, 5, 4, follow) {
			l.choices.KindsStand.resolve(l.lists(ctx, rules.MyFollows, 5, 2, 4))
		}
		return
	}
	if l.connect(ctx, 5, 4, friend) && l.connect(ctx, 5, 4, follow) && l.connect(ctx, 5, 3, friend) {
		l.choices.KindsStand.resolve(l.lists(ctx, rules.MyFriends, 5, 4, 3))
	}
}

// social finds out whether connecting by social ids makes connections.
func (l *learner) social(ctx context.Context) {
	to, there := l.user(ctx, 6)
	from, known := l.user(ctx, 2)
	if !there || !known || l.choices.SocialConnects != Unknown {
		return
	}
	network, id, certain := to.socialID("")
	if !certain || !l.ask(ctx, 2, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": network, "type": follow, "platform_user_id": from.name, "connection_ids": []any{id}}}).OK() {
		return
	}
	if l.connect(ctx, 2, 4, follow) {
		l.choices.SocialConnects.resolve(l.lists(ctx, rules.MyFollows, 2, 6, 4))
	}
}

// sessions finds out which sessions survive a login, a logout and an update.
func (l *learner) sessions(ctx context.Context) {
	const role = 4
	login := func() string {
		u, there := l.user(ctx, role)
		if !there {
			return ""
		}
		answer := l.run.send(ctx, Request{App: l.app, Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": u.password}})
		token, _ := answer.object()["session_token"].(string)
		return token
	}
	works := func(token string) Tri {
		answer := l.run.send(ctx, Request{App: l.app, Endpoint: rules.GetMe, Session: token})
		if token == "" || l.run.err != nil {
			return Unknown
		}
		return tri(answer.OK())
	}
	first, second := login(), login()
	u, there := l.user(ctx, role)
	if !there {
		return
	}
	l.choices.Concurrent.resolve(works(first))
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password, "first_name": "other"}
	if !l.run.send(ctx, Request{App: l.app, Endpoint: rules.UpdateMe, Session: second, Body: body}).OK() {
		return
	}
	l.choices.UpdateKeeps.resolve(works(second))
	if l.choices.Concurrent != Yes || l.choices.UpdateKeeps != Yes {
		return
	}
	third := login()
	if l.run.send(ctx, Request{App: l.app, Endpoint: rules.Logout, Session: third}).OK() {
		l.choices.LogoutKeeps.resolve(works(second))
	}
}

// names finds out whether the name of a deleted user can be used again.
func (l *learner) names(ctx context.Context) {
	if l.choices.NamesRecur != Unknown {
		return
	}
	u, there := l.user(ctx, 5)
	if !there || !l.ask(ctx, 5, Request{Endpoint: rules.DeleteMe}).OK() {
		return
	}
	answer := l.run.send(ctx, Request{App: l.app, Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"},
		Body: Fields{"user_name": u.name, "email": u.email, "password": u.password}})
	if l.run.err == nil {
		l.choices.NamesRecur.resolve(tri(answer.OK()))
	}
}
