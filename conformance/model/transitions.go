package model

import (
	"maps"

	"github.com/socialfeed/conform/conformance/rules"
)

// The transitions of the state machine. Each applies the effect of a request that succeeded; a
// refused request changes nothing.

func (st *State) joined(fields Fields, answer Fields) int {
	u := &user{fields: map[string]lawful{}, id: answer["id"], created: answer["created_at"], updated: answer["updated_at"]}
	u.name, _ = fields["user_name"].(string)
	u.email, _ = fields["email"].(string)
	u.password, _ = fields["password"].(string)
	for name, v := range fields {
		if name != "password" {
			u.fields[name] = st.choices.orFormed(name, v, lawful{v}).only(valueOf(answer, name))
		}
	}
	st.users = append(st.users, u)
	st.record(Join, len(st.users)-1, -1, -1)
	return len(st.users) - 1
}

func (st *State) loggedIn(who int, token, rule string, at rules.Endpoint) {
	u := st.users[who]
	u.writes = 0 // the first one is sent in the oldest session
	if st.choices.Concurrent != Yes {
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

func (st *State) loggedOut(who, which int) {
	u := st.users[who]
	for i := range u.sessions {
		switch {
		case i == which:
			u.sessions[i].state = No
		case u.sessions[i].state == Yes && st.choices.LogoutKeeps != Yes:
			u.sessions[i].state = Unknown
		}
	}
	st.record(LogOut, who, -1, -1)
}

// deleted deletes a user with its sessions, connections and events.
func (st *State) deleted(who int) {
	for other := range st.users {
		if other == who {
			continue
		}
		p := pair{other, who}
		was := &connectionAtDeletion{st.relation(p).follow, st.friends(p)}
		st.relate(p, func(r *relation) { r.atDeletion = was })
	}
	step := st.step()
	for p := range maps.Clone(st.relations) {
		if p.from == who || p.to == who {
			st.relate(p, func(r *relation) {
				if r.follow != No || r.asked != No {
					r.endedStep = step
				}
				r.follow, r.asked = No, No
			})
		}
	}
	u := st.users[who]
	u.deletedStep = step
	for i := range u.sessions {
		u.sessions[i].state = No
	}
	st.record(DeleteUser, who, -1, -1)
}

// edited changes a user. What happens to omitted fields, and whether maps are merged, may be
// open; the answer resolves it.
func (st *State) edited(who int, fields, answer Fields) {
	u := st.users[who]
	for name, was := range u.fields {
		if _, sent := fields[name]; !sent {
			u.fields[name] = lawfulOmitted(was, st.choices.KeepsUser, lawful{absent{}}).only(valueOf(answer, name))
		}
	}
	for name, v := range fields {
		if name != "password" {
			merges := Unknown
			if name == "metadata" {
				merges = st.choices.MergesMetadata
			}
			values := lawfulReplaced(name, u.fields[name], v, merges)
			u.fields[name] = st.choices.orFormed(name, v, values).only(valueOf(answer, name))
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
		st.doubtSessions(u, false)
	}
	if st.choices.UpdateKeeps == Yes { // at least the one that the update was sent in
		st.doubtOtherSessions(u)
	} else {
		st.doubtSessions(u, st.choices.UpdateKeeps == Unknown)
	}
	u.updated, u.changedStep, u.loginNames = answer["updated_at"], st.step(), nil
	st.record(Edit, who, -1, -1)
}

// doubtSessions makes it unknown whether a user's sessions work. They are worth trying if only
// an open choice may have ended them.
func (st *State) doubtSessions(u *user, worthTrying bool) {
	for i := range u.sessions {
		if u.sessions[i].state == Yes {
			u.sessions[i].state, u.sessions[i].doubted = Unknown, worthTrying
		}
	}
}

// doubtOtherSessions makes it unknown whether any session but the latest that works still does.
func (st *State) doubtOtherSessions(u *user) {
	latest := -1
	for i := range u.sessions {
		if u.sessions[i].state != Yes {
			continue
		}
		if latest >= 0 {
			u.sessions[latest].state, u.sessions[latest].doubted = Unknown, true
		}
		latest = i
	}
}

func (st *State) posted(owner int, fields, answer Fields) int {
	e := &event{owner: owner, id: answer["id"], fields: map[string]lawful{}, answer: answer, createdStep: st.step()}
	for name, v := range fields {
		e.fields[name] = st.choices.orFormed(name, v, lawfulSent(name, v))
	}
	st.events = append(st.events, e)
	st.record(Post, owner, -1, len(st.events)-1)
	return len(st.events) - 1
}

func (st *State) changed(which int, fields, answer Fields) {
	e := st.events[which]
	for name, was := range e.fields {
		if _, sent := fields[name]; !sent {
			keeps := st.choices.KeepsEvent
			if name == "verb" {
				keeps = Yes
			}
			e.fields[name] = lawfulOmitted(was, keeps, st.choices.unset(name)).only(valueOf(answer, name))
		}
	}
	for name, v := range fields {
		values := lawfulReplaced(name, e.fields[name], v, Unknown)
		e.fields[name] = st.choices.orFormed(name, v, values).only(valueOf(answer, name))
	}
	e.earlier = append(e.earlier, e.answer)
	e.answer, e.either, e.changedStep = answer, nil, st.step()
	st.record(Change, e.owner, -1, which)
}

// leaveOpen records that the events may also be as another lawful state has them: which of
// two updates at once came last shows only when somebody reads the event.
func (st *State) leaveOpen(other *State) {
	for _, e := range st.events {
		which, known := other.eventByID(idText(e.id)) // two created at once stand in another order there
		if !known || same(e.answer, other.events[which].answer) {
			continue
		}
		o := other.events[which]
		e.either = append(e.either, o.answer)
		for name, values := range o.fields {
			e.fields[name] = e.fields[name].or(values...)
		}
	}
}

func (st *State) removed(which int) {
	e := st.events[which]
	e.deletedStep = st.step()
	st.record(Remove, e.owner, -1, which)
}
