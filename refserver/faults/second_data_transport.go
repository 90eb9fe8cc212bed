package faults

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// dataTransport are the faults of certain characters that do not come back as they were
// sent.
func dataTransport() []Fault {
	straight := strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "…", "...", "–", "-", "—", "-").Replace
	const joiner = "\u200d"
	visible := strings.NewReplacer("\u200b", "", "\u200c", "", joiner, "", "\ufeff", "").Replace
	fallApart := replacing(joiner, "")
	return breaks("transport.unicode-roundtrip",
		fault("data-sharp-s-unfolded", "ß in a new user's last name becomes ss", creatingUser(mapText("last_name", replacing("ß", "ss")))),
		fault("data-metadata-keys-decomposed", "short keys of a new user's metadata come back decomposed",
			creatingUser(eachKey("metadata", changing(isShort, norm.NFD.String)))),
		fault("data-first-name-ends-at-emoji", "an update cuts the first name at the first character beyond the Basic Multilingual Plane",
			updatingUser(mapText("first_name", cutAt(isAstral)))),
		fault("data-direction-marks-lost", "marks of the writing direction are dropped from a new user's metadata",
			creatingUser(eachText("metadata", mapped(func(r rune) rune {
				if unicode.Is(unicode.Bidi_Control, r) {
					return -1
				}
				return r
			})))),
		fault("data-location-ends-at-emoji", "a new event's location ends before the first character beyond the Basic Multilingual Plane",
			creatingEvent(mapText("location", cutAt(isAstral)))),
		fault("data-flags-halved", "of two regional indicators in a new event's metadata, which make a flag, one is dropped",
			creatingEvent(eachText("metadata", flagsHalved))),
		fault("data-no-break-space-becomes-blank", "no-break spaces in the first name of an update become blanks",
			updatingUser(mapText("first_name", replacing("\u00a0", " ")))),
		fault("data-line-separators-become-line-breaks", "the line and paragraph separators of Unicode become line breaks in a new event's location",
			creatingEvent(mapText("location", strings.NewReplacer("\u2028", "\n", "\u2029", "\n").Replace))),
		fault("data-update-straightens-quotes", "an update makes typographic quotes, dashes and ellipses of the first and the last name those of ASCII",
			combine(updatingUser(mapText("first_name", straight)), updatingUser(mapText("last_name", straight)))),
		fault("data-update-takes-joined-emoji-apart", "an update drops the joiners from the first and the last name, so that an emoji of several becomes these",
			updatingUser(func(user map[string]any) {
				mapText("first_name", fallApart)(user)
				mapText("last_name", fallApart)(user)
			})),
		fault("data-location-loses-variation-selectors", "the location of an event loses the variation selectors that make emoji of signs, such as of a heart",
			creatingEvent(mapText("location", replacing("\ufe0f", "")))),
		fault("data-zero-width-characters-stripped", "the texts of a new event lose characters without width, such as the joiners in emoji of families",
			creatingEvent(func(event map[string]any) {
				for field, value := range event {
					event[field] = mapStrings(value, visible)
				}
			})))
}

// isShort reports whether a text stays within all limits, whatever becomes of it.
func isShort(text string) bool { return len(text) <= 10 }

func flagsHalved(text string) string {
	half := false
	return strings.Map(func(r rune) rune {
		if half = unicode.Is(unicode.Regional_Indicator, r) && !half; unicode.Is(unicode.Regional_Indicator, r) && !half {
			return -1
		}
		return r
	}, text)
}
