package model

import (
	"maps"

	"github.com/socialfeed/conform/conformance/rules"
)

// The transitions of the contract. Each is what a request that the target
// answered with a success has done; a refusal changes nothing.

func (w *World) joined(fields Fields, answer Fields) int {
	u := &user{fields: map[string]lawful{}, id: answer["id"], created: answer["created_at"], updated: answer["updated_at"]}
	u.name, _ = fields["user_name"].(string)
	u.email, _ = fields["email"].(string)
	u.password, _ = fields["password"].(string)
	for name, v := range fields {
		if name != "password" {
			u.fields[name] = lawful{v}
		}
	}
	w.users = append(w.users, u)
	w.record(Join, len(w.users)-1, -1, -1)
	return len(w.users) - 1
}

func (w *World) loggedIn(who int, token, rule string, at rules.Endpoint) {
	u := w.users[who]
	if w.choices.Concurrent != Yes {
		for i := range u.sessions {
			if u.sessions[i].state == Yes {
				u.sessions[i].state = Unknown
			}
		}
	}
	for i := range u.sessions {
		if u.sessions[i].token == token {
			u.sessions[i].state = Yes
			return
		}
	}
	u.sessions = append(u.sessions, session{token: token, state: Yes, rule: rule, at: at})
}

func (w *World) loggedOut(who, which int) {
	u := w.users[who]
	for i := range u.sessions {
		switch {
		case i == which:
			u.sessions[i].state = No
		case u.sessions[i].state == Yes && w.choices.LogoutKeeps != Yes:
			u.sessions[i].state = Unknown
		}
	}
	w.record(LogOut, who, -1, -1)
}

// left deletes a user: its sessions, its connections, and its events with it.
func (w *World) left(who int) {
	for other := range w.users {
		if other == who {
			continue
		}
		p := pair{other, who}
		was := &parting{w.relation(p).follow, w.friends(p)}
		w.relate(p, func(r *relation) { r.parting = was })
	}
	step := w.step()
	for p := range maps.Clone(w.relations) {
		if p.from == who || p.to == who {
			w.relate(p, func(r *relation) {
				if r.follow != No || r.asked != No {
					r.ended = step
				}
				r.follow, r.asked = No, No
			})
		}
	}
	u := w.users[who]
	u.gone = step
	for i := range u.sessions {
		u.sessions[i].state = No
	}
	w.record(Leave, who, -1, -1)
}

// edited changes a user. What was not sent, and how maps are taken, may be open;
// the answer settles it.
func (w *World) edited(who int, fields, answer Fields) {
	u := w.users[who]
	for name, was := range u.fields {
		if _, sent := fields[name]; !sent {
			u.fields[name] = omitted(was, w.choices.KeepsUser, lawful{absent{}}).only(valueOf(answer, name))
		}
	}
	for name, v := range fields {
		if name != "password" {
			merges := Unknown
			if name == "metadata" {
				merges = w.choices.MergesMetadata
			}
			u.fields[name] = replaced(name, u.fields[name], v, merges).only(valueOf(answer, name))
		}
	}
	if name, ok := fields["user_name"].(string); ok {
		u.name = name
	}
	if email, ok := fields["email"].(string); ok {
		u.email = email
	}
	if password, ok := fields["password"].(string); ok && password != u.password {
		u.password = password
		w.doubtSessions(u, false)
	}
	if w.choices.UpdateKeeps != Yes {
		w.doubtSessions(u, w.choices.UpdateKeeps == Unknown)
	}
	u.updated, u.changed, u.known = answer["updated_at"], w.step(), nil
	w.record(Edit, who, -1, -1)
}

// doubtSessions makes it open whether a user's sessions work. It is worth trying where
// nothing but an open choice speaks against it.
func (w *World) doubtSessions(u *user, worthTrying bool) {
	for i := range u.sessions {
		if u.sessions[i].state == Yes {
			u.sessions[i].state, u.sessions[i].doubted = Unknown, worthTrying
		}
	}
}

