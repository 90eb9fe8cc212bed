package main

import (
	"regexp"
	"strings"
)

// secretLike matches what a session token, a hashed password or a header with
// credentials may look like in what a server writes.
var secretLike = regexp.MustCompile(`[A-Za-z0-9+/=_-]{20,}`)

// hideSecret leaves words alone: what is long and mixes digits into letters is none.
func hideSecret(text string) string {
	if !strings.ContainsAny(text, "0123456789") || strings.Count(text, "/") > 1 { // a path
		return text
	}
	return "…"
}
