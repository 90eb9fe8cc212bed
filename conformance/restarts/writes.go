package restarts

import "net/http"

const (
	users  = "/0.2/users"
	login  = "/0.2/user/login"
	logout = "/0.2/user/logout"
	me     = "/0.2/user"
	mine   = "/0.2/user/events"
	links  = "/0.2/user/connections"
	feed   = "/0.2/user/feed"
)

// rule is the rule of the catalogue that an operation rests on.
func (k Kind) rule() string {
	return map[Kind]string{
		Create: "sessions.create-with-login", Login: "sessions.login.user-name", Logout: "sessions.logout.status", Update: "users.me.update.status",
		Delete: "users.me.delete.status", Follow: "connections.create.follow", Unfollow: "connections.delete.status",
		Post: "events.create.status", Edit: "events.update.status", Remove: "events.delete.status",
	}[k]
}

// requestOf is the request that makes a write.
func (p *player) requestOf(w write) request {
	u := p.known.users[w.user]
	switch w.kind {
	case Create:
		return createUser(u, w.value)
	case Login:
		return logInAs(u)
	case Logout:
		return request{method: http.MethodDelete, path: logout, token: w.session}
	case Update:
		return request{method: http.MethodPut, path: me, as: w.user, body: fieldsOfUser(u, w.value)}
	case Delete:
		return request{method: http.MethodDelete, path: me, as: w.user}
	case Follow:
		return request{method: http.MethodPost, path: links, as: w.user, to: w.other, body: map[string]any{}}
	case Unfollow:
		return request{method: http.MethodDelete, path: links + "/", id: &ref{number: w.other}, as: w.user}
	case Post:
		return request{method: http.MethodPost, path: mine, as: w.user, body: fieldsOfEvent(p.known.events[w.event], w.value)}
	case Edit:
		return request{method: http.MethodPut, path: mine + "/", id: &ref{true, w.event}, as: w.user, body: fieldsOfEvent(p.known.events[w.event], w.value)}
	default: // Remove
		return request{method: http.MethodDelete, path: mine + "/", id: &ref{true, w.event}, as: w.user}
	}
}

// fieldsOfUser hold the value twice: a user who is half changed shows it.
func fieldsOfUser(u *user, value string) map[string]any {
	return map[string]any{"user_name": u.name, "password": u.password, "email": u.name + "@example.com", "first_name": value, "metadata": map[string]string{"again": value}}
}

func fieldsOfEvent(e *posted, value string) map[string]any {
	return map[string]any{"verb": "like", "location": value, "metadata": map[string]string{"again": value}, "object": map[string]any{"id": e.marker, "type": "thing"}}
}

// valueOf is what the two fields of a user or an event hold, both where they differ.
func valueOf(record map[string]any, field string) string {
	metadata, _ := record["metadata"].(map[string]any)
	one, other := text(record[field]), text(metadata["again"])
	if one == other {
		return one
	}
	return field + " " + one + " and metadata " + other
}

func logInAs(u *user) request {
	return request{method: http.MethodPost, path: login, body: map[string]any{"user_name": u.name, "password": u.password}}
}

// createUser is the creation of a user with a session.
func createUser(u *user, value string) request {
	return request{method: http.MethodPost, path: users + "?withLogin=true", body: fieldsOfUser(u, value)}
}
