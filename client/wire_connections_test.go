package client

import "context"

func connectionCases() []wireCase {
	connect := func(to ID, kind ConnectionType) func(context.Context, *Client, *Session) (any, error) {
		return func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.Connect(ctx, to, kind) }
	}
	return []wireCase{
		{
			endpoint: 9, name: "follow, id a number beyond 2^53", method: "POST", uri: "/0.2/user/connections", auth: sessionAuth,
			call: connect(NumberID(9007199254740993), Follow), sent: `{"user_to_id":9007199254740993,"type":"follow"}`,
			answer: answer{status: 201, body: `{"user_from_id":"7","user_to_id":9007199254740993,"type":"follow","enabled":true,
				"created_at":"2014-05-01T10:00:00Z","updated_at":"2014-05-01T10:00:00Z"}`},
			want: &Connection{UserFromID: ParseID("7"), UserToID: NumberID(9007199254740993), Type: Follow, Enabled: true,
				CreatedAt: at("2014-05-01T10:00:00Z"), UpdatedAt: at("2014-05-01T10:00:00Z")},
		},
		{
			endpoint: 9, name: "friend, id a digit string", method: "POST", uri: "/0.2/user/connections", auth: sessionAuth,
			call: connect(ParseID("0042"), Friend), sent: `{"user_to_id":"0042","type":"friend"}`,
			answer: answer{status: 201, body: `{"user_to_id":"0042","type":"friend","confirmed_at":"2014-05-01T10:00:00Z"}`},
			want:   &Connection{UserToID: ParseID("0042"), Type: Friend, ConfirmedAt: new(at("2014-05-01T10:00:00Z"))},
		},
		{
			endpoint: 10, name: "disconnect", method: "DELETE", uri: "/0.2/user/connections/9007199254740993", auth: sessionAuth,
			call: func(ctx context.Context, _ *Client, s *Session) (any, error) {
				return nil, s.Disconnect(ctx, NumberID(9007199254740993))
			},
			answer: answer{status: 204},
		},
		socialCase(SocialConnections{Platform: "net", Type: Friend, PlatformUserID: "n-1", ConnectionIDs: []string{"n-2", "n-3"}},
			`{"platform":"net","type":"friend","platform_user_id":"n-1","connection_ids":["n-2","n-3"]}`),
		socialCase(SocialConnections{Platform: "net", Type: Follow, PlatformUserID: "n-1"},
			`{"platform":"net","type":"follow","platform_user_id":"n-1","connection_ids":[]}`),
	}
}

func socialCase(with SocialConnections, sent string) wireCase {
	return wireCase{
		endpoint: 17, name: string(with.Type), method: "POST", uri: "/0.2/user/connections/social", auth: sessionAuth, sent: sent,
		call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return nil, s.ConnectSocial(ctx, with) },
		answer: answer{status: 201, body: `{}`},
	}
}

func listCases() []wireCase {
	uuid := ParseID("0d9c1a2e-6f3b-4f5e-9c0d-1b2a3c4d5e6f")
	of := func(list func(*Session, context.Context, ID) ([]User, error)) func(*Session, context.Context) ([]User, error) {
		return func(s *Session, ctx context.Context) ([]User, error) { return list(s, ctx, uuid) }
	}
	lists := []struct {
		endpoint int
		uri      string
		list     func(*Session, context.Context) ([]User, error)
	}{
		{11, "/0.2/user/follows", (*Session).Follows},
		{12, "/0.2/user/followers", (*Session).Followers},
		{13, "/0.2/user/friends", (*Session).Friends},
		{14, "/0.2/users/" + uuid.String() + "/follows", of((*Session).FollowsOf)},
		{15, "/0.2/users/" + uuid.String() + "/followers", of((*Session).FollowersOf)},
		{16, "/0.2/users/" + uuid.String() + "/friends", of((*Session).FriendsOf)},
	}
	var cases []wireCase
	for _, l := range lists {
		some := wireCase{
			endpoint: l.endpoint, name: "some", method: "GET", uri: l.uri, auth: sessionAuth,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return l.list(s, ctx) },
			answer: answer{status: 200, body: "[" + adaJSON + "]"}, want: []User{ada()},
		}
		none := some
		none.name, none.answer.body, none.want = "none", "[]", []User{}
		cases = append(cases, some, none)
	}
	return cases
}
