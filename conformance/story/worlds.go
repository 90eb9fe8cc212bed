package story

import (
	"fmt"
	"slices"
	"strings"
)

// distinct returns worlds that differ in what a target may show. Too many, or those of a target that
// lags, which no read can tell apart, are united.
func (r *run) distinct(all []*World) []*World {
	const most = 8
	seen := map[string]bool{}
	var kept []*World
	for _, w := range all {
		if print := w.fingerprint(); !seen[print] {
			seen[print] = true
			kept = append(kept, w)
		}
	}
	if len(kept) == 1 || len(kept) <= most && r.player.options.Lag == 0 {
		return kept
	}
	one := kept[0]
	for _, other := range kept[1:] {
		if !one.unite(other) {
			r.lost = true // what is there is not known
		}
	}
	return []*World{one}
}

// fingerprint tells worlds apart, whatever the order in which their events were created.
func (w *World) fingerprint() string {
	var lines []string
	for i := range w.users {
		u := &w.users[i]
		lines = append(lines, fmt.Sprintf("%s %s %s %v %v %v", idText(u.id), u.name, u.password, u.lives(), u.fields, u.updated))
		for _, s := range u.sessions {
			lines = append(lines, fmt.Sprint(s.token, s.state))
		}
	}
	for i := range w.events {
		e := &w.events[i]
		line := fmt.Sprintf("%s %v %v %v", idText(e.id), e.deleted > 0, e.fields, e.answer["updated_at"])
		for reader := range w.users {
			line += fmt.Sprint(w.shows(reader, i))
		}
		lines = append(lines, line)
	}
	for p, r := range w.relations {
		if r.follow != No || r.asked != No {
			lines = append(lines, fmt.Sprintf("%v %d %d", p, r.follow, r.asked))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// unite makes a world allow what another one does, too, and reports whether it can: users and events
// that are there in one alone cannot be united.
func (w *World) unite(other *World) bool {
	if len(w.users) != len(other.users) || len(w.events) != len(other.events) {
		return false
	}
	for i := range w.users {
		u, o := &w.users[i], &other.users[i]
		if idText(u.id) != idText(o.id) || u.lives() != o.lives() || u.name != o.name || u.password != o.password {
			return false
		}
		fields := map[string]allowed{}
		for name, values := range u.fields {
			fields[name] = values.or(o.fields[name]...)
		}
		u.fields = fields
		if order, ok := orderOf(o.updated, u.updated); ok && order < 0 {
			u.updated = o.updated
		}
		for j := range u.sessions {
			k := slices.IndexFunc(o.sessions, func(s session) bool { return s.token == u.sessions[j].token })
			if k < 0 || o.sessions[k].state != u.sessions[j].state {
				u.sessions[j].state = Unknown
			}
		}
	}
	for i := range w.events {
		if idText(w.events[i].id) != idText(other.events[i].id) || (w.events[i].deleted > 0) != (other.events[i].deleted > 0) {
			return false
		}
	}
	for p := range other.relations {
		theirs := other.relation(p)
		w.relate(p, func(r *relation) {
			if r.follow != theirs.follow {
				r.follow = Unknown
			}
			if r.asked != theirs.asked {
				r.asked = Unknown
			}
			r.friendsSince = max(r.friendsSince, theirs.friendsSince)
		})
	}
	w.widen(other)
	return true
}
