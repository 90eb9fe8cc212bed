package faults

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// unchangedWhere leaves a field of the user as it was where an update to it is no
// change in the eyes of a comparison.
func unchangedWhere(field string, same func(before, after string) bool) mutation {
	return intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
		if before := ownRecord(next, r); before[field] != nil {
			inBody(mapText(field, func(after string) string {
				if same(fieldText(before, field), after) {
					return fieldText(before, field)
				}
				return after
			}))(r)
		}
		return record(next, r)
	})
}

// loginData are the faults of certain names and passwords.
func loginData() []Fault {
	misread := func(m match, field string, change func(string) string) mutation {
		return rewriteBody(m, mapText(field, change))
	}
	nobody := func(string) string { return "nobody-at-all" }
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("data-password-cut-at-colon", "a login by user name reads the password up to its first colon",
				misread(logsInByName(), "password", cutAt(func(r rune) bool { return r == ':' }))),
			fault("data-password-in-one-byte-characters", "a login by user name misreads characters of the password that are no ASCII",
				misread(logsInByName(), "password", mapped(func(r rune) rune {
					if r > unicode.MaxASCII {
						return '?'
					}
					return r
				}))),
			fault("data-user-name-with-at-is-an-email", "a login by a user name with an @ finds nobody",
				misread(logsInByName(), "user_name", changing(func(name string) bool { return strings.Contains(name, "@") }, nobody))),
			fault("data-user-name-of-digits-is-an-id", "a login by a user name of digits finds nobody",
				misread(logsInByName(), "user_name", changing(isDigits, nobody)))),
		breaks("sessions.login.email",
			fault("data-email-in-lower-case", "a login by email looks for it in lower case, whatever the case it is kept in",
				misread(logsInByEmail(), "email", strings.ToLower)),
			fault("data-email-with-plus-unknown", "a login by an email with a + finds nobody", misread(logsInByEmail(), "email", replacing("+", " "))),
			fault("data-password-with-blanks-refused", "a login by email takes no password with blanks around it",
				misread(logsInByEmail(), "password", changing(func(password string) bool { return strings.TrimSpace(password) != password }, nobody)))),
		breaks("users.me.update.password",
			fault("data-new-password-with-percent", "a new password with a % in it is decoded before it is kept",
				rewriteBody(updatesUser(), mapText("password", replacing("%", "")))),
			fault("data-new-password-cut-at-72-bytes", "of a new password the first 72 bytes are kept",
				rewriteBody(updatesUser(), mapText("password", func(password string) string { return password[:min(72, len(password))] })))),
	)
}

// searchData are the faults of certain terms.
func searchData() []Fault {
	misses := func(in attribute, is func(term string) bool) mutation {
		return overlooks(in, func(_, term string) bool { return is(term) })
	}
	has := func(part string) func(string) bool {
		return func(term string) bool { return strings.Contains(term, part) }
	}
	return slices.Concat(
		breaks("search.first-name",
			fault("data-search-ideographs-not-found", "a search for ideographs finds nobody by the first name",
				misses(firstName, func(term string) bool {
					return strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(unicode.Han, r) })
				})),
			fault("data-search-hyphen-excludes", "a search for a first name with a hyphen finds nobody", misses(firstName, has("-")))),
		breaks("search.last-name",
			fault("data-search-apostrophe-not-found", "a search for a last name with an apostrophe finds nobody", misses(lastName, has("'"))),
			fault("data-search-stop-words", "a search for a last name that begins with a particle finds nobody",
				misses(lastName, func(term string) bool {
					return slices.ContainsFunc([]string{"van ", "de ", "von "}, func(word string) bool { return strings.HasPrefix(folded(term), word) })
				}))),
		breaks("search.user-name",
			fault("data-search-digits-are-an-id", "a search for digits looks at ids, and not at user names", misses(userName, isDigits)),
			fault("data-search-lists-twice-by-two-fields", "a user who has the term in the user name and in the first name is in the results of a search twice",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						for _, user := range hits {
							if term != "" && holdsText(user.UserName, term) && holdsText(user.FirstName, term) {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				})),
			fault("data-search-long-terms-find-nobody", "a search for more than 32 characters does not look at user names",
				finding(func(user store.User, term string, found bool) bool {
					return found && !(len([]rune(term)) > 32 && len(term) < len(user.UserName) && holdsText(user.UserName, term))
				}))),
		breaks("search.email",
			fault("data-search-plus-is-a-blank", "a search for an email reads + as a blank, also where it is escaped", misses(email, has("+")))),
		breaks("search.literal-term",
			fault("data-search-decodes-twice", "a search for an escape such as %41 looks for what it stands for",
				finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, "%4") })),
			fault("data-search-two-backslashes", "a search for two backslashes finds nobody",
				finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, `\\`) }))),
		breaks("search.unicode-case",
			fault("data-search-cyrillic-case", "a search tells upper and lower case of Cyrillic letters apart",
				overlooks(lastName, func(value, term string) bool {
					cyrillic := strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
					return cyrillic && !strings.Contains(value, term)
				})),
			fault("data-search-greek-case", "a search tells upper and lower case of Greek letters apart",
				overlooks(lastName, func(value, term string) bool {
					greek := strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(unicode.Greek, r) })
					return greek && !strings.Contains(value, term)
				}))),
	)
}
