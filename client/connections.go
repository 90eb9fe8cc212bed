package client

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// ConnectionType is the kind of a connection.
type ConnectionType string

const (
	Friend ConnectionType = "friend"
	Follow ConnectionType = "follow"
)

// Connection goes from one user to another (Resources and their fields, Connection).
type Connection struct {
	UserFromID  ID             `json:"user_from_id,omitzero"`
	UserToID    ID             `json:"user_to_id,omitzero"`
	Type        ConnectionType `json:"type,omitempty"`
	ConfirmedAt *time.Time     `json:"confirmed_at,omitempty"` // friends only
	Enabled     bool           `json:"enabled,omitempty"`
	CreatedAt   time.Time      `json:"created_at,omitzero"`
	UpdatedAt   time.Time      `json:"updated_at,omitzero"`
}

// UnmarshalJSON decodes a Connection.
func (c *Connection) UnmarshalJSON(data []byte) error {
	type plain Connection
	shape := struct {
		*plain
		ConfirmedAt *timestamp `json:"confirmed_at"`
		CreatedAt   timestamp  `json:"created_at"`
		UpdatedAt   timestamp  `json:"updated_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(data, &shape); err != nil {
		return err
	}
	c.ConfirmedAt = (*time.Time)(shape.ConfirmedAt)
	c.CreatedAt, c.UpdatedAt = time.Time(shape.CreatedAt), time.Time(shape.UpdatedAt)
	return nil
}

// Connect connects the session's user to another (Endpoints, #9). The id is
// sent in the form in which the service issued it.
func (s *Session) Connect(ctx context.Context, to ID, t ConnectionType) (*Connection, error) {
	body := struct {
		To   ID             `json:"user_to_id"`
		Type ConnectionType `json:"type,omitempty"`
	}{to, t}
	return one[Connection](ctx, s.Do, Request{Method: http.MethodPost, Path: "/0.2/user/connections", Body: body})
}

// Disconnect deletes the connection to another user (Endpoints, #10).
func (s *Session) Disconnect(ctx context.Context, to ID) error {
	return s.Do(ctx, Request{Method: http.MethodDelete, Path: "/0.2/user/connections/" + to.segment()}, nil)
}

// Follows returns the users that the session's user follows (Endpoints, #11).
func (s *Session) Follows(ctx context.Context) ([]User, error) {
	return s.users(ctx, "/0.2/user/follows")
}

// Followers returns the users who follow the session's user (Endpoints, #12).
func (s *Session) Followers(ctx context.Context) ([]User, error) {
	return s.users(ctx, "/0.2/user/followers")
}

// Friends returns the friends of the session's user (Endpoints, #13).
func (s *Session) Friends(ctx context.Context) ([]User, error) {
	return s.users(ctx, "/0.2/user/friends")
}

// FollowsOf returns the users that a user follows (Endpoints, #14).
func (s *Session) FollowsOf(ctx context.Context, id ID) ([]User, error) {
	return s.users(ctx, "/0.2/users/"+id.segment()+"/follows")
}

// FollowersOf returns the users who follow a user (Endpoints, #15).
func (s *Session) FollowersOf(ctx context.Context, id ID) ([]User, error) {
	return s.users(ctx, "/0.2/users/"+id.segment()+"/followers")
}

// FriendsOf returns the friends of a user (Endpoints, #16).
func (s *Session) FriendsOf(ctx context.Context, id ID) ([]User, error) {
	return s.users(ctx, "/0.2/users/"+id.segment()+"/friends")
}

func (s *Session) users(ctx context.Context, path string) ([]User, error) {
	return many[User](ctx, s.Do, Request{Method: http.MethodGet, Path: path})
}
