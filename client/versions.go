package client

import (
	"context"
	"net/http"
)

// VersionStatus is a version of the interface with its status, such as "current" or
// "disabled".
type VersionStatus struct {
	Version string `json:"version"`
	Status  string `json:"status"`
}

// Versions lists the versions of the interface (Endpoints, #22; Versioning,
// item 2). It sends no credentials, since the contract shows none: a service
// that wants them is asked through Do.
func (c *Client) Versions(ctx context.Context) ([]VersionStatus, error) {
	anonymous := func(ctx context.Context, r Request, out any) error { return c.send(ctx, tokens{}, r, out) }
	return many[VersionStatus](ctx, anonymous, Request{Method: http.MethodGet, Path: "/versions"})
}
