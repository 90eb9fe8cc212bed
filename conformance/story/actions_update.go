package story

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// requestUpdate returns the request of an update, with all fields that a server may require.
func requestUpdate(w *World, s Step) (Request, bool) {
	who, there := w.who(s.User, false)
	if !there || !w.users[who].lives() {
		return Request{}, false
	}
	u := &w.users[who]
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password}
	switch s.How {
	case back:
		if u.previous == nil || w.namesGone(who) {
			return Request{}, false
		}
		maps.Copy(body, u.previous)
	case unchanged:
		maps.Copy(body, u.version())
	case similar:
		maps.Copy(body, u.similar(s.By))
	case takenNames:
		other, known := w.who(s.Other, false)
		if !known || other == who || w.users[other].formerNames == nil || w.nameTaken(u.app, w.users[other].formerNames["user_name"].(string)) {
			return Request{}, false
		}
		maps.Copy(body, w.users[other].formerNames)
	case sameNames:
		other, known := w.who(s.Other, false)
		if !known || w.users[other].app == u.app || w.nameTaken(u.app, w.users[other].name) {
			return Request{}, false
		}
		maps.Copy(body, w.users[other].names())
	}
	maps.Copy(body, s.Body)
	w.respectKeyLimit(body, u.fields["metadata"], w.choices[u.app].MergesMetadata)
	return Request{Endpoint: rules.UpdateMe, Body: body}, true
}

// namesGone reports whether somebody has taken the names that a user had before its latest update.
func (w *World) namesGone(who int) bool {
	u := &w.users[who]
	return slices.ContainsFunc(w.users, func(other user) bool {
		return other.role != u.role && other.app == u.app && (other.name == u.previous["user_name"] || other.email != "" && other.email == u.previous["email"])
	})
}

// respectKeyLimit drops metadata from an update if it could, merged with the present metadata,
// exceed the contract's limit of keys.
func (w *World) respectKeyLimit(body Fields, was allowed, merges Tri) {
	const most = 10
	newer, _ := body["metadata"].(map[string]any)
	if newer == nil || merges == No {
		return
	}
	for _, each := range was {
		if older, _ := each.(map[string]any); len(merged(older, newer)) > most {
			delete(body, "metadata")
		}
	}
}

func expectUpdate(w *World, s Step) Expect {
	return Expect{Status: http.StatusCreated, Either: s.How == takenNames || s.How == sameNames, Rule: "users.me.update.status", At: rules.UpdateMe}
}

func applyUpdate(w *World, c call) {
	who, _ := w.who(c.User, false)
	w.updated(who, c.Request.Body, c.tokens, c.answer.object())
}

func compareUpdated(w *World, c call) []Diff {
	who, _ := w.who(c.User, false)
	u, o, d := &w.users[who], c.answer.object(), c.diff(w, who)
	found := w.diffAnswer(d, who, o)
	if idText(o["id"]) != idText(u.id) {
		each := d
		each.Kind, each.Want, each.Got = WrongID, allowed{u.id}, valueOf(o, "id")
		found = append(found, each)
	}
	if got := valueOf(o, "created_at"); !sameInstant(got, u.created) {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongTime, "created_at", allowed{u.created}, got
		found = append(found, each)
	}
	return found
}
