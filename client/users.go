package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// User is a user as the service returns it (Resources and their fields, User).
// Fields that a response leaves out are zero.
type User struct {
	ID        ID                `json:"id"`
	CustomID  string            `json:"custom_id,omitempty"`
	SocialIDs map[string]string `json:"social_ids,omitempty"` // by network
	UserName  string            `json:"user_name,omitempty"`
	FirstName string            `json:"first_name,omitempty"`
	LastName  string            `json:"last_name,omitempty"`
	Email     string            `json:"email,omitempty"`
	URL       string            `json:"url,omitempty"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	Activated *bool             `json:"activated,omitempty"` // nil where the response does not say
	Enabled   bool              `json:"enabled,omitempty"`
	LastLogin *time.Time        `json:"last_login,omitempty"` // see NeverLoggedIn
	Images    []Image           `json:"image,omitempty"`
	CreatedAt time.Time         `json:"created_at,omitzero"`
	UpdatedAt time.Time         `json:"updated_at,omitzero"`
}

// Image is a picture of a user.
type Image struct {
	URL string `json:"url"`
}

// NeverLoggedIn reports whether LastLogin is missing or the contract's zero
// value, 0000-01-01T00:00:00Z.
func (u *User) NeverLoggedIn() bool { return u.LastLogin == nil || u.LastLogin.Year() <= 1 }

// UnmarshalJSON decodes a User, which must have an id.
func (u *User) UnmarshalJSON(data []byte) error {
	type plain User
	shape := struct {
		*plain
		LastLogin *timestamp `json:"last_login"`
		CreatedAt timestamp  `json:"created_at"`
		UpdatedAt timestamp  `json:"updated_at"`
	}{plain: (*plain)(u)}
	if err := json.Unmarshal(data, &shape); err != nil {
		return err
	}
	if u.ID.IsZero() {
		return errors.New("a user without an id")
	}
	u.LastLogin = (*time.Time)(shape.LastLogin)
	u.CreatedAt, u.UpdatedAt = time.Time(shape.CreatedAt), time.Time(shape.UpdatedAt)
	return nil
}

// UserFields are the fields of a user that an application sets (Endpoints, #1
// and #5). UserName is required. Empty fields are not sent; a map that is
// empty, not nil, is.
type UserFields struct {
	UserName string `json:"user_name,omitempty"`
	// Password is sent with the other fields, but no printing, logging or
	// encoding of them shows it. HashPassword makes one.
	Password  string            `json:"-"`
	Email     string            `json:"email,omitempty"`
	CustomID  string            `json:"custom_id,omitempty"`
	SocialIDs map[string]string `json:"social_ids,omitzero"` // by network
	FirstName string            `json:"first_name,omitempty"`
	LastName  string            `json:"last_name,omitempty"`
	URL       string            `json:"url,omitempty"`
	Metadata  map[string]string `json:"metadata,omitzero"`          // see the contract's Limits, item 3
	Activated *bool             `json:"activated,omitempty,string"` // sent as a string (Endpoint rules, item 1)
}

func (f UserFields) wire() any {
	type plain UserFields
	return struct {
		plain
		Password string `json:"password,omitempty"`
	}{plain(f), f.Password}
}

// Format prints the fields without the password, whatever the verb.
func (f UserFields) Format(s fmt.State, verb rune) {
	type plain UserFields
	f.Password = redacted(f.Password)
	fmt.Fprintf(s, fmt.FormatString(s, verb), plain(f))
}

// LogValue is the fields without the password.
func (f UserFields) LogValue() slog.Value { return slog.StringValue(fmt.Sprintf("%+v", f)) }

// CreateUser registers a user (Endpoints, #1).
func (c *Client) CreateUser(ctx context.Context, f UserFields) (*User, error) {
	return one[User](ctx, c.Do, Request{Method: http.MethodPost, Path: "/0.2/users", Body: f})
}

// Me returns the session's user (Endpoints, #4).
func (s *Session) Me(ctx context.Context) (*User, error) {
	return one[User](ctx, s.Do, Request{Method: http.MethodGet, Path: "/0.2/user"})
}

// UpdateMe changes the session's user (Endpoints, #5). The contract does not
// say whether fields that are not sent are kept or cleared.
func (s *Session) UpdateMe(ctx context.Context, f UserFields) (*User, error) {
	return one[User](ctx, s.Do, Request{Method: http.MethodPut, Path: "/0.2/user", Body: f})
}

// DeleteMe deletes the session's user, and with it the user's events from the
// feeds of connected users (Endpoints, #6).
func (s *Session) DeleteMe(ctx context.Context) error {
	return s.Do(ctx, Request{Method: http.MethodDelete, Path: "/0.2/user"}, nil)
}

// User returns any user (Endpoints, #7).
func (s *Session) User(ctx context.Context, id ID) (*User, error) {
	return one[User](ctx, s.Do, Request{Method: http.MethodGet, Path: "/0.2/users/" + id.segment()})
}

// Search returns the users whose user name, first name, last name or email
// holds term, in either case (Endpoints, #8; Endpoint rules, item 2).
func (s *Session) Search(ctx context.Context, term string) ([]User, error) {
	query := url.Values{"q": {term}}
	return many[User](ctx, s.Do, Request{Method: http.MethodGet, Path: "/0.2/users/search", Query: query})
}
