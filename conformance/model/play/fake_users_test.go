package play

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
)

func (f *fake) create(fields value.Fields) exchange.Response {
	if f.strict(fields) || f.taken(fields, nil) {
		return refuse(422)
	}
	u := &fakeUser{id: f.base + len(f.users) + 1, fields: fields, created: f.now, updated: f.now}
	f.users = append(f.users, u)
	if f.fault == "a namesake inherits the feed's events" {
		for _, former := range f.users[:len(f.users)-1] {
			if former.gone && former.fields["user_name"] == fields["user_name"] {
				former.gone = false
				former.tokens = nil
			}
		}
	}
	view := f.user(u, u)
	if view["session_token"] = f.token(u); f.fault == "a new user has logged in" {
		view["last_login"] = f.time(f.now)
	}
	return exchange.Response{Status: 201, Body: view}
}

func (f *fake) token(u *fakeUser) string {
	f.tokens++
	token := fmt.Sprintf("token-%d-%d", u.id, f.tokens)
	if f.dialect.single {
		u.tokens = nil
	}
	f.count[fmt.Sprint("tokens ", u.id)]++
	if f.fault != "a third session opens nothing" || f.count[fmt.Sprint("tokens ", u.id)] != 3 {
		u.tokens = append(u.tokens, token)
	}
	u.entered = u.updated
	return token
}

func (f *fake) login(fields value.Fields) exchange.Response {
	for _, u := range f.users {
		if u.gone && f.fault != "deleted users log in" || u.fields["password"] != fields["password"] {
			continue
		}
		for _, by := range []string{"user_name", "email"} {
			if v, sent := fields[by]; sent && u.fields[by] == v {
				return exchange.Response{Status: 200, Body: value.Fields{"id": strconv.Itoa(u.id), "session_token": f.token(u)}}
			}
		}
	}
	return refuse(401)
}

func (f *fake) id(n int) any {
	if f.dialect.stringIDs {
		return strconv.Itoa(n)
	}
	return n
}

func (f *fake) time(t time.Time) string {
	if f.dialect.wholeSeconds {
		return t.Format(time.RFC3339)
	}
	if f.dialect.lowerCaseTimes { // as RFC 3339 lets T and Z be
		return strings.ToLower(t.Format(time.RFC3339Nano))
	}
	return t.Format(time.RFC3339Nano)
}

func (f *fake) user(u, viewer *fakeUser) value.Fields {
	view := maps.Clone(u.fields)
	delete(view, "password")
	if f.dialect.hidesEmail && u != viewer {
		delete(view, "email")
	}
	if f.dialect.hidesProfile && u != viewer {
		for _, name := range optionalFields() {
			delete(view, name)
		}
	}
	view["id"], view["created_at"], view["updated_at"], view["enabled"] = f.id(u.id), f.time(u.created), f.time(u.updated), true
	if !u.entered.IsZero() {
		view["last_login"] = f.time(u.entered)
	}
	return view
}

func (f *fake) update(u *fakeUser, fields value.Fields) exchange.Response {
	if f.strict(fields) || f.taken(fields, u) || fields["user_name"] == nil {
		return refuse(422)
	}
	was := u.fields
	u.fields = f.renewed(u.fields, fields, "password")
	if f.fault == "a second update loses the metadata" && u.updated.After(u.created) {
		delete(u.fields, "metadata")
	}
	if f.fault == "an update goes back in time" && u.updated.After(u.created) {
		u.updated = u.created.Add(-time.Hour) // by more than the clocks of two replicas may differ
	} else {
		u.updated = f.now
	}
	if f.fault == "the former name finds a renamed user" && was["user_name"] != fields["user_name"] {
		f.count["was "+was["user_name"].(string)] = u.id
	}
	if f.dialect.updateEnds {
		u.tokens = nil
	}
	return exchange.Response{Status: 201, Body: f.user(u, u)}
}

func (f *fake) renewed(was, fields value.Fields, keep string) value.Fields {
	now := value.Fields{}
	if !f.dialect.clears {
		now = maps.Clone(was)
	} else if v, there := was[keep]; there {
		now[keep] = v
	}
	for name, v := range fields {
		older, isMap := was[name].(map[string]any)
		newer, _ := v.(map[string]any)
		if isMap && f.dialect.merges && name != "object" {
			v = value.Merge(older, newer)
		}
		now[name] = v
	}
	return now
}

func (f *fake) leave(u *fakeUser) exchange.Response {
	if f.fault == "a purge misses friends who followed first" {
		for _, e := range f.edges {
			if e.kind == "friend" && e.to == u.id && f.has(e.from, u.id, "follow") {
				f.stale[fmt.Sprintf("%d-%d", e.from, u.id)] = exchange.Response{Status: 1}
			}
		}
	}
	if f.fault == "a purge misses who followed again" {
		for _, e := range f.edges {
			if e.to == u.id && f.count[fmt.Sprintf("follow %d %d", e.from, u.id)] > 1 {
				f.stale[fmt.Sprintf("%d-%d", e.from, u.id)] = exchange.Response{Status: 1}
			}
		}
	}
	switch f.fault {
	case "a purge takes everyone's events":
		for _, e := range f.events {
			f.stale["taken "+strconv.Itoa(e.id)] = exchange.Response{Status: 1}
		}
	case "a purge stores the events anew":
		f.storeAnew(u)
	}
	u.gone = true
	if f.fault == "deleted users stay among followers of the followed" {
		return exchange.Response{Status: 204}
	}
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return e.from == u.id || e.to == u.id })
	return exchange.Response{Status: 204}
}

// storeAnew gives the events of a user other ids, and leaves them in the feeds of its followers.
func (f *fake) storeAnew(u *fakeUser) {
	for _, e := range f.edges {
		if e.to == u.id {
			f.stale[fmt.Sprintf("%d-%d", e.from, u.id)] = exchange.Response{Status: 1}
		}
	}
	for _, e := range f.events {
		if e.owner == u.id {
			e.id += 1000
		}
	}
}

func (f *fake) search(term string, me *fakeUser) exchange.Response {
	found := []any{}
	for _, u := range f.users {
		hit := false
		for was, id := range f.count {
			hit = hit || id == u.id && strings.HasPrefix(was, "was "+term)
		}
		for _, field := range []string{"user_name", "first_name", "last_name", "email"} {
			v, _ := u.fields[field].(string)
			hit = hit || strings.Contains(strings.ToLower(v), strings.ToLower(term))
		}
		if hit && !u.gone {
			found = append(found, f.user(u, me))
		}
	}
	if last := f.users[len(f.users)-1]; f.fault == "a search adds the user created last" && len(found) > 0 && !last.gone && !strings.Contains(fmt.Sprint(found), fmt.Sprint("id:", f.id(last.id))) {
		found = append(found, f.user(last, me))
	}
	return exchange.Response{Status: 200, Body: found}
}

func (f *fake) logout(me *fakeUser, token string) exchange.Response {
	if f.dialect.logoutAll {
		me.tokens = nil
	}
	if f.fault == "logout keeps the session when there are two" && len(me.tokens) > 1 {
		return exchange.Response{Status: 204}
	}
	me.tokens = slices.DeleteFunc(me.tokens, func(t string) bool { return t == token })
	return exchange.Response{Status: 204}
}
