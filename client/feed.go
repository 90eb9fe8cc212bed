package client

import (
	"context"
	"net/http"
)

// Feed returns the events of the users that the session's user is connected to
// (Endpoints, #21), in the service's order: newest first, as the contract's
// example shows.
func (s *Session) Feed(ctx context.Context) ([]Event, error) {
	return many[Event](ctx, s.Do, Request{Method: http.MethodGet, Path: "/0.2/user/feed"})
}
