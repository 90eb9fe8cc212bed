package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
)

// Session is a logged-in user: what needs both tokens (Authentication, item 3)
// is a method of Session. It is safe for concurrent use, and never prints its token.
type Session struct {
	client *Client
	userID ID
	token  secret
}

// Session resumes a session from its stored token. It sends nothing, and the
// session's UserID is zero.
func (c *Client) Session(token string) *Session {
	return &Session{client: c, token: hide(token)}
}

// UserID is the id of the user who logged in, in the form of the login's answer. It is
// zero in a resumed session, whose user Me returns.
func (s *Session) UserID() ID { return s.userID }

// Token is the session token. It must be kept secret (Authentication, item 6).
func (s *Session) Token() string { return s.token() }

// String names the session without its token.
func (s *Session) String() string { return fmt.Sprintf("client.Session{UserID:%q}", s.userID) }

// GoString is String.
func (s *Session) GoString() string { return s.String() }

// LogValue is String.
func (s *Session) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Credentials are for a login: the password, and a user name or an email (Endpoints, #2).
type Credentials struct {
	UserName string `json:"user_name,omitempty"`
	Email    string `json:"email,omitempty"`
	// Password is sent with a login, but no printing, logging or encoding of the
	// credentials shows it.
	Password string `json:"-"`
}

func (c Credentials) wire() any {
	type plain Credentials
	return struct {
		plain
		Password string `json:"password"`
	}{plain(c), c.Password}
}

// Format prints the credentials without the password, whatever the verb.
func (c Credentials) Format(s fmt.State, verb rune) {
	type plain Credentials
	c.Password = redacted(c.Password)
	fmt.Fprintf(s, fmt.FormatString(s, verb), plain(c))
}

// LogValue is the credentials without the password.
func (c Credentials) LogValue() slog.Value { return slog.StringValue(fmt.Sprintf("%+v", c)) }

// Login starts a session (Endpoints, #2).
func (c *Client) Login(ctx context.Context, with Credentials) (*Session, error) {
	var answer loginAnswer
	err := c.Do(ctx, Request{Method: http.MethodPost, Path: "/0.2/user/login", Body: with}, &answer)
	if err != nil {
		return nil, err
	}
	return &Session{client: c, userID: answer.ID, token: hide(answer.Token)}, nil
}

// LoginWithDetails starts a session and returns its user (Endpoints, #2, with
// withUserDetails=true).
func (c *Client) LoginWithDetails(ctx context.Context, with Credentials) (*User, *Session, error) {
	return c.begin(ctx, Request{
		Method: http.MethodPost, Path: "/0.2/user/login",
		Query: url.Values{"withUserDetails": {"true"}}, Body: with,
	})
}

// CreateUserWithLogin registers a user and starts a session (Endpoints, #1,
// with withLogin=true).
func (c *Client) CreateUserWithLogin(ctx context.Context, f UserFields) (*User, *Session, error) {
	return c.begin(ctx, Request{
		Method: http.MethodPost, Path: "/0.2/users",
		Query: url.Values{"withLogin": {"true"}}, Body: f,
	})
}

// Logout destroys the session's token (Endpoints, #3).
func (s *Session) Logout(ctx context.Context) error {
	return s.Do(ctx, Request{Method: http.MethodDelete, Path: "/0.2/user/logout"}, nil)
}

// begin sends r, whose answer is a user and a session token in one object.
func (c *Client) begin(ctx context.Context, r Request) (*User, *Session, error) {
	answer, err := one[userAnswer](ctx, c.Do, r)
	if err != nil {
		return nil, nil, err
	}
	return &answer.user, &Session{client: c, userID: answer.login.ID, token: hide(answer.login.Token)}, nil
}

type loginAnswer struct {
	ID    ID     `json:"id"`
	Token string `json:"session_token"`
}

func (a *loginAnswer) UnmarshalJSON(data []byte) error {
	type plain loginAnswer
	if err := json.Unmarshal(data, (*plain)(a)); err != nil {
		return err
	}
	if a.ID.IsZero() || a.Token == "" {
		return errors.New("a login without an id or a session token")
	}
	return nil
}

type userAnswer struct {
	user  User
	login loginAnswer
}

func (a *userAnswer) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &a.user); err != nil {
		return err
	}
	return json.Unmarshal(data, &a.login)
}
