package client

import "context"

const adaJSON = `{"id":9007199254740993,"custom_id":"c-1","social_ids":{"net":"n-1"},"user_name":"ada",
	"first_name":"Ada","last_name":"L","email":"ada@example.com","url":"app://ada","metadata":{"k":"v"},
	"activated":false,"enabled":true,"last_login":"0000-01-01T00:00:00Z","image":[{"url":"https://example.com/a.png"}],
	"created_at":"2014-05-01T10:00:00.25+02:00","updated_at":"2014-05-02T10:00:00Z","later":{"field":[1]}}`

func ada() User {
	return User{
		ID: NumberID(9007199254740993), CustomID: "c-1", SocialIDs: map[string]string{"net": "n-1"}, UserName: "ada",
		FirstName: "Ada", LastName: "L", Email: "ada@example.com", URL: "app://ada", Metadata: map[string]string{"k": "v"},
		Activated: new(false), Enabled: true, LastLogin: new(at("0000-01-01T00:00:00Z")),
		Images:    []Image{{URL: "https://example.com/a.png"}},
		CreatedAt: at("2014-05-01T08:00:00.25Z"), UpdatedAt: at("2014-05-02T10:00:00Z"),
	}
}

const adaFieldsJSON = `{"user_name":"ada","password":"pass\"word<51>","email":"ada@example.com","custom_id":"c-1",
	"social_ids":{"net":"n-1"},"first_name":"Ada","last_name":"L","url":"app://ada","metadata":{"k":"v"},"activated":"true"}`

func adaFields() UserFields {
	return UserFields{
		UserName: "ada", Password: testPassword, Email: "ada@example.com", CustomID: "c-1",
		SocialIDs: map[string]string{"net": "n-1"}, FirstName: "Ada", LastName: "L", URL: "app://ada",
		Metadata: map[string]string{"k": "v"}, Activated: new(true),
	}
}

func userCases() []wireCase {
	all, got := adaFields(), ada()
	return []wireCase{
		{
			endpoint: 1, name: "create with every field", method: "POST", uri: "/0.2/users", auth: appAuth, sent: adaFieldsJSON,
			call:   func(ctx context.Context, c *Client, _ *Session) (any, error) { return c.CreateUser(ctx, all) },
			answer: answer{status: 201, body: adaJSON}, want: &got,
		},
		{
			endpoint: 1, name: "create with the least, and an empty map", method: "POST", uri: "/0.2/users", auth: appAuth,
			sent: `{"user_name":"b","metadata":{}}`,
			call: func(ctx context.Context, c *Client, _ *Session) (any, error) {
				return c.CreateUser(ctx, UserFields{UserName: "b", Metadata: map[string]string{}})
			},
			answer: answer{status: 200, body: `{"id":"u-1"}`}, want: &User{ID: ParseID("u-1")},
		},
		{
			endpoint: 4, name: "me", method: "GET", uri: "/0.2/user", auth: sessionAuth,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.Me(ctx) },
			answer: answer{status: 200, body: adaJSON}, want: &got,
		},
		{
			endpoint: 5, name: "update", method: "PUT", uri: "/0.2/user", auth: sessionAuth, sent: adaFieldsJSON,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.UpdateMe(ctx, all) },
			answer: answer{status: 201, body: adaJSON}, want: &got,
		},
		{
			endpoint: 6, name: "delete", method: "DELETE", uri: "/0.2/user", auth: sessionAuth,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return nil, s.DeleteMe(ctx) },
			answer: answer{status: 204},
		},
		{
			endpoint: 7, name: "get", method: "GET", uri: "/0.2/users/a%2Fb%3Fc%20%C3%A9", auth: sessionAuth,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.User(ctx, ParseID("a/b?c é")) },
			answer: answer{status: 200, body: adaJSON}, want: &got,
		},
		{
			endpoint: 8, name: "search", method: "GET", uri: "/0.2/users/search?q=a%26b+%C3%A9%25", auth: sessionAuth,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.Search(ctx, "a&b é%") },
			answer: answer{status: 200, body: "[" + adaJSON + `,{"id":"u-2"}]`}, want: []User{ada(), {ID: ParseID("u-2")}},
		},
	}
}

// begun is what a call that begins a session returned.
type begun struct {
	user      *User
	id, token string
}

func begin(u *User, s *Session, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return begun{u, s.UserID().String(), s.Token()}, nil
}

func sessionCases() []wireCase {
	byName := Credentials{UserName: "ada", Password: testPassword}
	const details = `{"id":"12","user_name":"ada","session_token":"fresh"}`
	user := &User{ID: ParseID("12"), UserName: "ada"}
	return []wireCase{
		{
			endpoint: 1, name: "create with login", method: "POST", uri: "/0.2/users?withLogin=true", auth: appAuth,
			sent: `{"user_name":"ada","password":"pass\"word<51>"}`,
			call: func(ctx context.Context, c *Client, _ *Session) (any, error) {
				return begin(c.CreateUserWithLogin(ctx, UserFields{UserName: "ada", Password: testPassword}))
			},
			answer: answer{status: 201, body: details}, want: begun{user, "12", "fresh"},
		},
		{
			endpoint: 2, name: "by email", method: "POST", uri: "/0.2/user/login", auth: appAuth,
			sent: `{"email":"ada@example.com","password":"pass\"word<51>"}`,
			call: func(ctx context.Context, c *Client, _ *Session) (any, error) {
				s, err := c.Login(ctx, Credentials{Email: "ada@example.com", Password: testPassword})
				return begin(nil, s, err)
			},
			answer: answer{status: 200, body: `{"id":"12","session_token":"fresh"}`}, want: begun{nil, "12", "fresh"},
		},
		{
			endpoint: 2, name: "with details", method: "POST", uri: "/0.2/user/login?withUserDetails=true", auth: appAuth,
			sent: `{"user_name":"ada","password":"pass\"word<51>"}`,
			call: func(ctx context.Context, c *Client, _ *Session) (any, error) {
				return begin(c.LoginWithDetails(ctx, byName))
			},
			answer: answer{status: 200, body: details}, want: begun{user, "12", "fresh"},
		},
		{
			endpoint: 3, name: "logout", method: "DELETE", uri: "/0.2/user/logout", auth: sessionAuth,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return nil, s.Logout(ctx) },
			answer: answer{status: 204},
		},
	}
}
