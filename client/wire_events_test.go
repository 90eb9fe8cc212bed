package client

import "context"

const likeJSON = `{"id":"e-1","user_id":9007199254740993,"verb":"like","language":"de","priority":"high","location":"Berlin",
	"latitude":0,"longitude":-1e-9,"metadata":{"k":"v"},
	"object":{"id":"song-1","type":"song","url":"app://song-1","display_name":{"en":"Song"}},
	"enabled":true,"created_at":"2014-05-01T10:00:00Z","updated_at":"2014-05-01T10:00:00Z"}`

func song() *Object {
	return &Object{ID: "song-1", Type: "song", URL: "app://song-1", DisplayName: map[string]string{"en": "Song"}}
}

func like() Event {
	return Event{
		ID: ParseID("e-1"), UserID: NumberID(9007199254740993), Verb: "like", Language: "de", Priority: "high", Location: "Berlin",
		Latitude: new(0.0), Longitude: new(-1e-9), Metadata: map[string]string{"k": "v"}, Object: song(),
		Enabled: true, CreatedAt: at("2014-05-01T10:00:00Z"), UpdatedAt: at("2014-05-01T10:00:00Z"),
	}
}

func eventCases() []wireCase {
	all := EventFields{
		Verb: "like", Language: "de", Priority: "high", Location: "Berlin", Latitude: new(0.0), Longitude: new(-1e-9),
		Metadata: map[string]string{"k": "v"}, Object: song(),
	}
	got := like()
	return []wireCase{
		{
			endpoint: 18, name: "create with every field, latitude 0", method: "POST", uri: "/0.2/user/events", auth: sessionAuth,
			sent: `{"verb":"like","language":"de","priority":"high","location":"Berlin","latitude":0,"longitude":-1e-9,"metadata":{"k":"v"},
				"object":{"id":"song-1","type":"song","url":"app://song-1","display_name":{"en":"Song"}}}`,
			call:   func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.CreateEvent(ctx, all) },
			answer: answer{status: 201, body: likeJSON}, want: &got,
		},
		{
			endpoint: 18, name: "create with the least", method: "POST", uri: "/0.2/user/events", auth: sessionAuth, sent: `{"verb":"like"}`,
			call: func(ctx context.Context, _ *Client, s *Session) (any, error) {
				return s.CreateEvent(ctx, EventFields{Verb: "like"})
			},
			answer: answer{status: 201, body: `{"id":5}`}, want: &Event{ID: NumberID(5)},
		},
		{
			endpoint: 19, name: "update one field", method: "PUT", uri: "/0.2/user/events/e-1", auth: sessionAuth, sent: `{"location":"Bonn"}`,
			call: func(ctx context.Context, _ *Client, s *Session) (any, error) {
				return s.UpdateEvent(ctx, ParseID("e-1"), EventFields{Location: "Bonn"})
			},
			answer: answer{status: 200, body: likeJSON}, want: &got,
		},
		{
			endpoint: 20, name: "delete", method: "DELETE", uri: "/0.2/user/events/e-1", auth: sessionAuth,
			call: func(ctx context.Context, _ *Client, s *Session) (any, error) {
				return nil, s.DeleteEvent(ctx, ParseID("e-1"))
			},
			answer: answer{status: 204},
		},
	}
}

func feedCases() []wireCase {
	feed := func(ctx context.Context, _ *Client, s *Session) (any, error) { return s.Feed(ctx) }
	return []wireCase{
		{
			endpoint: 21, name: "two events, in the service's order", method: "GET", uri: "/0.2/user/feed", auth: sessionAuth,
			call: feed, answer: answer{status: 200, body: `[{"id":2},` + likeJSON + `]`}, want: []Event{{ID: NumberID(2)}, like()},
		},
		{
			endpoint: 21, name: "none", method: "GET", uri: "/0.2/user/feed", auth: sessionAuth,
			call: feed, answer: answer{status: 200, body: `[]`}, want: []Event{},
		},
		{
			endpoint: 22, name: "versions", method: "GET", uri: "/versions", auth: noAuth,
			call:   func(ctx context.Context, c *Client, _ *Session) (any, error) { return c.Versions(ctx) },
			answer: answer{status: 200, body: `[{"version":"0.1","status":"disabled"},{"version":"0.2","status":"current"}]`},
			want:   []VersionStatus{{"0.1", "disabled"}, {"0.2", "current"}},
		},
	}
}
