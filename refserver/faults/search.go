package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"

	"github.com/socialfeed/conform/refserver/store"
)

func search() []Fault {
	return slices.Concat(searchAnswers(), searchAttributes(), searchCases(), searchWords(), searchExclusions(), searchPatterns(), searchDeletions())
}

// searchesFor picks the searches for terms with a text in them.
func searchesFor(text string) match {
	return searches().and(func(r *http.Request) bool { return strings.Contains(r.URL.Query().Get("q"), text) })
}

// searchAnswers are the faults of what a search answers (Endpoints, row 8).
func searchAnswers() []Fault {
	return slices.Concat(
		breaks("search.status",
			fault("search-answers-206", "a search answers 206", rewriteResponse(searches(), status(206))),
			fault("search-wraps-results", "a search answers an object that holds the array",
				rewriteResponse(searches(), wrapped("users"))),
			fault("search-answers-ids", "a search answers ids in place of users", rewriteResponse(searches(), inList(func(users []any) []any {
				for i, user := range users {
					users[i] = user.(map[string]any)["id"]
				}
				return users
			})))),
		breaks("search.no-match-empty",
			fault("search-no-match-answers-404", "a search without matches answers 404", whereEmpty(searches(), 404, "{}")),
			fault("search-no-match-answers-204", "a search without matches answers 204", whereEmpty(searches(), 204, "")),
			fault("search-no-match-answers-object", "a search without matches answers an empty object", whereEmpty(searches(), 200, "{}")),
			fault("search-no-match-suggests-users", "a search without matches answers users who might be meant",
				answers(searches(), func(q asked) {
					if own := q.own(); q.ok() && q.empty() && own != nil {
						q.body = encode([]any{own})
					}
				}))),
	)
}

// searchWords are the faults of terms of several words, and of characters that
// some query language gives a meaning to (Endpoints, rule 2).
func searchWords() []Fault {
	twoWords := func(_, term string) bool { return strings.Contains(term, " ") }
	return slices.Concat(
		breaks("search.first-name",
			fault("search-first-names-by-single-words", "a search finds first names by single words alone", overlooks(firstName, twoWords))),
		breaks("search.last-name",
			fault("search-last-names-by-single-words", "a search finds last names by single words alone", overlooks(lastName, twoWords))),
		breaks("search.email",
			fault("search-email-without-domain", "a search does not look at the end of an email",
				overlooks(email, func(_, term string) bool { return strings.HasSuffix(term, ".com") }))),
		breaks("search.non-match-excluded",
			fault("search-any-of-the-words", "a search for several words finds users that have only one of them",
				finding(func(user store.User, term string, found bool) bool {
					return found || slices.ContainsFunc(strings.Fields(term), func(word string) bool {
						return holdsText(user.UserName, word) || holdsText(user.FirstName, word)
					})
				}))),
		breaks("search.literal-term",
			fault("search-brackets-find-nobody", "a search term with ( finds nobody",
				finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, "(") })),
			fault("search-plus-is-refused", "a search term with + is answered with 400", rewriteResponse(searchesFor("+"), replaceSuccess(400, "{}")))),
		breaks("errors.no-5xx",
			fault("search-quote-fails", "a search term with ' is answered with 500",
				rewriteResponse(searchesFor("'"), replaceSuccess(500, complaint("internal server error"))))),
	)
}

// finder reports whether a search finds a user; found is the server's own result.
type finder func(user store.User, term string, found bool) bool

// finding replaces how a search tells whether it finds a user.
func finding(finds finder) mutation {
	return breaking(findingBy(func(l look, found bool) bool { return finds(l.user, l.term, found) }))
}

// findingBy is finding that also knows of before.
func findingBy(finds func(l look, found bool) bool) effect {
	return searching(func(l look, hits []User) []User {
		return slices.DeleteFunc(l.everyone(), func(user User) bool {
			return !finds(l.on(user), slices.ContainsFunc(hits, func(hit User) bool { return hit.ID == user.ID }))
		})
	})
}

// attribute is a part of a user that a search looks at.
type attribute func(store.User) string

func userName(user store.User) string  { return user.UserName }
func firstName(user store.User) string { return user.FirstName }
func lastName(user store.User) string  { return user.LastName }
func email(user store.User) string     { return user.Email }

// overlooks makes a search miss some matches in one attribute; matches in other
// attributes are found.
func overlooks(in attribute, way func(value, term string) bool) mutation {
	return finding(func(user store.User, term string, found bool) bool {
		return found && !(foundBy(in, user, term) && way(in(user), term))
	})
}

// foundBy reports whether a user has a term in one attribute and in no other.
func foundBy(in attribute, user store.User, term string) bool {
	bearers := 0
	for _, part := range []attribute{userName, firstName, lastName, email} {
		if holdsText(part(user), term) {
			bearers++
		}
	}
	return bearers == 1 && holdsText(in(user), term)
}

