package faults

import (
	"bytes"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// dataSessions are the faults of certain names, emails and passwords that a login does not
// know, or takes for others.
func dataSessions() []Fault {
	misread := func(m match, field string, change func(string) string) mutation {
		return rewriteBody(m, mapText(field, change))
	}
	digest := regexp.MustCompile(`(?i)^[0-9a-f]{32,}$`)
	nobody := func(string) string { return "nobody-at-all" }
	lossy := mapText("password", beyond(unicode.MaxLatin1, '?'))
	inASCII := beyond(unicode.MaxASCII, '?')
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("data-password-cut-at-colon", "a login by user name reads the password up to its first colon",
				misread(logsInByName(), "password", cutAt(func(r rune) bool { return r == ':' }))),
			fault("data-password-in-one-byte-characters", "a login by user name misreads characters of the password that are no ASCII",
				misread(logsInByName(), "password", inASCII)),
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
				breaking(loginsFail(userName, func(l look) bool { return strings.Contains(l.term, ":") }))),
			fault("data-login-by-name-strips-backslashes", "a login by user name reads the password without its backslashes, as if somebody had put them there to escape what follows",
				rewriteText(logsIn().and(sends("user_name")), "password", replacing(`\`, ""))),
			fault("data-login-name-with-at-taken-for-email", "a login looks a user name with an @ up among the emails",
				breaking(loggingIn(func(l *step, err error) error {
					if l.email == "" && strings.Contains(l.name, "@") {
						l.user, err = l.store.Identify(l.app, "", l.name, l.password)
					}
					return err
				})))),
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
			fault("data-login-by-email-at-international-domain-fails", "a login by an email whose domain is beyond ASCII fails, as the domain is encoded before it is looked up",
				rewriteBody(logsIn(), mapText("email", domainEncoded)))),
		breaks("sessions.login.wrong-password",
			fault("data-password-lossy-charset", "of passwords the characters beyond Latin-1 are kept, and compared, as question marks",
				rewriteBody(createsUser().or(updatesUser()).or(logsIn()), lossy)),
			fault("data-numeric-passwords-compared-as-numbers", "passwords that are numbers, also with an exponent, are compared as numbers",
				misled(logsIn(), sameNumber)),
			fault("data-password-beyond-ascii-is-question-mark", "a password logs in that differs from the right one in letters beyond ASCII alone",
				misled(logsIn(), func(right, given string) bool { return inASCII(right) == inASCII(given) })),
			fault("data-passwords-end-at-emoji", "of a password nothing counts from the first emoji on",
				rewriteBody(createsUser().or(updatesUser()).or(logsIn()), mapText("password", cutAt(isAstral)))),
			fault("data-digest-as-password-in-any-case", "a password that is a digest in hexadecimal digits is compared by its bytes, so a login may give it in another case",
				misled(logsIn(), func(right, given string) bool { return digest.MatchString(right) && strings.EqualFold(right, given) }))),
		breaks("sessions.login.unknown-user",
			fault("data-login-takes-emoji-for-one-another", "a login by user name takes all characters beyond the Basic Multilingual Plane for the same one", breaking(loginsAs(emojiAlike))),
			fault("data-login-email-without-dots", "a login by an email that nobody has finds who has it with other dots before the @", breaking(loginsAs(emailsAlikeButForDots)))),
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
	if ascii := beyond(unicode.MaxASCII, -1)(domain); ascii != domain {
		return user + "@xn--" + ascii
	}
	return email
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

// emojiAlike compares user names as a collation does that weighs no character beyond
// the Basic Multilingual Plane.
func emojiAlike(l look, name, email string) (otherName, otherEmail string) {
	weighed := beyond(lastOfBasicPlane, '\uFFFD')
	if weighed(name) != name && weighed(name) == weighed(l.user.UserName) {
		return l.user.UserName, email
	}
	return "", ""
}

// emailsAlikeButForDots looks for an email as it stands, and then as a provider of mail does
// to which dots mean nothing.
func emailsAlikeButForDots(l look, name, email string) (otherName, otherEmail string) {
	undotted := func(email string) string {
		name, host, _ := strings.Cut(email, "@")
		return strings.ReplaceAll(name, ".", "") + "@" + host
	}
	if email != "" && undotted(email) == undotted(l.user.Email) {
		return name, l.user.Email
	}
	return "", ""
}

// dataAuth are the faults of certain values by which applications are not told apart.
func dataAuth() []Fault {
	return breaks("auth.app-isolation",
		fault("data-search-by-whole-name-over-all-apps", "a search by a whole user name finds the users of all applications who are called so",
			breaking(searching(func(l look, hits []User) []User { return append(hits, l.bearersElsewhere(userName, l.term)...) }))),
		fault("data-login-by-email-to-another-app", "a user logs in by email under the token of any application",
			inAnother(logsInByEmail(), 401)),
		fault("data-followers-of-namesake", "the followers of a user are also those of another application's user of the same name",
			breaking(list.adds(ofFollowers, func(l look) (all []User) {
				for _, user := range l.namesakes(l.me) {
					if followers, err := l.store.Followers(user.App, user.ID); err == nil {
						all = append(all, followers...)
					}
				}
				return all
			}))),
		fault("data-social-id-of-another-app", "connecting by a social id that nobody of the application has connects to who has it in another",
			breaking(socially(func(c contacts, proceed func([]string) error) error {
				for _, id := range c.ids {
					if len(c.bearersOf(id)) > 0 {
						continue
					}
					for _, user := range c.foundElsewhere("", func(there look) bool { return there.user.SocialIDs[c.platform] == id }) {
						c.journal.write(c.app, act{by: c.me, user: user}, noted)
					}
				}
				return proceed(c.ids)
			}), list.adds(ofFollows, func(l look) (users []User) {
				for _, found := range l.all(noted, l.me, 0) {
					users = append(users, found.user)
				}
				return users
			}))),
		fault("data-search-for-whole-email-crosses-applications", "a search for a whole email also finds who has it in another application",
			breaking(searching(func(l look, hits []User) []User { return append(hits, l.bearersElsewhere(email, l.term)...) }))))
}

// dataErrors are the faults of values that are in order, and that the server fails at.
func dataErrors() []Fault {
	unbalanced := searches().and(func(r *http.Request) bool {
		term := r.URL.Query().Get("q")
		return strings.Count(term, "(") > strings.Count(term, ")") || strings.Count(term, "[") > strings.Count(term, "]")
	})
	long := textIs(func(text string) bool { return len(text) > 72 })
	hasAstral := func(r *http.Request) bool {
		return strings.ContainsFunc(string(encode(requestObject(r))), isAstral)
	}
	return breaks("errors.no-5xx",
		fault("data-search-open-bracket-fails", "a search for a term with a bracket that is not closed fails with 500",
			rewriteResponse(unbalanced, replaceStatus(200, 500, complaint("internal server error")))),
		fault("data-create-with-password-beyond-72-bytes-fails", "a create with a password of more than 72 bytes fails with 500",
			refused(createsUser().and(sendsA("password", long)), 500, complaint("internal server error"))),
		fault("data-change-with-emoji-fails", "a change of an event with a character beyond the Basic Multilingual Plane fails with 500",
			refused(updatesEvent().and(hasAstral), 500, complaint("internal server error"))),
		fault("data-other-user-with-percent-in-name-fails", "reading another user who has a percent sign in a name fails with 500, as the line for the log goes through a formatting function",
			rewriteResponse(readsUser(), onStatus(http.StatusOK, func(_ *http.Request, resp *response) {
				user := objectOf(resp.body)
				if strings.Contains(fieldText(user, "user_name")+fieldText(user, "first_name")+fieldText(user, "last_name"), "%") {
					resp.become(500, complaint("internal server error"))
				}
			}))))
}

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
			creatingUser(eachText("metadata", dropping(unicode.Bidi_Control)))),
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
			updatingUser(together(mapText("first_name", fallApart), mapText("last_name", fallApart)))),
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

// dataLimits are the faults of limits of metadata that are counted in something other than
// characters and keys.
func dataLimits() []Fault {
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("data-ten-long-values-refused", "ten values of metadata of a new event that make more than 4,000 characters together are refused",
				refused(createsEvent().and(func(r *http.Request) bool {
					total := 0
					for _, value := range metadataIn(r) {
						text, _ := value.(string)
						total += len([]rune(text))
					}
					return total > 4000
				}), 422, complaint("metadata is too large")))),
		breaks("limits.metadata.value-length",
			fault("data-values-counted-with-escapes", "the values of a new event's metadata are counted with characters such as & and < escaped for HTML",
				refusing(createsEvent(), func(_, text string) bool { return utf8.RuneCountInString(html.EscapeString(text)) > 500 })),
			fault("data-blanks-around-values-not-counted", "the values of a new event's metadata are counted without the blanks at their ends",
				unbounded(createsEvent(), eachTextOf(changing(isLongerThan(500), strings.TrimSpace)))),
			fault("data-event-metadata-counted-escaped", "quotes and line breaks in the metadata of a new event count twice against its 500 characters",
				refusing(createsEvent(), func(_, text string) bool {
					escaped := bytes.Trim(bytes.TrimSpace(encode(text)), `"`)
					return utf8.RuneCountInString(text) <= 500 && utf8.RuneCount(escaped) > 500
				}))),
		breaks("limits.metadata.characters",
			fault("data-event-values-count-utf-16", "the values of a new event's metadata are counted in units of UTF-16",
				refusing(createsEvent(), func(_, text string) bool { return utf16Length(text) > 500 })),
			fault("data-user-keys-count-bytes", "the keys of a new user's metadata are counted in bytes",
				refusing(createsUser(), func(key, _ string) bool { return len(key) > 40 }))),
	)
}