// omitted are the lawful values of a field that an update did not send.
func omitted(was lawful, keeps Tri, unset lawful) lawful {
	switch keeps {
	case Yes:
		return was
	case No:
		return unset
	}
	return was.or(unset...)
}

// replaced are the lawful values of a field that an update sent. A map or an object may
// be added to instead of being replaced, whatever is done to another one.
func replaced(name string, was lawful, v any, merges Tri) lawful {
	values := stated(name, v)
	newer, isMap := v.(map[string]any)
	if !isMap || merges == No {
		return values
	}
	var added lawful
	for _, each := range was {
		if older, ok := each.(map[string]any); ok {
			added = added.or(merged(older, newer), mergedDeep(older, newer))
		} else { // there may have been nothing to add to
			added = added.or(values...)
		}
	}
	if merges == Yes && len(added) > 0 {
		return added
	}
	return values.or(added...)
}

// stated are the lawful values of a field that was sent. An object's url may be
// left out of answers.
func stated(name string, v any) lawful {
	object, ok := v.(map[string]any)
	if name != "object" || !ok {
		return lawful{v}
	}
	without := maps.Clone(object)
	delete(without, "url")
	return lawful{v}.or(without)
}

func (w *World) followed(p pair) {
	w.relate(p, func(r *relation) {
		if r.follow != Yes {
			r.followed, r.follows = w.step(), r.follows+1
		}
		r.follow, r.bySocial = Yes, false
	})
	w.record(Follow, p.from, p.to, -1)
}

func (w *World) asked(p pair) {
	w.relate(p, func(r *relation) { r.asked = Yes })
	w.record(Ask, p.from, p.to, -1)
}

// ended ends a user's connections to another. Whether the other's half of a
// friendship goes with it is open.
func (w *World) ended(p pair) {
	step := w.step()
	w.relate(p, func(r *relation) { r.follow, r.asked, r.ended = No, No, step })
	w.relate(p.reversed(), func(r *relation) {
		if r.asked == No {
			return
		}
		r.ended = step
		switch w.choices.EndsWhole {
		case Yes:
			r.asked = No
		case Unknown:
			r.asked = Unknown
		}
	})
	if w.friends(p) == Yes { // by the other's half alone, which may be younger than the friendship was
		for _, side := range []pair{p, p.reversed()} {
			w.relate(side, func(r *relation) { r.befriended = step })
		}
	}
	w.record(End, p.from, p.to, -1)
}

func (w *World) posted(owner int, fields, answer Fields) int {
	e := &event{owner: owner, id: answer["id"], fields: map[string]lawful{}, answer: answer, born: w.step()}
	for name, v := range fields {
		e.fields[name] = stated(name, v)
	}
	w.events = append(w.events, e)
	w.record(Post, owner, -1, len(w.events)-1)
	return len(w.events) - 1
}

func (w *World) changed(which int, fields, answer Fields) {
	e := w.events[which]
	for name, was := range e.fields {
		if _, sent := fields[name]; !sent {
			keeps := w.choices.KeepsEvent
			if name == "verb" {
				keeps = Yes
			}
			e.fields[name] = omitted(was, keeps, w.choices.unset(name)).only(valueOf(answer, name))
		}
	}
	for name, v := range fields {
		e.fields[name] = replaced(name, e.fields[name], v, Unknown).only(valueOf(answer, name))
	}
	e.earlier = append(e.earlier, e.answer)
	e.answer, e.either, e.changed = answer, nil, w.step()
	w.record(Change, e.owner, -1, which)
}

// leaveOpen makes it open which of two updates at once came last, of events that nobody has
// read since: as the other world has them they may be, too.
func (w *World) leaveOpen(other *World) {
	for i, e := range w.events {
		o := other.events[i]
		if same(e.answer, o.answer) {
			continue
		}
		e.either = append(e.either, o.answer)
		for name, values := range o.fields {
			e.fields[name] = e.fields[name].or(values...)
		}
	}
}

func (w *World) removed(which int) {
	e := w.events[which]
	e.gone = w.step()
	w.record(Remove, e.owner, -1, which)
}
