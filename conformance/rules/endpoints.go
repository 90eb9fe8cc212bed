package rules

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Endpoint is one of the 22 endpoints of the contract's part Endpoints, by its
// number there. NoEndpoint is the endpoint of checks that belong to none of them.
type Endpoint int

// The endpoints, numbered as in the contract.
const (
	NoEndpoint Endpoint = iota
	CreateUser
	Login
	Logout
	GetMe
	UpdateMe
	DeleteMe
	GetUser
	SearchUsers
	CreateConnection
	DeleteConnection
	MyFollows
	MyFollowers
	MyFriends
	FollowsOf
	FollowersOf
	FriendsOf
	ConnectSocial
	CreateEvent
	UpdateEvent
	DeleteEvent
	Feed
	Versions
)

// Caller says which credentials an endpoint needs (the contract's part Authentication).
type Caller int

// The callers.
const (
	AnyCaller   Caller = iota // left open by the contract: versions
	Application               // an app token with an empty password
	SessionUser               // both tokens
)

// AnswerShape is the content of a successful answer.
type AnswerShape struct {
	Resource Resource // NoResource for an empty body or object
	List     bool     // of such resources
}

// route is the row of an endpoint in the contract's table Endpoints, with the rule that
// blocks dependent checks.
type route struct {
	method, path string
	caller       Caller
	success      int
	answer       AnswerShape
	blockingRule string // the rule that a target breaks when the endpoint does not succeed at all
}

func (e Endpoint) route() route {
	if e < NoEndpoint || e > Versions { // a report from elsewhere may have any number
		return route{}
	}
	return [...]route{
		NoEndpoint:       {},
		CreateUser:       {http.MethodPost, "/0.2/users", Application, http.StatusCreated, AnswerShape{User, false}, "users.create.status"},
		Login:            {http.MethodPost, "/0.2/user/login", Application, http.StatusOK, AnswerShape{Session, false}, "sessions.login.user-name"},
		Logout:           {http.MethodDelete, "/0.2/user/logout", SessionUser, http.StatusNoContent, AnswerShape{}, "sessions.logout.status"},
		GetMe:            {http.MethodGet, "/0.2/user", SessionUser, http.StatusOK, AnswerShape{User, false}, "users.me.get"},
		UpdateMe:         {http.MethodPut, "/0.2/user", SessionUser, http.StatusCreated, AnswerShape{User, false}, "users.me.update.status"},
		DeleteMe:         {http.MethodDelete, "/0.2/user", SessionUser, http.StatusNoContent, AnswerShape{}, "users.me.delete.status"},
		GetUser:          {http.MethodGet, "/0.2/users/{UserID}", SessionUser, http.StatusOK, AnswerShape{User, false}, "users.get.other"},
		SearchUsers:      {http.MethodGet, "/0.2/users/search", SessionUser, http.StatusOK, AnswerShape{User, true}, "search.status"},
		CreateConnection: {http.MethodPost, "/0.2/user/connections", SessionUser, http.StatusCreated, AnswerShape{Connection, false}, "connections.create.follow"},
		DeleteConnection: {http.MethodDelete, "/0.2/user/connections/{UserID}", SessionUser, http.StatusNoContent, AnswerShape{}, "connections.delete.status"},
		MyFollows:        {http.MethodGet, "/0.2/user/follows", SessionUser, http.StatusOK, AnswerShape{User, true}, "connections.lists.follows"},
		MyFollowers:      {http.MethodGet, "/0.2/user/followers", SessionUser, http.StatusOK, AnswerShape{User, true}, "connections.lists.followers"},
		MyFriends:        {http.MethodGet, "/0.2/user/friends", SessionUser, http.StatusOK, AnswerShape{User, true}, "connections.lists.friends"},
		FollowsOf:        {http.MethodGet, "/0.2/users/{UserID}/follows", SessionUser, http.StatusOK, AnswerShape{User, true}, "connections.lists.of-user"},
		FollowersOf:      {http.MethodGet, "/0.2/users/{UserID}/followers", SessionUser, http.StatusOK, AnswerShape{User, true}, "connections.lists.of-user"},
		FriendsOf:        {http.MethodGet, "/0.2/users/{UserID}/friends", SessionUser, http.StatusOK, AnswerShape{User, true}, "connections.lists.of-user"},
		ConnectSocial:    {http.MethodPost, "/0.2/user/connections/social", SessionUser, http.StatusCreated, AnswerShape{}, "social.status"},
		CreateEvent:      {http.MethodPost, "/0.2/user/events", SessionUser, http.StatusCreated, AnswerShape{Event, false}, "events.create.status"},
		UpdateEvent:      {http.MethodPut, "/0.2/user/events/{EventID}", SessionUser, http.StatusOK, AnswerShape{Event, false}, "events.update.status"},
		DeleteEvent:      {http.MethodDelete, "/0.2/user/events/{EventID}", SessionUser, http.StatusNoContent, AnswerShape{}, "events.delete.status"},
		Feed:             {http.MethodGet, "/0.2/user/feed", SessionUser, http.StatusOK, AnswerShape{Event, true}, "feed.status"},
		Versions:         {http.MethodGet, "/versions", AnyCaller, http.StatusOK, AnswerShape{Version, true}, "versions.status"},
	}[e]
}

