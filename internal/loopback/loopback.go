// Package loopback tells the addresses of this machine from those of others.
package loopback

import (
	"net"
	"strings"
)

// IsHost reports whether a host, without a port, is this machine by its loopback
// interface: localhost, 127.0.0.0/8 or ::1, the latter with or without brackets. Names are
// not resolved.
func IsHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		host = strings.TrimSuffix(inner, "]")
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