// holdsText reports whether a text has a term in it, without regard to case.
func holdsText(text, term string) bool { return strings.Contains(folded(text), folded(term)) }

func folded(text string) string { return strings.ToLower(text) }

// The ways in which a value holds a term.
func atStart(value, term string) bool { return strings.HasPrefix(folded(value), folded(term)) }
func atEnd(value, term string) bool   { return strings.HasSuffix(folded(value), folded(term)) }
func whole(value, term string) bool   { return folded(value) == folded(term) }

// searchAttributes are the faults of where a search looks (Endpoints, rule 2).
func searchAttributes() []Fault {
	notAtStart := func(value, term string) bool { return !atStart(value, term) }
	return slices.Concat(
		breaks("search.exact",
			fault("search-misses-whole-user-names", "a search finds a user name by parts of it, and not by all of it",
				finding(func(user store.User, term string, found bool) bool { return found && user.UserName != term })),
			fault("search-misses-who-never-logged-in", "a search finds those alone who have logged in",
				finding(func(user store.User, term string, found bool) bool { return found && !user.LastLogin.IsZero() }))),
		breaks("search.user-name",
			fault("search-user-name-by-start", "a search finds a user name by its beginning alone", overlooks(userName, notAtStart)),
			fault("search-user-name-overlooks-end", "a search overlooks the end of a user name, unless the term is all of it",
				overlooks(userName, func(value, term string) bool { return atEnd(value, term) && !whole(value, term) }))),
		breaks("search.first-name",
			fault("search-first-name-by-words", "a search finds a first name by all of it alone",
				overlooks(firstName, func(value, term string) bool { return !whole(value, term) })),
			fault("search-looks-for-user-names-that-begin-alike", "a search looks at user names in place of first names, and takes those that begin as the term does",
				finding(func(user store.User, term string, found bool) bool {
					const alike = 3
					begins := len(term) >= alike && strings.HasPrefix(folded(user.UserName), folded(term)[:alike])
					return begins || found && (holdsText(user.UserName, term) || holdsText(user.LastName, term) || holdsText(user.Email, term))
				})).also("search.non-match-excluded", "who begins alike has the term nowhere"),
			fault("search-first-name-overlooks-middle", "a search finds a first name by its beginning and its end, not by what is between",
				overlooks(firstName, func(value, term string) bool { return !atStart(value, term) && !atEnd(value, term) }))),
		breaks("search.last-name",
			fault("search-last-name-by-start", "a search finds a last name by its beginning alone", overlooks(lastName, notAtStart)),
			fault("search-last-name-after-update", "a search knows the last name that a user was created with, and no later one",
				breaking(findingBy(func(l look, found bool) bool {
					changed := l.last(created, l.other, 0).user.LastName != l.user.LastName && holdsText(l.user.LastName, l.term)
					return found && !(changed && !holdsText(l.user.UserName, l.term) && !holdsText(l.user.FirstName, l.term))
				})))),
		breaks("search.email",
			fault("search-email-up-to-at", "a search finds an email by what stands before the @ alone",
				overlooks(email, func(_, term string) bool { return strings.Contains(term, "@") })),
			fault("search-email-by-start", "a search finds an email by its beginning alone", overlooks(email, notAtStart))),
	)
}

// searchCases are the faults of upper and lower case (Endpoints, rule 2).
func searchCases() []Fault {
	hasUpper := func(text string) bool { return strings.ContainsFunc(text, unicode.IsUpper) }
	return slices.Concat(
		breaks("search.case-insensitive",
			fault("search-email-by-case", "a search finds emails in the case of the term alone",
				overlooks(email, func(value, term string) bool { return !strings.Contains(value, term) })),
			fault("search-folds-terms-alone", "a search puts the term into lower case, and not the last names that it looks at",
				overlooks(lastName, func(value, term string) bool { return !strings.Contains(value, folded(term)) })),
			fault("search-folds-users-alone", "a search puts user names into lower case, and not the term",
				overlooks(userName, func(value, term string) bool { return hasUpper(term) && value != term }))),
		breaks("search.unicode-case",
			fault("search-folds-ascii-alone", "a search tells upper and lower case of letters outside ASCII apart",
				finding(func(user store.User, term string, found bool) bool {
					return found && slices.ContainsFunc([]attribute{userName, firstName, lastName, email}, func(of attribute) bool {
						return foldedASCII(of(user), term)
					})
				})),
			fault("search-folds-accented-terms-alone", "a search puts accented letters of the term into lower case, and not those that it looks at",
				overlooks(firstName, func(value, term string) bool { return !foldedASCII(value, folded(term)) }))),
	)
}

// foldedASCII reports whether a text has a term in it, without regard to the case
// of the letters A to Z.
func foldedASCII(text, term string) bool {
	fold := func(r rune) rune {
		if r <= unicode.MaxASCII {
			return unicode.ToLower(r)
		}
		return r
	}
	return strings.Contains(strings.Map(fold, text), strings.Map(fold, term))
}

