package story

import "slices"

// posted adds an event.
func (w *World) posted(owner, label int, sent, answer Fields) int {
	choices := w.choices[w.users[owner].app]
	e := event{owner: owner, label: label, id: answer["id"], fields: map[string]allowed{}, answer: answer, created: w.now()}
	for name, v := range sent {
		e.fields[name] = choices.orOmitted(name, v, allowedSent(name, v))
	}
	w.events = append(w.events, e)
	which := len(w.events) - 1
	if label > 0 {
		w.labels[label] = which
	}
	w.record(past{do: "post", user: owner, other: -1, event: which})
	return which
}

// changedEvent changes an event.
func (w *World) changedEvent(which int, sent, answer Fields) {
	e := &w.events[which]
	choices := w.choices[w.users[e.owner].app]
	fields := map[string]allowed{}
	for name, was := range e.fields {
		if _, there := sent[name]; !there {
			keeps := choices.KeepsEvent
			if name == "verb" {
				keeps = Yes
			}
			fields[name] = allowedOmitted(was, keeps, choices.unset(name)).only(valueOf(answer, name))
		}
	}
	for name, v := range sent {
		values := allowedReplaced(name, e.fields[name], v, Unknown)
		fields[name] = choices.orOmitted(name, v, values).only(valueOf(answer, name))
	}
	e.earlier = append(slices.Clip(e.earlier), e.answer)
	e.fields, e.answer, e.either, e.changed = fields, answer, nil, w.now()
	w.record(past{do: "change event", user: e.owner, other: -1, event: which})
}

// deletedEvent deletes an event.
func (w *World) deletedEvent(which int) {
	e := &w.events[which]
	e.deleted = w.now()
	w.record(past{do: "delete event", user: e.owner, other: -1, event: which})
}

// connected makes a follow, or one side's friend connection.
func (w *World) connected(p pair, typ string, bySocial bool) {
	now := w.now()
	w.relate(p, func(r *relation) {
		if typ == friend {
			r.asked = Yes
		} else {
			if r.follow != Yes {
				r.followed, r.follows = now, r.follows+1
			}
			r.follow = Yes
		}
		r.bySocial = bySocial
	})
	do := "connect"
	if bySocial {
		do = "connect by social id"
	}
	w.record(past{do: do, user: p.from, other: p.to, event: -1})
}

// disconnected ends a user's connections to another. Whether the other's half of a friendship
// ends with it is open.
func (w *World) disconnected(p pair) {
	now := w.now()
	w.relate(p, func(r *relation) { r.follow, r.asked, r.ended = No, No, now })
	w.relate(p.reversed(), func(r *relation) {
		if r.asked == No {
			return
		}
		r.ended = now
		switch w.choices[w.users[p.from].app].EndsWhole {
		case Yes:
			r.asked = No
		case Unknown:
			r.asked = Unknown
		}
	})
	if w.friends(p) == Yes { // by the other's half alone, which may be younger than the friendship
		for _, side := range []pair{p, p.reversed()} {
			w.relate(side, func(r *relation) { r.friendsSince = now })
		}
	}
	w.record(past{do: "disconnect", user: p.from, other: p.to, event: -1})
}

// widen adds what another world allows of events, where the contract does not say which of two
// updates at the same time came last.
func (w *World) widen(other *World) {
	for i := range w.events {
		e := &w.events[i]
		j := slices.IndexFunc(other.events, func(o event) bool { return idText(o.id) == idText(e.id) && o.owner == e.owner })
		if j < 0 || same(e.answer, other.events[j].answer) {
			continue
		}
		o := &other.events[j]
		e.either = append(slices.Clip(e.either), o.answer)
		fields := map[string]allowed{}
		for name, values := range e.fields {
			fields[name] = values.or(o.fields[name]...)
		}
		e.fields = fields
	}
}
