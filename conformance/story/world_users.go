package story

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// The transitions of a world. Each applies the effect of a request that succeeded.

func (w *World) record(p past) { w.past = append(w.past, p) }

// created adds a user with a role.
func (w *World) created(role, app int, sent Fields, tokens map[string]string, answer Fields) int {
	u := user{app: app, role: role, fields: map[string]allowed{}, tokens: tokens, id: answer["id"], created: answer["created_at"], updated: answer["updated_at"]}
	u.name, _ = sent["user_name"].(string)
	u.email, _ = sent["email"].(string)
	u.password, _ = sent["password"].(string)
	for name, v := range sent {
		if name != "password" {
			u.fields[name] = allowed{v}
		}
	}
	w.users = append(w.users, u)
	who := len(w.users) - 1
	w.holders[role] = append(slices.Clip(w.holders[role]), who)
	w.record(past{do: "create", user: who, other: -1, event: -1})
	return who
}

// loggedIn gives a user a session.
func (w *World) loggedIn(who, label int, token string, by rules.Place) {
	u := &w.users[who]
	if w.choices[u.app].Concurrent != Yes {
		u.doubtSessions()
	}
	if i := slices.IndexFunc(u.sessions, func(s session) bool { return s.token == token }); i >= 0 {
		u.sessions[i].state = Yes
		return
	}
	s := session{label: label, token: token, state: Yes, by: by}
	if !u.lives() { // the login was sent at the same time as the deletion
		s.state, s.ended = No, byDeletion
	}
	u.sessions = append(u.sessions, s)
}

// loggedOut ends a session.
func (w *World) loggedOut(who, which int) {
	u := &w.users[who]
	for i := range u.sessions {
		switch s := &u.sessions[i]; {
		case i == which:
			s.state, s.ended = No, byLogout
		case s.state == Yes && w.choices[u.app].LogoutKeeps != Yes:
			s.state = Unknown
		}
	}
	w.record(past{do: "log out", user: who, other: -1, event: -1})
}

// doubtSessions makes it unknown whether a user's sessions work.
func (u *user) doubtSessions() {
	for i := range u.sessions {
		if u.sessions[i].state == Yes {
			u.sessions[i].state = Unknown
		}
	}
}

// deletedUser deletes a user with its sessions, connections and events.
func (w *World) deletedUser(who int) {
	for other := range w.users {
		if p := (pair{other, who}); other != who && w.users[other].app == w.users[who].app {
			was := &struct{ follow, friends Tri }{w.relation(p).follow, w.friends(p)}
			w.relate(p, func(r *relation) { r.atDeletion = was })
		}
	}
	now := w.now()
	for p := range maps.Clone(w.relations) {
		if p.from != who && p.to != who {
			continue
		}
		w.relate(p, func(r *relation) {
			if r.follow != No || r.asked != No {
				r.ended = now
			}
			r.follow, r.asked = No, No
		})
	}
	u := &w.users[who]
	u.deleted = now
	for i := range u.sessions {
		if u.sessions[i].state != No {
			u.sessions[i].state, u.sessions[i].ended = No, byDeletion
		}
	}
	w.record(past{do: "delete user", user: who, other: -1, event: -1})
}

// updated changes a user. What happens to omitted fields, and whether maps are merged, may be
// open; the answer resolves it.
func (w *World) updated(who int, sent Fields, tokens map[string]string, answer Fields) {
	u := &w.users[who]
	choices := w.choices[u.app]
	before := u.version()
	fields := map[string]allowed{}
	for name, was := range u.fields {
		if _, there := sent[name]; !there {
			fields[name] = allowedOmitted(was, choices.KeepsUser, allowed{absent{}}).only(valueOf(answer, name))
		}
	}
	for name, v := range sent {
		if name == "password" {
			continue
		}
		merges := Unknown
		if name == "metadata" {
			merges = choices.MergesMetadata
		}
		fields[name] = allowedReplaced(name, u.fields[name], v, merges).only(valueOf(answer, name))
	}
	name, email := u.name, u.email
	if s, ok := sent["user_name"].(string); ok {
		name = s
	}
	if s, ok := sent["email"].(string); ok {
		email = s
	}
	if name != u.name && email != u.email && u.email != "" && email != "" {
		u.formerNames = Fields{"user_name": u.name, "email": u.email}
	}
	password, _ := sent["password"].(string)
	changedPassword := password != "" && password != u.password
	if changedPassword {
		u.passwords = append(slices.Clip(u.passwords), u.password)
		u.password = password
	}
	u.rememberTerms(tokens)
	u.fields, u.name, u.email, u.previous = fields, name, email, before
	if changedPassword || choices.UpdateKeeps != Yes {
		u.doubtSessions()
	} else {
		u.doubtOtherSessions()
	}
	u.updated, u.changed, u.loginNames = answer["updated_at"], w.now(), nil
	w.record(past{do: "update", user: who, other: -1, event: -1})
}

// rememberTerms replaces the unique parts of a user's fields, and keeps those that it gave up.
func (u *user) rememberTerms(tokens map[string]string) {
	now := maps.Clone(u.tokens)
	if now == nil {
		now = map[string]string{}
	}
	former := slices.Clone(u.formerTerms)
	for field, token := range tokens {
		if was := now[field]; was != "" && was != token && (field == "user_name" || field == "first_name") {
			former = append(former, was)
		}
		now[field] = token
	}
	u.tokens, u.formerTerms = now, slices.DeleteFunc(former, func(term string) bool {
		return slices.Contains(slices.Collect(maps.Values(now)), term)
	})
}

// doubtOtherSessions makes it unknown whether any session but the latest that works still does.
func (u *user) doubtOtherSessions() {
	latest := -1
	for i := range u.sessions {
		if u.sessions[i].state != Yes {
			continue
		}
		if latest >= 0 {
			u.sessions[latest].state = Unknown
		}
		latest = i
	}
}

// version returns the fields that the user can be given back later: those known for certain.
func (u *user) version() Fields {
	before := Fields{"password": u.password}
	for name, values := range u.fields {
		if _, missing := values.first().(absent); len(values) == 1 && !missing {
			before[name] = values[0]
		}
	}
	return before
}

// first returns the first allowed value, nil if there is none.
func (l allowed) first() any {
	if len(l) == 0 {
		return nil
	}
	return l[0]
}

// allowedOmitted returns the allowed values of a field that an update omitted.
func allowedOmitted(was allowed, keeps Tri, unset allowed) allowed {
	switch keeps {
	case Yes:
		return was
	case No:
		return unset
	}
	return was.or(unset...)
}

// allowedReplaced returns the allowed values of a field that an update sent. Maps and objects may
// be merged instead of replaced, each field in its own way.
func allowedReplaced(name string, was allowed, v any, merges Tri) allowed {
	values := allowedSent(name, v)
	newer, isMap := v.(map[string]any)
	if !isMap || merges == No {
		return values
	}
	var added allowed
	for _, each := range was {
		if older, ok := each.(map[string]any); ok {
			added = added.or(merged(older, newer), mergedDeep(older, newer))
		} else { // the field may have been empty
			added = added.or(values...)
		}
	}
	if merges == Yes && len(added) > 0 {
		return added
	}
	return values.or(added...)
}

// allowedSent returns the allowed values of a field that was sent. An object's url may be left
// out of answers.
func allowedSent(name string, v any) allowed {
	object, ok := v.(map[string]any)
	if name != "object" || !ok {
		return allowed{v}
	}
	without := maps.Clone(object)
	delete(without, "url")
	return allowed{v}.or(without)
}