// searchExclusions are the faults of finding users who do not have the term
// (Endpoints, rule 2).
func searchExclusions() []Fault {
	return breaks("search.non-match-excluded",
		fault("search-finds-parts-of-the-term", "a search finds user names that are parts of the term",
			finding(func(user store.User, term string, found bool) bool { return found || holdsText(term, user.UserName) })),
		fault("search-forgives-a-letter", "a search finds names that are one letter off the term", finding(nearly(1))),
		fault("search-forgives-two-letters-that-changed-places", "a search finds names in which two letters of the term changed places",
			finding(func(user store.User, term string, found bool) bool {
				near := nearly(2)(user, term, false)
				return found || near && slices.ContainsFunc([]attribute{userName, firstName, lastName}, func(of attribute) bool {
					return sortedLetters(of(user)) == sortedLetters(term)
				})
			})),
		fault("search-joins-names", "a search looks at first and last name as one text",
			finding(func(user store.User, term string, found bool) bool {
				return found || holdsText(user.FirstName+user.LastName, term)
			})),
		fault("search-adds-the-newest", "a search that finds users by their names adds one of those who are new",
			breaking(searching(func(l look, hits []User) []User {
				if len(hits) == 0 || !strings.EqualFold(hits[0].UserName, l.term) {
					return hits
				}
				everyone := l.everyone()
				if i := slices.IndexFunc(everyone, func(user User) bool { return user.ID == hits[0].ID }); i > 0 {
					hits = append(hits, everyone[i-1])
				}
				return hits
			}))),
		fault("search-adds-the-newest-always", "a search that finds anybody adds the newest user of all",
			breaking(searching(func(l look, hits []User) []User {
				if len(hits) == 0 {
					return hits
				}
				newest := slices.MaxFunc(l.everyone(), func(a, b User) int { return a.CreatedAt.Compare(b.CreatedAt) })
				if !slices.ContainsFunc(hits, func(user User) bool { return user.ID == newest.ID }) {
					hits = append(hits, newest)
				}
				return hits
			}))),
		fault("search-keeps-old-first-names", "a search finds users by first names that they no longer have",
			breaking(findingBy(func(l look, found bool) bool {
				first := l.last(created, l.other, 0).user.FirstName
				return found || first != "" && holdsText(first, l.term)
			}))))
}

// nearly finds names that so many letters more, less or other make of the term.
func nearly(most int) finder {
	return func(user store.User, term string, found bool) bool {
		return found || slices.ContainsFunc([]attribute{userName, firstName, lastName}, func(of attribute) bool {
			return of(user) != "" && levenshtein.ComputeDistance(folded(of(user)), folded(term)) <= most
		})
	}
}

func sortedLetters(text string) string {
	return string(slices.Sorted(slices.Values([]byte(folded(text)))))
}

// searchPatterns are faults of characters with a special meaning.
func searchPatterns() []Fault {
	return breaks("search.literal-term",
		fault("search-percent-is-a-wildcard", "in a search term % stands for any characters", finding(pattern("%", ".*"))),
		fault("search-underscore-is-a-wildcard", "in a search term _ stands for any one character", finding(pattern("_", "."))),
		fault("search-asterisk-is-a-wildcard", "in a search term * stands for any characters", finding(pattern("*", ".*"))),
		fault("search-dot-is-a-wildcard", "in a search term . stands for any one character", finding(pattern(".", "."))),
		fault("search-backslash-is-dropped", "in a search term \\ stands for nothing", finding(pattern(`\`, ""))),
		fault("search-percent-is-not-found", "a search term with % finds nobody",
			finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, "%") })),
		fault("search-backslash-is-refused", "a search term with \\ is answered with 400",
			rewriteResponse(searchesFor(`\`), replaceSuccess(400, "{}"))))
}

// pattern reads a term as a pattern for names in which a character has a meaning.
func pattern(character, meaning string) finder {
	return func(user store.User, term string, found bool) bool {
		if found || !strings.Contains(term, character) || strings.Contains(term, "@") {
			return found
		}
		parts := strings.Split(term, character)
		for i, part := range parts {
			parts[i] = regexp.QuoteMeta(part)
		}
		names, err := regexp.Compile("(?i)" + strings.Join(parts, meaning))
		return err == nil && (names.MatchString(user.FirstName) || names.MatchString(user.LastName))
	}
}

// searchDeletions are the faults of deleted users in searches (States and
// transitions, row 'user exists').
func searchDeletions() []Fault {
	return breaks("search.deleted-excluded",
		fault("search-keeps-deleted-users", "a search still finds deleted users", breaking(findsDeleted(userName, always))),
		fault("search-keeps-deleted-emails", "a search still finds deleted users by their emails", breaking(findsDeleted(email, always))),
		fault("search-brings-deleted-users-back", "a second after its deletion a search finds a user again", breaking(findsDeleted(userName, aMomentAgo))))
}
