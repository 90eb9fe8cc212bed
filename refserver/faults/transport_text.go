package faults

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// mangledText are the faults of text that does not come back as it was sent (What
// the service does, transport rule 3).
func mangledText() []Fault {
	latin := func(text string) string { // UTF-8 taken for Latin-1
		var read strings.Builder
		for _, b := range []byte(text) {
			read.WriteRune(rune(b))
		}
		return read.String()
	}
	return breaks("transport.unicode-roundtrip",
		fault("transport-astral-characters-lost", "characters beyond the Basic Multilingual Plane become question marks in the first name of a new user",
			rewriteText(createsUser(), "first_name", mapped(func(r rune) rune {
				if withoutAstral(r) < 0 {
					return '?'
				}
				return r
			}))),
		fault("transport-astral-characters-lost-in-update", "characters beyond the Basic Multilingual Plane are dropped from the last name of an update",
			rewriteText(updatesUser(), "last_name", mapped(withoutAstral))),
		fault("transport-text-compatibility-composed", "compatibility characters are replaced in the metadata of a new user (NFKC)",
			rewriteText(createsUser(), "metadata", norm.NFKC.String)),
		fault("transport-text-decomposed", "text comes back decomposed in the first name of the session's user (NFD)",
			rewriteObject(readsOwnRecord(), func(user map[string]any) {
				if name, there := user["first_name"]; there {
					user["first_name"] = mapStrings(name, norm.NFD.String)
				}
			})),
		fault("transport-text-taken-for-latin-1", "the first name of an update is taken for Latin-1",
			rewriteText(updatesUser(), "first_name", latin)),
		fault("transport-text-escaped-for-html", "the object's display name is escaped for HTML in a new event",
			rewriteText(createsEvent(), "object", strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace)),
		fault("transport-joiners-dropped", "format characters, such as those that join emoji, are dropped from a new event's metadata",
			rewriteText(createsEvent(), "metadata", mapped(func(r rune) rune {
				if unicode.Is(unicode.Cf, r) {
					return -1
				}
				return r
			}))),
		fault("transport-marks-dropped", "combining marks that stand alone are dropped from the metadata of an update",
			rewriteText(updatesUser(), "metadata", mapped(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}))),
		fault("transport-line-breaks-folded", "line breaks become spaces in a new event's metadata",
			rewriteText(createsEvent(), "metadata", strings.NewReplacer("\n", " ", "\r", " ").Replace)))
}

func mapped(change func(rune) rune) func(string) string {
	return func(text string) string { return strings.Map(change, text) }
}

// rewriteText changes the text in a field of the requests that match.
func rewriteText(m match, field string, change func(string) string) mutation {
	return rewriteBody(m, mapField(field, func(value any) any { return mapStrings(value, change) }))
}

// withoutAstral drops what is beyond the Basic Multilingual Plane.
func withoutAstral(r rune) rune {
	const lastOfBasicPlane = 0xffff
	if r > lastOfBasicPlane {
		return -1
	}
	return r
}
