package faults

import (
	"net/http"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/socialfeed/conform/refserver"
)

// mangledText are the faults of text that does not come back as it was sent (What
// the service does, transport rule 3).
func mangledText() []Fault {
	const rule = "transport.unicode-roundtrip"
	latin := func(text string) string { // UTF-8 taken for Latin-1
		var read strings.Builder
		for _, b := range []byte(text) {
			read.WriteRune(rune(b))
		}
		return read.String()
	}
	return []Fault{
		{
			Name: "transport-astral-characters-lost", Rule: rule,
			Summary: "characters beyond the Basic Multilingual Plane become question marks in the first name of a new user",
			Apply: stored("POST /0.2/users", "first_name", mapped(func(r rune) rune {
				if withoutAstral(r) < 0 {
					return '?'
				}
				return r
			})),
		},
		{
			Name: "transport-astral-characters-lost-in-update", Rule: rule,
			Summary: "characters beyond the Basic Multilingual Plane are dropped from the last name of an update",
			Apply:   stored("PUT /0.2/user", "last_name", mapped(withoutAstral)),
		},
		{
			Name: "transport-text-compatibility-composed", Rule: rule,
			Summary: "compatibility characters are replaced in the metadata of a new user (NFKC)",
			Apply:   stored("POST /0.2/users", "metadata", norm.NFKC.String),
		},
		{
			Name: "transport-text-decomposed", Rule: rule,
			Summary: "text comes back decomposed in the first name of the session's user (NFD)",
			Apply: edit(on("GET /0.2/user"), inObject(func(user map[string]any) {
				if name, there := user["first_name"]; there {
					user["first_name"] = inText(name, norm.NFD.String)
				}
			})),
		},
		{
			Name: "transport-text-taken-for-latin-1", Rule: rule,
			Summary: "the first name of an update is taken for Latin-1",
			Apply:   stored("PUT /0.2/user", "first_name", latin),
		},
		{
			Name: "transport-text-escaped-for-html", Rule: rule,
			Summary: "the object's display name is escaped for HTML in a new event",
			Apply:   stored("POST /0.2/user/events", "object", strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace),
		},
		{
			Name: "transport-joiners-dropped", Rule: rule,
			Summary: "format characters, such as those that join emoji, are dropped from a new event's metadata",
			Apply: stored("POST /0.2/user/events", "metadata", mapped(func(r rune) rune {
				if unicode.Is(unicode.Cf, r) {
					return -1
				}
				return r
			})),
		},
		{
			Name: "transport-marks-dropped", Rule: rule,
			Summary: "combining marks that stand alone are dropped from the metadata of an update",
			Apply: stored("PUT /0.2/user", "metadata", mapped(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			})),
		},
		{
			Name: "transport-line-breaks-folded", Rule: rule,
			Summary: "line breaks become spaces in a new event's metadata",
			Apply:   stored("POST /0.2/user/events", "metadata", strings.NewReplacer("\n", " ", "\r", " ").Replace),
		},
	}
}

func mapped(change func(rune) rune) func(string) string {
	return func(text string) string { return strings.Map(change, text) }
}

// stored changes the text in a field of the requests to an endpoint.
func stored(endpoint, field string, change func(string) string) func(*refserver.Options) {
	return tamper(on(endpoint), func(r *http.Request) {
		body := sent(r)
		if value, there := body[field]; there {
			body[field] = inText(value, change)
			resend(r, body)
		}
	})
}

// withoutAstral drops what is beyond the Basic Multilingual Plane.
func withoutAstral(r rune) rune {
	const lastOfBasicPlane = 0xffff
	if r > lastOfBasicPlane {
		return -1
	}
	return r
}

// inText changes all text in a value, keys included.
func inText(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case map[string]any:
		changed := make(map[string]any, len(v))
		for key, item := range v {
			changed[change(key)] = inText(item, change)
		}
		return changed
	}
	return value
}
