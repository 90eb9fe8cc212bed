package refserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver/store"
)

// createConnection is endpoint 9.
func (s *Server) createConnection(q *request) (reply, error) {
	f := s.fields(q)
	f.only([]string{"user_to_id", "type"}, []string{"user_from_id", "confirmed_at", "enabled", "created_at", "updated_at"})
	target := f.reference("user_to_id")
	typ := f.connectionType(s.choices.MissingType)
	if f.wrong != nil {
		return reply{}, f.wrong
	}
	to, known := s.userIDs.parse(target)
	switch {
	case !known:
		return reply{}, notFound("user")
	case to == q.user && !s.choices.AllowSelf:
		return reply{}, &problem{status: s.choices.RequiredStatus, code: codeSelf, message: "user_to_id is the user itself"}
	}
	var connection store.Connection
	var created bool
	err := s.act(q, func() (err error) {
		connection, created, err = s.store.Connect(q.app, q.user, to, typ)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	s.pushedOut.fill(reading{q.app, q.user})
	s.pushedOut.fill(reading{q.app, to})
	status := http.StatusCreated
	if !created {
		status = s.choices.DuplicateStatus
	}
	if status == http.StatusConflict {
		return reply{}, fmt.Errorf("the connection %w", store.ErrConflict)
	}
	return reply{status, s.connectionView(connection)}, nil
}

// endConnection is endpoint 10. The query ?type=follow or ?type=friend ends only
// that kind; without it every connection to the user ends.
func (s *Server) endConnection(q *request) (reply, error) {
	to, err := pathID(s.userIDs, "connection", q.PathValue("UserID"))
	if err != nil {
		return reply{}, err
	}
	types := []store.ConnectionType{store.Follow, store.Friend}
	if query := q.URL.Query(); query.Has("type") {
		typ := store.ConnectionType(query.Get("type"))
		if !isConnectionType(typ) {
			return reply{}, wrongType("type", "follow or friend")
		}
		types = []store.ConnectionType{typ}
	}
	return noContent(s.act(q, func() error { return s.store.Disconnect(q.app, q.user, to, types...) }))
}

// list is endpoints 11 to 16: a list of the session's user, or of the one in the path.
func (s *Server) list(members func(store.App, store.ID) ([]store.User, error)) handler {
	return func(q *request) (reply, error) {
		id := q.user
		if text := q.PathValue("UserID"); text != "" {
			var err error
			if id, err = pathID(s.userIDs, "user", text); err != nil {
				return reply{}, err
			}
		}
		users, err := members(q.app, id)
		users = firstOf(users, s.choices.ListLength)
		return reply{http.StatusOK, s.userList(users, q.user)}, err
	}
}

// reference reads the id of another resource, sent as a string or an integer.
func (f *fields) reference(name string) string {
	raw, sent := f.raw(name)
	if !sent {
		f.missing(name)
		return ""
	}
	if raw[0] == '"' {
		return f.requiredText(name)
	}
	var number json.Number
	err := json.Unmarshal(raw, &number)
	if err != nil || strings.ContainsAny(number.String(), ".eE") {
		f.fail(wrongType(f.within+name, "an id"))
	}
	return number.String()
}

// connectionType reads a type. A missing type is the fallback, or refused if there is none.
func (f *fields) connectionType(fallback store.ConnectionType) store.ConnectionType {
	text, sent := f.text("type")
	typ := store.ConnectionType(text)
	switch {
	case sent && !isConnectionType(typ):
		f.fail(wrongType("type", "follow or friend"))
	case !sent && fallback == "":
		f.missing("type")
	case !sent:
		return fallback
	}
	return typ
}

func isConnectionType(typ store.ConnectionType) bool {
	return typ == store.Follow || typ == store.Friend
}
