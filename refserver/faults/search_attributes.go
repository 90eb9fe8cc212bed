package faults

import (
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// finder says whether a search finds a user; found is what the server says of it.
type finder func(user store.User, term string, found bool) bool

// finding replaces how a search tells whether it finds a user.
func finding(finds finder) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) { s.searchBy(finds) })
}

func (s *overrides) searchBy(finds finder) {
	s.search = func(app store.App, term string) ([]store.User, error) {
		everyone, err := s.Store.Search(app, "")
		if err != nil {
			return nil, err
		}
		hits, err := s.Store.Search(app, term)
		return slices.DeleteFunc(everyone, func(user store.User) bool {
			found := slices.ContainsFunc(hits, func(hit store.User) bool { return hit.ID == user.ID })
			return !finds(user, term, found)
		}), err
	}
}

// findingFirst is finding that also knows what an attribute was when the user was created.
func findingFirst(of attribute, finds func(user store.User, first, term string, found bool) bool) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		first := &memory[string]{}
		s.onCreateUser(func(user store.User) { first.keep(keyOf(user.App, user.ID), of(user)) })
		s.searchBy(func(user store.User, term string, found bool) bool {
			return finds(user, first.get(keyOf(user.App, user.ID)), term, found)
		})
	})
}

// attribute is a part of a user that a search looks at.
type attribute func(store.User) string

func userName(user store.User) string  { return user.UserName }
func firstName(user store.User) string { return user.FirstName }
func lastName(user store.User) string  { return user.LastName }
func email(user store.User) string     { return user.Email }

// overlooks lets a search miss, in one attribute, what stands there in a way;
// what another attribute has too is found.
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
				findingFirst(lastName, func(user store.User, first, term string, found bool) bool {
					changed := first != user.LastName && holdsText(user.LastName, term)
					return found && !(changed && !holdsText(user.UserName, term) && !holdsText(user.FirstName, term))
				}))),
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