// Endpoints lists all of them, in the contract's order.
func Endpoints() []Endpoint {
	all := make([]Endpoint, 0, Versions)
	for e := CreateUser; e <= Versions; e++ {
		all = append(all, e)
	}
	return all
}

// Method is the endpoint's HTTP method.
func (e Endpoint) Method() string { return e.route().method }

// Path is the endpoint's path with its parameters in braces, relative to the base URL.
func (e Endpoint) Path() string { return e.route().path }

// Caller says which credentials the endpoint needs.
func (e Endpoint) Caller() Caller { return e.route().caller }

// EndsSession reports whether a successful request ends the session that it is sent in.
func (e Endpoint) EndsSession() bool { return e == Logout || e == DeleteMe }

// ChangesLogin reports whether a successful request may change its sender's credentials.
func (e Endpoint) ChangesLogin() bool { return e == UpdateMe }

// Success is the status of a successful answer.
func (e Endpoint) Success() int { return e.route().success }

// Answer is the content of a successful answer. A login with details answers a user.
func (e Endpoint) Answer() AnswerShape { return e.route().answer }

// BlockingRule is the rule that stands for the endpoint working at all: whatever needs
// the endpoint is blocked by it.
func (e Endpoint) BlockingRule() string { return e.route().blockingRule }

// BuildsOn are the endpoints without which there is nothing for this one to work on.
func (e Endpoint) BuildsOn() []Endpoint {
	switch {
	case e == CreateUser, e == Versions:
		return nil
	case e == DeleteConnection, e.ListsConnections():
		return []Endpoint{CreateUser, CreateConnection}
	case e == UpdateEvent, e == DeleteEvent:
		return []Endpoint{CreateUser, CreateEvent}
	case e == Feed:
		return []Endpoint{CreateUser, CreateConnection, CreateEvent}
	}
	return []Endpoint{CreateUser}
}

// OwnLists are the three that list the connections of the session's user.
func OwnLists() [3]Endpoint { return [3]Endpoint{MyFollows, MyFollowers, MyFriends} }

// ListsOfUser are the three that list the connections of any user, in the order of OwnLists.
func ListsOfUser() [3]Endpoint { return [3]Endpoint{FollowsOf, FollowersOf, FriendsOf} }

// ListsConnections reports whether the endpoint is one of the six lists of connections.
func (e Endpoint) ListsConnections() bool { return e.OwnList() != NoEndpoint }

// OwnList returns the list of the session's user that holds the same kind of connections as this
// list: MyFollows for FollowsOf and for itself. It is NoEndpoint if e is not a list of connections.
func (e Endpoint) OwnList() Endpoint {
	for i, list := range OwnLists() {
		if e == list || e == ListsOfUser()[i] {
			return list
		}
	}
	return NoEndpoint
}

// ListsUsers reports whether the endpoint answers a list of users.
func (e Endpoint) ListsUsers() bool { return e.Answer() == AnswerShape{User, true} }

// String is the method and the path, "" for NoEndpoint and other numbers without an endpoint.
func (e Endpoint) String() string {
	return strings.TrimSpace(e.Method() + " " + e.Path())
}

// Expand replaces the path's parameters, in order, by the escaped ids.
func (e Endpoint) Expand(ids ...string) string {
	path := e.Path()
	for _, id := range ids {
		open, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		if open < 0 {
			break
		}
		path = path[:open] + url.PathEscape(id) + path[end+1:]
	}
	return path
}

// EndpointOf finds the endpoint that a method and a path (below the base URL)
// address, NoEndpoint if there is none. Literal segments win over parameters. An escaped letter
// of a segment stands for the letter.
func EndpointOf(method, path string) Endpoint {
	found := NoEndpoint
	for _, e := range Endpoints() {
		r := e.route()
		if r.method != method {
			continue
		}
		if r.path == path || strings.Contains(path, "%") && !strings.Contains(r.path, "{") && matchesTemplate(r.path, path) {
			return e
		}
		if matchesTemplate(r.path, path) {
			found = e
		}
	}
	return found
}

func matchesTemplate(template, path string) bool {
	for {
		part, rest, more := strings.Cut(template, "/")
		segment, beyond, longer := strings.Cut(path, "/")
		if unescaped, err := url.PathUnescape(segment); err == nil && !strings.Contains(unescaped, "/") {
			segment = unescaped
		}
		if more != longer || part != segment && (!strings.HasPrefix(part, "{") || segment == "") {
			return false
		}
		if !more {
			return true
		}
		template, path = rest, beyond
	}
}

// ParseEndpoint reads an endpoint's number as a person writes it: 7 or #7.
func ParseEndpoint(text string) (Endpoint, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(text, "#"))
	if err != nil || n < int(CreateUser) || n > int(Versions) {
		return NoEndpoint, false
	}
	return Endpoint(n), true
}
