package client

import (
	"context"
	"net/http"
)

// SocialConnections names users by their ids on a social network. All four
// fields are required (Endpoints, #17).
type SocialConnections struct {
	Platform       string         `json:"platform"`
	Type           ConnectionType `json:"type"`
	PlatformUserID string         `json:"platform_user_id"` // the session's user on the network
	ConnectionIDs  []string       `json:"connection_ids"`   // the users to connect to, on the network
}

// ConnectSocial connects the session's user to the users that the service
// knows by these ids of a social network (Endpoints, #17).
func (s *Session) ConnectSocial(ctx context.Context, with SocialConnections) error {
	if with.ConnectionIDs == nil {
		with.ConnectionIDs = []string{} // nil would be sent as null
	}
	return s.Do(ctx, Request{Method: http.MethodPost, Path: "/0.2/user/connections/social", Body: with}, nil)
}
