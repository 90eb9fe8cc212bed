package world

import (
	"maps"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// The transitions of the state machine. Each applies the effect of a request that succeeded; a
// refused request changes nothing.

// Joined adds a user and returns it.
func (st *State) Joined(fields value.Fields, answer value.Fields) int {
	u := &User{Fields: map[string]value.Set{}, ID: answer["id"], Created: answer["created_at"], Updated: answer["updated_at"]}
	u.Name, _ = fields["user_name"].(string)
	u.Email, _ = fields["email"].(string)
	u.Password, _ = fields["password"].(string)
	for name, v := range fields {
		if name != "password" {
			u.Fields[name] = st.Choices.OrFormed(name, v, value.Set{v}).Only(value.Of(answer, name))
		}
	}
	st.Users = append(st.Users, u)
	st.record(story.Join, len(st.Users)-1, -1, -1)
	return len(st.Users) - 1
}

// LoggedIn adds a session of a user, opened by a request that a rule is about.
func (st *State) LoggedIn(who int, token, rule string, at rules.Endpoint) {
	u := st.Users[who]
	u.Writes = 0 // the first one is sent in the oldest session
	if st.Choices.Concurrent != leeway.Yes {
		for i := range u.Sessions {
			if u.Sessions[i].State == leeway.Yes {
				u.Sessions[i].State = leeway.Unknown
			}
		}
	}
	for i := range u.Sessions {
		if u.Sessions[i].Token == token {
			u.Sessions[i].State = leeway.Yes
			return
		}
	}
	u.Sessions = append(u.Sessions, Session{Token: token, State: leeway.Yes, Rule: rule, At: at})
}

// LoggedOut ends a session of a user.
func (st *State) LoggedOut(who, which int) {
	u := st.Users[who]
	for i := range u.Sessions {
		switch {
		case i == which:
			u.Sessions[i].State = leeway.No
		case u.Sessions[i].State == leeway.Yes && st.Choices.LogoutKeeps != leeway.Yes:
			u.Sessions[i].State = leeway.Unknown
		}
	}
	st.record(story.LogOut, who, -1, -1)
}

// Deleted deletes a user with its sessions, connections and events.
func (st *State) Deleted(who int) {
	for other := range st.Users {
		if other == who {
			continue
		}
		p := Pair{other, who}
		was := &connectionAtDeletion{st.Relation(p).Follow, st.Friends(p)}
		st.relate(p, func(r *Relation) { r.AtDeletion = was })
	}
	step := st.step()
	for p := range maps.Clone(st.relations) {
		if p.From == who || p.To == who {
			st.relate(p, func(r *Relation) {
				if r.Follow != leeway.No || r.Asked != leeway.No {
					r.EndedStep = step
				}
				r.Follow, r.Asked = leeway.No, leeway.No
			})
		}
	}
	u := st.Users[who]
	u.deletedStep = step
	for i := range u.Sessions {
		u.Sessions[i].State = leeway.No
	}
	st.record(story.DeleteUser, who, -1, -1)
}

// Edited changes a user. What happens to omitted fields, and whether maps are merged, may be
// open; the answer resolves it.
func (st *State) Edited(who int, fields, answer value.Fields) {
	u := st.Users[who]
	for name, was := range u.Fields {
		if _, sent := fields[name]; !sent {
			u.Fields[name] = leeway.Omitted(was, st.Choices.KeepsUser, value.Set{value.Absent{}}).Only(value.Of(answer, name))
		}
	}
	for name, v := range fields {
		if name != "password" {
			merges := leeway.Unknown
			if name == "metadata" {
				merges = st.Choices.MergesMetadata
			}
			values := leeway.Replaced(name, u.Fields[name], v, merges)
			u.Fields[name] = st.Choices.OrFormed(name, v, values).Only(value.Of(answer, name))
		}
	}
	if name, ok := fields["user_name"].(string); ok {
		u.Name = name
	}
	if email, ok := fields["email"].(string); ok {
		u.Email = email
	}
	if password, ok := fields["password"].(string); ok && password != u.Password {
		u.Password = password
		st.DoubtSessions(u, false)
	}
	if st.Choices.UpdateKeeps == leeway.Yes { // at least the one that the update was sent in
		st.doubtOtherSessions(u)
	} else {
		st.DoubtSessions(u, st.Choices.UpdateKeeps == leeway.Unknown)
	}
	u.Updated, u.ChangedStep, u.LoginNames = answer["updated_at"], st.step(), nil
	st.record(story.Edit, who, -1, -1)
}

// DoubtSessions makes it unknown whether a user's sessions work. They are worth trying if only
// an open choice may have ended them.
func (st *State) DoubtSessions(u *User, worthTrying bool) {
	for i := range u.Sessions {
		if u.Sessions[i].State == leeway.Yes {
			u.Sessions[i].State, u.Sessions[i].Doubted = leeway.Unknown, worthTrying
		}
	}
}

// doubtOtherSessions makes it unknown whether any session but the latest that works still does.
func (st *State) doubtOtherSessions(u *User) {
	latest := -1
	for i := range u.Sessions {
		if u.Sessions[i].State != leeway.Yes {
			continue
		}
		if latest >= 0 {
			u.Sessions[latest].State, u.Sessions[latest].Doubted = leeway.Unknown, true
		}
		latest = i
	}
}

// Posted adds an event and returns it.
func (st *State) Posted(owner int, fields, answer value.Fields) int {
	e := &Event{Owner: owner, ID: answer["id"], Fields: map[string]value.Set{}, Answer: answer, createdStep: st.step()}
	for name, v := range fields {
		e.Fields[name] = st.Choices.OrFormed(name, v, leeway.Sent(name, v))
	}
	st.Events = append(st.Events, e)
	st.record(story.Post, owner, -1, len(st.Events)-1)
	return len(st.Events) - 1
}

// Changed changes an event.
func (st *State) Changed(which int, fields, answer value.Fields) {
	e := st.Events[which]
	for name, was := range e.Fields {
		if _, sent := fields[name]; !sent {
			keeps := st.Choices.KeepsEvent
			if name == "verb" {
				keeps = leeway.Yes
			}
			e.Fields[name] = leeway.Omitted(was, keeps, st.Choices.Unset(name)).Only(value.Of(answer, name))
		}
	}
	for name, v := range fields {
		values := leeway.Replaced(name, e.Fields[name], v, leeway.Unknown)
		e.Fields[name] = st.Choices.OrFormed(name, v, values).Only(value.Of(answer, name))
	}
	e.Earlier = append(e.Earlier, e.Answer)
	e.Answer, e.Either, e.ChangedStep = answer, nil, st.step()
	st.record(story.Change, e.Owner, -1, which)
}

// LeaveOpen records that the events may also be as another lawful state has them: which of
// two updates at once came last shows only when somebody reads the event.
func (st *State) LeaveOpen(other *State) {
	for _, e := range st.Events {
		which, known := other.EventByID(value.ID(e.ID)) // two created at once stand in another order there
		if !known || value.Same(e.Answer, other.Events[which].Answer) {
			continue
		}
		o := other.Events[which]
		e.Either = append(e.Either, o.Answer)
		for name, values := range o.Fields {
			e.Fields[name] = e.Fields[name].Or(values...)
		}
	}
}

// Removed deletes an event.
func (st *State) Removed(which int) {
	e := st.Events[which]
	e.DeletedStep = st.step()
	st.record(story.Remove, e.Owner, -1, which)
}
