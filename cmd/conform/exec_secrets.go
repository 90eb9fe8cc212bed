package main

import (
	"regexp"
	"strings"
)

// secretLike matches what a session token, a hashed password or a header with
// credentials may look like in what a server writes.
var secretLike = regexp.MustCompile(`[A-Za-z0-9+/=_-]{20,}`)

// hideSecret hides a long text with digits in it; without digits it is a word, with several
// slashes a path.
func hideSecret(text string) string {
	if !strings.ContainsAny(text, "0123456789") || strings.Count(text, "/") > 1 {
		return text
	}
	return "…"
}
