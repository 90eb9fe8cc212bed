package faults

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataSessions are the faults of certain names, emails and passwords that a login does not
// know, or takes for others.
func dataSessions() []Fault {
	misread := func(m match, field string, change func(string) string) mutation {
		return rewriteBody(m, mapText(field, change))
	}
	digest := regexp.MustCompile(`(?i)^[0-9a-f]{32,}$`)
	nobody := func(string) string { return "nobody-at-all" }
	lossy := mapText("password", mapped(func(r rune) rune {
		if r > unicode.MaxLatin1 {
			return '?'
		}
		return r
	}))
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
				misread(logsInByName(), "user_name", changing(isDigits, nobody))),
			fault("data-login-by-name-beyond-ascii-refused", "a login finds nobody by a user name with letters beyond ASCII",
				rewriteBody(logsInByName(), mapText("user_name", changing(isBeyondASCII, func(string) string { return "nobody at all" })))),
			fault("data-new-password-escaped-for-html", "the password of a create is escaped for HTML before it is kept, and that of a login is not",
				creatingUser(mapText("password", html.EscapeString))),
			fault("data-login-reads-100-characters-of-password", "a login by user name reads the first 100 characters of the password, and a create takes it whole",
				rewriteBody(logsInByName(), mapText("password", cutTo(100)))),
			fault("data-login-by-name-with-colon-unknown", "a login by a user name with a colon finds nobody, as the key of the index ends at one",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
						if strings.Contains(userName, ":") {
							return store.User{}, store.ErrNotFound
						}
						return inner.Identify(app, userName, email, password)
					}
				})),
			fault("data-login-by-name-strips-backslashes", "a login by user name reads the password without its backslashes, as if somebody had put them there to escape what follows",
				rewriteText(logsIn().and(sends("user_name")), "password", replacing(`\`, ""))),
			fault("data-login-name-with-at-taken-for-email", "a login looks a user name with an @ up among the emails",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
						if email == "" && strings.Contains(userName, "@") {
							userName, email = "", userName
						}
						return inner.Identify(app, userName, email, password)
					}
				}))),
		breaks("sessions.login.email",
			fault("data-email-in-lower-case", "a login by email looks for it in lower case, whatever the case it is kept in",
				misread(logsInByEmail(), "email", strings.ToLower)),
			fault("data-email-with-plus-unknown", "a login by an email with a + finds nobody", misread(logsInByEmail(), "email", replacing("+", " "))),
			fault("data-password-with-blanks-refused", "a login by email takes no password with blanks around it",
				misread(logsInByEmail(), "password", changing(func(password string) bool { return strings.TrimSpace(password) != password }, nobody))),
			fault("data-email-with-apostrophe-unknown", "a login by an email with an apostrophe finds nobody",
				rewriteBody(logsInByEmail(), mapText("email", replacing("'", "''")))),
			fault("data-login-by-email-with-hyphen-in-domain-refused", "a login by an email with a hyphen in its domain is answered with 422, as the pattern for emails knows of none",
				rewriteResponse(logsIn().and(sendsA("email", hasHyphenInDomain)), replaceSuccess(422, complaint("email is malformed")))),
			fault("data-login-by-email-doubles-backslashes", "a login by email doubles the backslashes of the password, as it asks another service with a JSON of its own",
				rewriteBody(logsInByEmail(), mapText("password", replacing(`\`, `\\`)))),
			fault("data-login-email-plus-read-as-space", "a login by an email with a + is refused, as it is decoded like a form",
				rewriteBody(logsInByEmail(), mapText("email", func(email string) string { return strings.ReplaceAll(email, "+", " ") }))),
			fault("data-login-by-email-with-plus-refused", "a login by an email with a plus sign in it finds nobody, as the plus is read as a blank",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
						if userName == "" {
							email = strings.ReplaceAll(email, "+", " ")
						}
						return inner.Identify(app, userName, email, password)
					}
				})),
			fault("data-login-decodes-plus-in-email", "a login reads a plus in the email as a blank, as forms have it, and does not find who has one",
				rewriteBody(logsInByEmail(), mapText("email", func(email string) string { return strings.ReplaceAll(email, "+", " ") }))),
			fault("data-login-email-plus-read-as-blank", "the + in the email of a login is read as a blank, and finds nobody",
				rewriteBody(logsInByEmail(), mapText("email", replacing("+", " ")))),
			fault("data-login-by-email-at-international-domain-fails", "a login by an email whose domain is beyond ASCII fails, as the domain is encoded before it is looked up",
				rewriteBody(logsIn(), mapText("email", domainEncoded)))),
		breaks("sessions.login.wrong-password",
			fault("data-password-lossy-charset", "of passwords the characters beyond Latin-1 are kept, and compared, as question marks",
				rewriteBody(createsUser().or(updatesUser()).or(logsIn()), lossy)),
			fault("data-numeric-passwords-compared-as-numbers", "passwords that are numbers, also with an exponent, are compared as numbers",
				misled(logsIn(), sameNumber)),
			fault("data-password-beyond-ascii-is-question-mark", "a password logs in that differs from the right one in letters beyond ASCII alone",
				misled(logsIn(), func(right, given string) bool { return asciiOrMark(right) == asciiOrMark(given) })),
			fault("data-passwords-end-at-emoji", "of a password nothing counts from the first emoji on",
				rewriteBody(createsUser().or(updatesUser()).or(logsIn()), mapText("password", cutAt(isAstral)))),
			fault("data-digest-as-password-in-any-case", "a password that is a digest in hexadecimal digits is compared by its bytes, so a login may give it in another case",
				misled(logsIn(), func(right, given string) bool { return digest.MatchString(right) && strings.EqualFold(right, given) }))),
		breaks("sessions.login.unknown-user",
			fault("data-login-takes-emoji-for-one-another", "a login by user name takes all characters beyond the Basic Multilingual Plane for the same one", overrideStore(emojiAlike)),
			fault("data-login-email-without-dots", "a login by an email that nobody has finds who has it with other dots before the @", overrideStore(emailsAlikeButForDots))),
	)
}

func isBeyondASCII(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

func hasHyphenInDomain(email any) bool {
	text, _ := email.(string)
	_, domain, _ := strings.Cut(text, "@")
	return strings.Contains(domain, "-")
}

// domainEncoded writes a domain beyond ASCII in another way than it is kept.
func domainEncoded(email string) string {
	user, domain, _ := strings.Cut(email, "@")
	if ascii := strings.Map(withoutNonASCII, domain); ascii != domain {
		return user + "@xn--" + ascii
	}
	return email
}

func withoutNonASCII(r rune) rune {
	if r > unicode.MaxASCII {
		return -1
	}
	return r
}

// sameNumber compares texts as languages do that take them for numbers.
func sameNumber(right, given string) bool {
	numeric := func(text string) bool { return isDigits(strings.Replace(text, "e", "", 1)) && isDigits(text[:1]) }
	if right == "" || given == "" || !numeric(right) || !numeric(given) {
		return false
	}
	a, wrong := strconv.ParseFloat(right, 64)
	b, err := strconv.ParseFloat(given, 64)
	return wrong == nil && err == nil && a == b
}

// asciiOrMark has a question mark for each letter that ASCII lacks.
func asciiOrMark(text string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

// emojiAlike compares user names as a collation does that weighs no character beyond
// the Basic Multilingual Plane.
func emojiAlike(inner refserver.Store, s *overrides) {
	weighed := mapped(func(r rune) rune {
		if isAstral(r) {
			return '\uFFFD'
		}
		return r
	})
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if err == nil || weighed(userName) == userName {
			return user, err
		}
		all, unread := inner.Search(app, "")
		if unread != nil {
			return user, unread
		}
		for _, other := range all {
			if weighed(other.UserName) != weighed(userName) {
				continue
			}
			if bearer, unknown := inner.Identify(app, other.UserName, email, password); unknown == nil {
				return bearer, nil
			}
		}
		return user, err
	}
}

// emailsAlikeButForDots looks for an email as it stands, and then as a provider of mail does
// to which dots mean nothing.
func emailsAlikeButForDots(inner refserver.Store, s *overrides) {
	undotted := func(email string) string {
		name, host, _ := strings.Cut(email, "@")
		return strings.ReplaceAll(name, ".", "") + "@" + host
	}
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if err == nil || email == "" {
			return user, err
		}
		all, unread := inner.Search(app, "")
		if unread != nil {
			return user, unread
		}
		for _, other := range all {
			if other.Email == "" || undotted(other.Email) != undotted(email) {
				continue
			}
			if bearer, unknown := inner.Identify(app, userName, other.Email, password); unknown == nil {
				return bearer, nil
			}
		}
		return user, err
	}
}
