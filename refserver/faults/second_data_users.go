package faults

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/socialfeed/conform/refserver"
)

// changing changes the texts for which a condition holds.
func changing(is func(text string) bool, change func(string) string) func(string) string {
	return func(text string) string {
		if is(text) {
			return change(text)
		}
		return text
	}
}

// exactly changes one text to another.
func exactly(from, to string) func(string) string {
	return changing(func(text string) bool { return text == from }, func(string) string { return to })
}

// replacing replaces part of a text.
func replacing(from, to string) func(string) string { return strings.NewReplacer(from, to).Replace }

// cutTo keeps the first characters of a text.
func cutTo(most int) func(string) string {
	return changing(func(text string) bool { return utf8.RuneCountInString(text) > most },
		func(text string) string { return string([]rune(text)[:most]) })
}

// cutAt keeps what stands before the first of some characters.
func cutAt(is func(rune) bool) func(string) string {
	return func(text string) string {
		if i := strings.IndexFunc(text, is); i > 0 {
			return text[:i]
		}
		return text
	}
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isShort reports whether a text stays within all limits, whatever becomes of it.
func isShort(text string) bool { return len(text) <= 10 }

func isAstral(r rune) bool { return withoutAstral(r) < 0 }

// asNumber is a text of digits after its way through a number.
func asNumber(text string) string {
	return changing(isDigits, func(digits string) string {
		if number := strings.TrimLeft(digits, "0"); number != "" {
			return number
		}
		return "0"
	})(text)
}

// eachKey changes the keys of a map that a field holds.
func eachKey(field string, change func(string) string) objectEdit {
	return mapField(field, func(value any) any {
		entries, ok := value.(map[string]any)
		if !ok {
			return value
		}
		changed := map[string]any{}
		for key, entry := range entries {
			if key = change(key); key != "" {
				changed[key] = entry
			}
		}
		return changed
	})
}

// eachText changes the texts in a map that a field holds.
func eachText(field string, change func(string) string) objectEdit {
	return within(field, func(entries map[string]any) {
		for key := range entries {
			mapText(key, change)(entries)
		}
	})
}

// userData are the faults of certain values of a user's fields.
func userData() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsUser(), change) }
	updating := func(change objectEdit) mutation { return rewriteBody(updatesUser(), change) }
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-custom-id-of-digits-is-a-number", "a custom_id of digits loses its leading zeros", creating(mapText("custom_id", asNumber))),
			fault("data-custom-id-as-uuid-in-lower-case", "a custom_id of 36 characters is taken for a UUID, and put into lower case",
				creating(mapText("custom_id", changing(func(text string) bool { return len(text) == 36 }, strings.ToLower)))),
			fault("data-last-name-null-is-none", "a new user whose last name is Null, in any case, has none",
				creating(ignoring("last_name", func(value any) bool { name, _ := value.(string); return strings.EqualFold(name, "null") }))),
			fault("data-url-decoded", "escaped slashes in a new user's url are decoded",
				creating(mapText("url", strings.NewReplacer("%2F", "/", "%2f", "/").Replace))),
			fault("data-url-without-fragment", "a new user's url ends before its fragment",
				creating(mapText("url", cutAt(func(r rune) bool { return r == '#' })))),
			fault("data-url-cut-at-255", "a new user's url is cut after 255 characters", creating(mapText("url", cutTo(255)))),
			fault("data-email-without-tag", "the answer to a create has an email without its +tag", rewriteObject(createsUser(), mapText("email", emailWithoutTag))),
			fault("data-email-domain-in-lower-case", "the part of a new user's email behind the @ is kept in lower case", emailDomainsInLowerCase),
			fault("data-first-name-cut-at-255", "a new user's first name is cut after 255 characters", creating(mapText("first_name", cutTo(255)))),
			fault("data-last-name-with-quotes-doubled", "apostrophes in a new user's last name are doubled",
				creating(mapText("last_name", replacing("'", "''")))),
			fault("data-first-name-escaped-for-html", "quotes in a new user's first name are escaped for HTML",
				creating(mapText("first_name", replacing(`"`, "&quot;")))),
			fault("data-metadata-true-is-one", "a new user's metadata that says true says 1", creating(eachText("metadata", exactly("true", "1")))),
			fault("data-metadata-null-is-lost", "entries of a new user's metadata that say null are dropped",
				creating(within("metadata", dropWhere(func(_, value string) bool { return value == "null" })))),
			fault("data-metadata-keys-with-dots", "dots in the keys of a new user's metadata become underscores",
				creating(eachKey("metadata", replacing(".", "_")))),
			fault("data-metadata-keys-with-dollar-lost", "entries of a new user's metadata whose key begins with $ are dropped",
				creating(within("metadata", dropWhere(func(key, _ string) bool { return strings.HasPrefix(key, "$") })))),
			fault("data-social-networks-in-lower-case", "the networks of a new user's social_ids are kept in lower case",
				creating(eachKey("social_ids", strings.ToLower))),
			fault("data-social-id-beyond-double-precision", "a new user's social ids of more than 16 digits are rounded",
				creating(eachText("social_ids", changing(func(id string) bool { return isDigits(id) && len(id) > 16 },
					func(id string) string { return id[:16] + strings.Repeat("0", len(id)-16) }))))),
		breaks("users.me.update.applies",
			fault("data-update-halves-backslashes", "double backslashes in an update's metadata become single ones",
				updating(eachText("metadata", replacing(`\\`, `\`)))),
			fault("data-update-folds-line-breaks", "CR LF in an update's metadata becomes LF", updating(eachText("metadata", replacing("\r\n", "\n")))),
			fault("data-update-of-case-ignored", "an update that changes the case of the first name alone leaves it as it was",
				unchangedWhere("first_name", strings.EqualFold)),
			fault("data-update-of-name-case-ignored", "an update that changes the case of the user name alone leaves it as it was",
				unchangedWhere("user_name", strings.EqualFold)),
			fault("data-update-of-accents-ignored", "an update that changes accents of the last name alone leaves it as it was",
				unchangedWhere("last_name", func(before, after string) bool { return withoutMarks(before) == withoutMarks(after) })),
			fault("data-update-cuts-last-name-at-64", "an update cuts the last name after 64 characters", updating(mapText("last_name", cutTo(64))))),
		breaks("transport.unicode-roundtrip",
			fault("data-sharp-s-unfolded", "ß in a new user's last name becomes ss", creating(mapText("last_name", replacing("ß", "ss")))),
			fault("data-metadata-keys-decomposed", "short keys of a new user's metadata come back decomposed",
				creating(eachKey("metadata", changing(isShort, norm.NFD.String)))),
			fault("data-first-name-ends-at-emoji", "an update cuts the first name at the first character beyond the Basic Multilingual Plane",
				updating(mapText("first_name", cutAt(isAstral)))),
			fault("data-direction-marks-lost", "marks of the writing direction are dropped from a new user's metadata",
				creating(eachText("metadata", mapped(func(r rune) rune {
					if unicode.Is(unicode.Bidi_Control, r) {
						return -1
					}
					return r
				}))))),
	)
}

func emailWithoutTag(email string) string {
	name, host, _ := strings.Cut(email, "@")
	return cutAt(func(r rune) bool { return r == '+' })(name) + "@" + host
}

// emailDomainsInLowerCase keeps new emails so. Logins go on taking them as they were given.
func emailDomainsInLowerCase(o *refserver.Options) {
	given := &memory[bool]{} // by application and email
	lower := func(email string) string {
		if at := strings.LastIndexByte(email, '@'); at >= 0 {
			return email[:at] + strings.ToLower(email[at:])
		}
		return email
	}
	key := func(r *http.Request) string { return appIn(r) + " " + fieldText(requestObject(r), "email") }
	combine(
		rewriteRequest(createsUser(), func(r *http.Request) {
			given.keep(key(r), true)
			inBody(mapText("email", lower))(r)
		}),
		rewriteBody(logsInByEmail().and(func(r *http.Request) bool { return given.get(key(r)) }), mapText("email", lower)),
	)(o)
}

func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// dropWhere drops the entries for which a condition holds.
func dropWhere(is func(key, value string) bool) objectEdit {
	return func(entries map[string]any) {
		for key, value := range entries {
			if text, ok := value.(string); ok && is(key, text) {
				delete(entries, key)
			}
		}
	}
}
