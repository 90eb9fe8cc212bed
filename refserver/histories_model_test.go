package refserver_test

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"

	"github.com/socialfeed/conform/refserver"
)

// The contract as one client after another would see it: what porcupine holds
// concurrent histories against.

// asked is what a request asks for: the endpoint by its number in the contract,
// and the parameters that it has.
type asked struct {
	endpoint int
	token    string // the session
	target   string // the id in the path, or user_to_id
	name     string
	first    string
	password string
	verb     string
	typ      string   // of a connection; blank in a DELETE: both
	term     string   // of a search
	ids      []string // of connections/social
	social   string   // the user's own id on the platform
	more     bool     // withLogin, or withUserDetails
}

// got is what was answered, as far as the model can tell.
type got struct {
	status int
	id     string
	token  string
	items  []string // what describe makes of each resource in the body
}

type modelUser struct {
	id, name, first, password, social string
	loggedIn                          bool
}

// describe is a user as it is compared.
func (u modelUser) describe() string { return describeUser(u.id, u.name, u.first, u.loggedIn) }

func describeUser(id, name, first string, loggedIn bool) string {
	return fmt.Sprintf("user %s %s %s %t", id, name, first, loggedIn)
}

type modelEvent struct{ id, owner, verb string }

func (e modelEvent) describe() string { return describeEvent(e.id, e.owner, e.verb) }

func describeEvent(id, owner, verb string) string {
	return fmt.Sprintf("event %s %s %s", id, owner, verb)
}

type modelEdge struct{ from, to, typ string }

// world is a state of the model. A step copies what it changes.
type world struct {
	users    []modelUser // in the order of creation, which is that of the ids
	sessions map[string]string
	edges    map[modelEdge]bool
	events   []modelEvent // in the order of creation
}

// model makes the choices that matter to histories: which sessions end when,
// whether names are unique, and when friends are friends.
func model(c refserver.Choices) porcupine.Model {
	return porcupine.Model{
		Init:  func() any { return world{} },
		Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
		Step: func(state, input, output any) (bool, any) {
			w, in, out := state.(world), input.(asked), output.(got)
			return step(c, w, in, out)
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
}

// step reports whether the answer is one that the state allows, and returns the state after it.
func step(c refserver.Choices, w world, in asked, out got) (bool, world) {
	switch in.endpoint {
	case 1:
		return w.create(c, in, out)
	case 2:
		return w.login(c, in, out)
	case 22:
		return out.status == 200, w
	}
	user, valid := w.sessions[in.token]
	if !valid {
		return out.status == 401, w
	}
	switch in.endpoint {
	case 3:
		return out.status == 204, w.endSessions(user, func(token string) bool { return c.LogoutEverywhere || token == in.token })
	case 4:
		return out.is(200, w.user(user).describe()), w
	case 5:
		return w.update(c, user, in, out)
	case 6:
		return out.status == 204, w.purge(user)
	case 7:
		if w.user(in.target).id == "" {
			return out.status == 404, w
		}
		return out.is(200, w.user(in.target).describe()), w
	case 8:
		return out.is(200, w.where(func(u modelUser) bool { return strings.Contains(u.name+" "+u.first, in.term) })...), w
	case 9:
		return w.connect(user, in, out)
	case 10:
		return w.disconnect(user, in, out)
	case 11, 12, 13, 14, 15, 16:
		return w.list(c, user, in, out), w
	case 17:
		return out.status == 201, w.connectSocial(user, in)
	case 18:
		return w.createEvent(user, in, out)
	case 19, 20:
		return w.changeEvent(user, in, out)
	case 21:
		return out.is(200, w.feed(c, user)...), w
	}
	panic(fmt.Sprint("no endpoint ", in.endpoint))
}

// is reports whether the answer has the status and shows these resources, in this order.
func (g got) is(status int, items ...string) bool {
	return g.status == status && slices.Equal(g.items, items)
}

func (w world) user(id string) modelUser {
	for _, u := range w.users {
		if u.id == id {
			return u
		}
	}
	return modelUser{}
}

// replaced is the world with another state of a user.
func (w world) replaced(user modelUser) world {
	w.users = slices.Clone(w.users)
	for i := range w.users {
		if w.users[i].id == user.id {
			w.users[i] = user
		}
	}
	return w
}

func (w world) where(member func(modelUser) bool) []string {
	var found []string
	for _, u := range w.users {
		if member(u) {
			found = append(found, u.describe())
		}
	}
	return found
}

func (w world) taken(c refserver.Choices, name, except string) bool {
	return c.UniqueUserNames && slices.ContainsFunc(w.users, func(u modelUser) bool { return u.name == name && u.id != except })
}

func (w world) open(token, user string) world {
	w.sessions = maps.Clone(w.sessions)
	if w.sessions == nil {
		w.sessions = map[string]string{}
	}
	w.sessions[token] = user
	return w
}

// endSessions ends the user's sessions that are picked.
func (w world) endSessions(user string, pick func(token string) bool) world {
	w.sessions = maps.Clone(w.sessions)
	maps.DeleteFunc(w.sessions, func(token, of string) bool { return of == user && pick(token) })
	return w
}

func all(string) bool { return true }

func (w world) create(c refserver.Choices, in asked, out got) (bool, world) {
	if w.taken(c, in.name, "") {
		return out.status == 409, w
	}
	user := modelUser{id: out.id, name: in.name, first: in.first, password: in.password, social: in.social, loggedIn: in.more}
	newest := len(w.users) == 0 || before(w.users[len(w.users)-1].id, out.id)
	w.users = append(slices.Clone(w.users), user)
	if in.more {
		w = w.open(out.token, out.id)
	}
	return newest && out.is(201, user.describe()) && (out.token != "") == in.more, w
}

// before reports whether an id is the smaller number.
func before(a, b string) bool { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) < 0 }

func (w world) login(c refserver.Choices, in asked, out got) (bool, world) {
	matches := func(u modelUser) bool { return u.name == in.name && u.password == in.password }
	if !slices.ContainsFunc(w.users, matches) {
		return out.status == 401, w
	}
	user := w.user(out.id)
	if user.id == "" || !matches(user) {
		return false, w
	}
	user.loggedIn = true
	if c.SingleSession {
		w = w.endSessions(user.id, all)
	}
	shown := !in.more || slices.Equal(out.items, []string{user.describe()})
	return out.status == 200 && out.token != "" && shown, w.replaced(user).open(out.token, user.id)
}

func (w world) update(c refserver.Choices, id string, in asked, out got) (bool, world) {
	if w.taken(c, in.name, id) {
		return out.status == 409, w
	}
	user := w.user(id)
	newPassword := in.password != "" && in.password != user.password
	user.name, user.first = in.name, in.first
	if newPassword {
		user.password = in.password
	}
	if c.SessionsEnd == refserver.ByAnyUpdate || newPassword && c.SessionsEnd == refserver.ByPasswordChange {
		w = w.endSessions(id, all)
	}
	return out.is(201, user.describe()), w.replaced(user)
}

func (w world) purge(id string) world {
	w.users = slices.DeleteFunc(slices.Clone(w.users), func(u modelUser) bool { return u.id == id })
	w.events = slices.DeleteFunc(slices.Clone(w.events), func(e modelEvent) bool { return e.owner == id })
	w.edges = maps.Clone(w.edges)
	maps.DeleteFunc(w.edges, func(e modelEdge, _ bool) bool { return e.from == id || e.to == id })
	return w.endSessions(id, all)
}
