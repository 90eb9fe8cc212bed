package view

import (
	"net/url"

	"github.com/socialfeed/conform/internal/loopback"
)

// SameTarget reports whether two base URLs are those of one target. On the judge's own
// machine each run may start it at another port.
func SameTarget(one, other string) bool {
	return one == other || ofThisMachine(one) && ofThisMachine(other)
}

func ofThisMachine(baseURL string) bool {
	u, err := url.Parse(baseURL)
	return err == nil && loopback.IsHost(u.Hostname())
}
