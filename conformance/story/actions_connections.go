package story

import (
	"fmt"
	"net/http"

	"github.com/socialfeed/conform/conformance/rules"
)

// The types of connections.
const (
	follow = "follow"
	friend = "friend"
)

// connectionActions are those on connections: endpoints 9, 10 and 17.
func connectionActions() []*Action {
	return []*Action{
		{Name: "connect", Weight: 4, At: rules.CreateConnection, Plans: planConnect, Request: requestConnect, Expect: expectConnect,
			Apply: applyConnect, Compare: compareConnection, Views: viewsOfConnection,
			Required: map[string]string{"user_to_id": "connections.create.target-required"},
			Say:      func(s Step) string { return fmt.Sprintf("makes a %s connection to user %d", s.Type, s.Other) }},
		{Name: "disconnect", Weight: 4, At: rules.DeleteConnection, Plans: planDisconnect, Request: requestDisconnect, Expect: expectDisconnect,
			Apply: applyDisconnect, Views: viewsOfDisconnection,
			Say: func(s Step) string { return fmt.Sprintf("ends its connections to user %d", s.Other) }},
		{Name: "connect by social id", Weight: 1, At: rules.ConnectSocial, Plans: planSocial, Request: requestSocial, Expect: succeeds(201, "social.status", rules.ConnectSocial),
			Apply: applySocial, Views: viewsOfSocial,
			Required: map[string]string{"platform": "social.required", "type": "social.required", "platform_user_id": "social.required", "connection_ids": "social.required"},
			Say: func(s Step) string {
				return fmt.Sprintf("connects to users %v by their social ids, as %s", s.Others, s.Type)
			}},
	}
}

// pairOf returns the users of a step on another one; false if one of them is not there or they are
// the same.
func (w *World) pairOf(s Step) (pair, bool) {
	from, there := w.who(s.User, false)
	to, known := w.who(s.Other, s.Former)
	return pair{from, to}, there && known && from != to && w.users[from].lives()
}

// elsewhere reports whether two users are of different applications.
func (w *World) elsewhere(p pair) bool { return w.users[p.from].app != w.users[p.to].app }

// unknownHere reports whether the id of a user of another application was seen to be nobody's.
func (w *World) unknownHere(p pair) bool {
	_, own := w.userByID(w.users[p.from].app, idText(w.users[p.to].id))
	return !own && w.shown[sighting{at: rules.GetUser, viewer: w.users[p.from].app, owner: p.to, subject: -1}] > 0
}

// requestConnect returns the request of a new connection. Whether one of the other type replaces
// one that stands is open.
func requestConnect(w *World, s Step) (Request, bool) {
	p, ok := w.pairOf(s)
	if !ok {
		return Request{}, false
	}
	r := Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": w.users[p.to].id, "type": s.Type}}
	if w.elsewhere(p) {
		return r, w.unknownHere(p)
	}
	if !w.users[p.to].lives() {
		return r, true
	}
	stands, other := w.relation(p).follow, w.relation(p).asked.or(w.friends(p))
	if s.Type == friend {
		stands, other = w.relation(p).asked, w.relation(p).follow
	}
	return r, (other == No || w.choices[w.users[p.from].app].KindsStand == Yes) && stands != Unknown
}

func expectConnect(w *World, s Step) Expect {
	p, _ := w.pairOf(s)
	switch {
	case w.elsewhere(p):
		return Expect{Rule: isolation, At: rules.GetUser}
	case !w.users[p.to].lives():
		return Expect{Rule: "connections.create.unknown-target", At: rules.CreateConnection}
	}
	e := Expect{Status: http.StatusCreated, Rule: "connections.create." + s.Type, At: rules.CreateConnection}
	stands := w.relation(p).follow
	if s.Type == friend {
		stands = w.relation(p).asked
		if w.choices[w.users[p.from].app].FriendsAtOnce != No && w.relation(p.reversed()).asked != No {
			e.Either = true // the other's request sufficed
		}
	}
	e.Either = e.Either || stands == Yes
	return e
}

func applyConnect(w *World, c call) {
	p, _ := w.pairOf(c.Step)
	if w.users[p.to].lives() {
		w.connected(p, c.Type, false)
	}
}

// compareConnection compares the answer to a new connection with what was asked for.
func compareConnection(w *World, c call) []Diff {
	p, _ := w.pairOf(c.Step)
	o, d := c.answer.object(), c.diff(w, p.from)
	d.View.subject = p.to
	for _, each := range []struct {
		field string
		want  any
		right bool
	}{
		{"user_from_id", w.users[p.from].id, idText(o["user_from_id"]) == idText(w.users[p.from].id)},
		{"user_to_id", w.users[p.to].id, idText(o["user_to_id"]) == idText(w.users[p.to].id)},
		{"type", c.Type, o["type"] == c.Type},
		{"enabled", true, o["enabled"] == true},
	} {
		if !each.right {
			d.Kind, d.Field, d.Want, d.Got = WrongField, each.field, allowed{each.want}, valueOf(o, each.field)
			return []Diff{d}
		}
	}
	return nil
}

// requestDisconnect returns the request that ends a user's connections to another, if it has any,
// had some, or the other has some, which it cannot end.
func requestDisconnect(w *World, s Step) (Request, bool) {
	p, ok := w.pairOf(s)
	if !ok {
		return Request{}, false
	}
	r := Request{Endpoint: rules.DeleteConnection, ID: idText(w.users[p.to].id)}
	if w.elsewhere(p) {
		_, own := w.userByID(w.users[p.from].app, r.ID)
		return r, !own
	}
	mine, theirs := w.relation(p), w.relation(p.reversed())
	if mine.follow == No && mine.asked == No {
		return r, theirs.asked == No && (mine.ended > 0 || theirs.follow == Yes)
	}
	open := mine.follow != Yes && mine.asked != Yes || w.choices[w.users[p.from].app].EndsWhole == Unknown && theirs.asked != No
	return r, !open && w.users[p.to].lives()
}

// expectDisconnect: what does not exist may be deleted with a success; a friend connection that
// social ids were to make may not be there yet.
func expectDisconnect(w *World, s Step) Expect {
	p, _ := w.pairOf(s)
	e := Expect{Status: http.StatusNoContent, Rule: "connections.delete.status", At: rules.DeleteConnection}
	mine := w.relation(p)
	switch {
	case w.elsewhere(p) || mine.follow == No && mine.asked == No:
		e.Rule, e.Either = "connections.delete.unknown", true
	case mine.bySocial && mine.follow == No && w.friends(p) != Yes:
		e.Either = true
	}
	return e
}

func applyDisconnect(w *World, c call) {
	p, _ := w.pairOf(c.Step)
	if r := w.relation(p); w.elsewhere(p) || r.follow == No && r.asked == No {
		w.record(past{do: "disconnect", user: p.from, other: p.to, event: -1, refused: byAbsence})
		return
	}
	w.disconnected(p)
}
