package faults

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver/store"
)

// dataSearch are faults of certain terms of searches, and of searches that miss users with
// certain values, or find them wrongly.
func dataSearch() []Fault {
	misses := func(in attribute, is func(term string) bool) mutation {
		return overlooks(in, func(_, term string) bool { return is(term) })
	}
	holds := func(part string) func(value, term string) bool {
		return func(_, term string) bool { return strings.Contains(term, part) }
	}
	has := func(part string) func(string) bool {
		return func(term string) bool { return strings.Contains(term, part) }
	}
	// These are the words that a full-text index leaves out by default.
	stopWords := strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")
	leftOut := strings.Fields("a about an are as at be by com de en for from how i in is it la of on or that the this to was what when where who will with und www")
	turkish := func(text string) string { return strings.ToLowerSpecial(unicode.TurkishCase, text) }
	return slices.Concat(
		breaks("search.status",
			fault("data-search-operator-words-refused", "a search for AND, OR or NOT is answered with 400",
				rewriteResponse(searches().and(func(r *http.Request) bool {
					return slices.Contains([]string{"AND", "OR", "NOT"}, r.URL.Query().Get("q"))
				}), replaceSuccess(400, "{}")))),
		breaks("search.user-name",
			fault("data-search-digits-are-an-id", "a search for digits looks at ids, and not at user names", misses(userName, isDigits)),
			fault("data-search-lists-twice-by-two-fields", "a user who has the term in the user name and in the first name is in the results of a search twice",
				breaking(searching(func(l look, hits []User) []User {
					for _, user := range hits {
						if l.term != "" && holdsText(user.UserName, l.term) && holdsText(user.FirstName, l.term) {
							hits = append(hits, user)
						}
					}
					return hits
				}))),
			fault("data-search-long-terms-find-nobody", "a search for more than 32 characters does not look at user names",
				finding(func(user store.User, term string, found bool) bool {
					return found && !(len([]rune(term)) > 32 && len(term) < len(user.UserName) && holdsText(user.UserName, term))
				})),
			fault("data-search-for-zero-is-blank", "a search for 0 finds nobody",
				finding(func(_ store.User, term string, found bool) bool { return found && term != "0" })),
			fault("data-search-colon-names-a-field", "a search term with a colon looks into the field that stands before the colon, and finds no user name by it",
				overlooks(userName, holds(":"))),
			fault("data-search-with-at-looks-at-emails-alone", "a search for a term with an @ does not look at user names",
				overlooks(userName, func(_, term string) bool { return strings.Contains(term, "@") }))),
		breaks("search.first-name",
			fault("data-search-ideographs-not-found", "a search for ideographs finds nobody by the first name",
				misses(firstName, func(term string) bool {
					return strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(unicode.Han, r) })
				})),
			fault("data-search-hyphen-excludes", "a search for a first name with a hyphen finds nobody", misses(firstName, has("-"))),
			fault("data-search-for-stop-word-overlooks-first-names", "a search for an English word such as will or may not, that full-text indexes leave out, overlooks those who have it in the first name",
				overlooks(firstName, func(_, term string) bool { return slices.Contains(stopWords, folded(term)) })),
			fault("data-search-first-name-across-space", "a term with a space in it is not found inside a first name, which is indexed word by word",
				overlooks(firstName, func(value, term string) bool {
					return strings.Contains(strings.TrimSpace(term), " ") && !whole(value, term)
				}))),
		breaks("search.last-name",
			fault("data-search-apostrophe-not-found", "a search for a last name with an apostrophe finds nobody", misses(lastName, has("'"))),
			fault("data-search-stop-words", "a search for a last name that begins with a particle finds nobody",
				misses(lastName, func(term string) bool {
					return slices.ContainsFunc([]string{"van ", "de ", "von "}, func(word string) bool { return strings.HasPrefix(folded(term), word) })
				})),
			fault("data-search-short-terms-miss-last-names", "a search for one or two characters does not look at last names",
				overlooks(lastName, func(_, term string) bool { return utf8.RuneCountInString(term) < 3 })),
			fault("data-search-stop-words-missed-in-last-names", "a search does not find a last name by a word that full-text indexes leave out, such as de",
				overlooks(lastName, func(_, term string) bool { return slices.Contains(leftOut, folded(term)) })),
			fault("data-search-ampersand-in-last-name-is-escaped", "a search for a part of a last name with an & in it finds nobody, as the index has it escaped for HTML",
				overlooks(lastName, func(_, term string) bool { return strings.Contains(term, "&") })),
			fault("data-search-across-hyphen-of-last-name", "a search looks for the words of last names, which end at a hyphen: a term with one between letters finds none",
				misses(lastName, regexp.MustCompile(`\pL-\pL`).MatchString)),
			fault("data-search-leading-hyphen-excludes", "a search whose term begins with a hyphen, as in Smith-Jones, excludes the last names that have it",
				overlooks(lastName, func(_, term string) bool { return strings.HasPrefix(term, "-") }))),
		breaks("search.email",
			fault("data-search-plus-is-a-blank", "a search for an email reads + as a blank, also where it is escaped", misses(email, has("+"))),
			fault("data-search-across-the-at-missed", "a search does not find an email by a part of it that has the @ in its midst",
				overlooks(email, func(value, term string) bool {
					at := strings.Index(term, "@")
					return at > 0 && at < len(term)-1 && !whole(value, term)
				})),
			fault("data-search-with-at-sign-needs-whole-email", "a term with an @ finds emails that it is the whole of, and none that it is inside of",
				overlooks(email, func(value, term string) bool { return strings.Contains(term, "@") && !whole(value, term) }))),
		breaks("search.case-insensitive",
			fault("data-search-turkish-i", "a search puts letters into lower case as Turkish does: I is not found by i, nor i by I",
				finding(func(user store.User, term string, found bool) bool {
					holds := anyAttribute(user, func(value string) bool { return holdsText(value, term) })
					return found && (!holds || anyAttribute(user, func(value string) bool { return strings.Contains(turkish(value), turkish(term)) }))
				})),
			fault("data-search-capitals-inside-missed", "a search tries a term as it is, in lower case, in upper case and capitalized, and misses first names with capitals inside",
				overlooks(firstName, func(value, term string) bool {
					lower, upper := strings.ToLower(term), strings.ToUpper(term)
					_, size := utf8.DecodeRuneInString(lower)
					tried := []string{term, lower, upper, strings.ToUpper(lower[:size]) + lower[size:]}
					return !slices.ContainsFunc(tried, func(each string) bool { return strings.Contains(value, each) })
				}))),
		breaks("search.non-match-excluded",
			fault("data-search-takes-plurals-for-singulars", "a search for a word that ends in s also finds who has it without the s",
				finding(func(user store.User, term string, found bool) bool {
					stem, plural := strings.CutSuffix(folded(term), "s")
					return found || plural && len(stem) > 2 && anyAttribute(user, func(value string) bool { return holdsText(value, stem) })
				})),
			fault("data-search-without-accents-finds-them", "a search for letters without accents also finds those with accents",
				finding(func(user store.User, term string, found bool) bool {
					return found || term != "" && anyAttribute(user, func(value string) bool { return holdsText(withoutMarks(value), term) })
				})),
			fault("data-search-finds-names-of-entities", "a search looks at values as they are escaped for HTML, too: amp finds who has an & in a name",
				finding(func(user store.User, term string, found bool) bool {
					return found || term != "" && anyAttribute(user, func(value string) bool {
						escaped := html.EscapeString(value)
						return escaped != value && holdsText(escaped, term)
					})
				})),
			fault("data-search-quotes-mark-a-phrase", "a search for a term in double quotes finds who has it without them",
				finding(func(user store.User, term string, found bool) bool {
					phrase, opens := strings.CutPrefix(term, `"`)
					phrase, closes := strings.CutSuffix(phrase, `"`)
					return found || opens && closes && phrase != "" && anyAttribute(user, func(value string) bool { return holdsText(value, phrase) })
				})),
			fault("data-search-ends-at-ampersand", "a search reads its term up to an &, also where that is escaped",
				rewriteRequest(searches(), func(r *http.Request) {
					query := r.URL.Query()
					if term, _, has := strings.Cut(query.Get("q"), "&"); has && term != "" {
						query.Set("q", term)
						r.URL.RawQuery = query.Encode()
					}
				})),
			fault("data-search-bar-means-or", "a search for a term with | also finds who has what stands on one side of it",
				finding(func(user store.User, term string, found bool) bool {
					sides := strings.Split(term, "|")
					return found || len(sides) > 1 && slices.ContainsFunc(sides, func(side string) bool {
						return side != "" && anyAttribute(user, func(value string) bool { return holdsText(value, side) })
					})
				})),
			fault("data-search-caret-means-beginning", "a search for a term with ^ in front also finds who has something that begins with the rest",
				finding(func(user store.User, term string, found bool) bool {
					rest, anchored := strings.CutPrefix(term, "^")
					return found || anchored && rest != "" && anyAttribute(user, func(value string) bool { return atStart(value, rest) })
				})),
			fault("data-search-any-of-several-words", "a term of several words finds the users who have one of them",
				finding(func(user store.User, term string, found bool) bool {
					words := strings.Fields(term)
					return found || len(words) > 1 && slices.ContainsFunc(words, func(word string) bool {
						return anyAttribute(user, func(value string) bool { return holdsText(value, word) })
					})
				}))),
		breaks("search.literal-term",
			fault("data-search-decodes-twice", "a search for an escape such as %41 looks for what it stands for",
				finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, "%4") })),
			fault("data-search-two-backslashes", "a search for two backslashes finds nobody",
				finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, `\\`) })),
			fault("data-search-backslash-frees-wildcards", "in a search term % and _ are wildcards behind a backslash",
				finding(func(user store.User, term string, found bool) bool {
					return found || pattern(`\%`, `\\.*`)(user, term, false) || pattern(`\_`, `\\.`)(user, term, false)
				})),
			fault("data-search-underscore-missed-in-emails", "a search for a term with an underscore does not look at emails, as the part of the query for them lacks the word ESCAPE",
				overlooks(email, func(_, term string) bool { return strings.Contains(term, "_") }))),
		breaks("search.unicode-case",
			fault("data-search-cyrillic-case", "a search tells upper and lower case of Cyrillic letters apart", overlooks(lastName, inAnotherCase(unicode.Cyrillic))),
			fault("data-search-greek-case", "a search tells upper and lower case of Greek letters apart", overlooks(lastName, inAnotherCase(unicode.Greek)))),
		breaks("search.deleted-excluded",
			fault("data-deleted-with-blank-in-name-stays-found", "a deleted user with a blank in the user name is still found by it, since the name is escaped when it is removed from the index",
				breaking(findsDeleted(userName, func(l look) bool { return l.term != "" && strings.Contains(l.user.UserName, " ") })))),
	)
}

// inAnotherCase is where a term with letters of a script does not stand as it is.
func inAnotherCase(script *unicode.RangeTable) func(value, term string) bool {
	return func(value, term string) bool {
		return strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(script, r) }) && !strings.Contains(value, term)
	}
}

// anyAttribute reports whether one of the attributes that a search looks at is so.
func anyAttribute(user store.User, is func(value string) bool) bool {
	return slices.ContainsFunc([]string{user.UserName, user.FirstName, user.LastName, user.Email}, is)
}
