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
func finding(finds finder) func(*refserver.Options) {
	return behind(func(s refserver.Store) refserver.Store { return &searchStore{s, finds} })
}

type searchStore struct {
	refserver.Store
	finds finder
}

func (s *searchStore) Search(app store.App, term string) ([]store.User, error) {
	everyone, err := s.Store.Search(app, "")
	if err != nil {
		return nil, err
	}
	hits, err := s.Store.Search(app, term)
	return slices.DeleteFunc(everyone, func(user store.User) bool {
		found := slices.ContainsFunc(hits, func(hit store.User) bool { return hit.ID == user.ID })
		return !s.finds(user, term, found)
	}), err
}

// attribute is a part of a user that a search looks at.
type attribute func(store.User) string

func userName(user store.User) string  { return user.UserName }
func firstName(user store.User) string { return user.FirstName }
func lastName(user store.User) string  { return user.LastName }
func email(user store.User) string     { return user.Email }

// overlooks lets a search miss, in one attribute, what stands there in a way;
// what another attribute has too is found.
func overlooks(in attribute, way func(value, term string) bool) func(*refserver.Options) {
	return finding(func(user store.User, term string, found bool) bool {
		bearers := 0
		for _, part := range []attribute{userName, firstName, lastName, email} {
			if holdsText(part(user), term) {
				bearers++
			}
		}
		return found && !(bearers == 1 && holdsText(in(user), term) && way(in(user), term))
	})
}

// holdsText tells whether a text has a term in it, without regard to case.
func holdsText(text, term string) bool { return strings.Contains(folded(text), folded(term)) }

func folded(text string) string { return strings.ToLower(text) }

// searchAttributes are the faults of where a search looks (Endpoints, rule 2).
func searchAttributes() []Fault {
	atStart := func(value, term string) bool { return strings.HasPrefix(folded(value), folded(term)) }
	atEnd := func(value, term string) bool { return strings.HasSuffix(folded(value), folded(term)) }
	whole := func(value, term string) bool { return folded(value) == folded(term) }
	return []Fault{
		{
			Name: "search-misses-whole-user-names", Rule: "search.exact",
			Summary: "a search finds a user name by parts of it, and not by all of it",
			Apply: finding(func(user store.User, term string, found bool) bool {
				return found && user.UserName != term
			}),
		},
		{
			Name: "search-user-name-by-start", Rule: "search.user-name",
			Summary: "a search finds a user name by its beginning alone",
			Apply:   overlooks(userName, func(value, term string) bool { return !atStart(value, term) }),
		},
		{
			Name: "search-user-name-overlooks-end", Rule: "search.user-name",
			Summary: "a search overlooks the end of a user name, unless the term is all of it",
			Apply:   overlooks(userName, func(value, term string) bool { return atEnd(value, term) && !whole(value, term) }),
		},
		{
			Name: "search-first-name-by-words", Rule: "search.first-name",
			Summary: "a search finds a first name by all of it alone",
			Apply:   overlooks(firstName, func(value, term string) bool { return !whole(value, term) }),
		},
		{
			Name: "search-first-name-overlooks-middle", Rule: "search.first-name",
			Summary: "a search finds a first name by its beginning and its end, not by what is between",
			Apply:   overlooks(firstName, func(value, term string) bool { return !atStart(value, term) && !atEnd(value, term) }),
		},
		{
			Name: "search-last-name-by-start", Rule: "search.last-name",
			Summary: "a search finds a last name by its beginning alone",
			Apply:   overlooks(lastName, func(value, term string) bool { return !atStart(value, term) }),
		},
		{
			Name: "search-last-name-after-update", Rule: "search.last-name",
			Summary: "a search knows the last name that a user was created with, and no later one",
			Apply:   firstLastNamesFound,
		},
		{
			Name: "search-email-up-to-at", Rule: "search.email",
			Summary: "a search finds an email by what stands before the @ alone",
			Apply:   overlooks(email, func(_, term string) bool { return strings.Contains(term, "@") }),
		},
		{
			Name: "search-email-by-start", Rule: "search.email",
			Summary: "a search finds an email by its beginning alone",
			Apply:   overlooks(email, func(value, term string) bool { return !atStart(value, term) }),
		},
	}
}

func firstLastNamesFound(o *refserver.Options) {
	first := &memory[string]{}
	behind(func(s refserver.Store) refserver.Store {
		overlooked := func(user store.User, term string, found bool) bool {
			known, _ := first.get(keyOf(user.App, user.ID))
			changed := known != user.LastName && holdsText(user.LastName, term)
			return found && !(changed && !holdsText(user.UserName, term) && !holdsText(user.FirstName, term))
		}
		return &creations{Store: &searchStore{s, overlooked}, created: func(user store.User) {
			first.keep(keyOf(user.App, user.ID), user.LastName)
		}}
	})(o)
}

// creations tells of every user that is created.
type creations struct {
	refserver.Store
	created func(store.User)
}

func (c *creations) CreateUser(app store.App, user store.User) (store.User, error) {
	made, err := c.Store.CreateUser(app, user)
	if err == nil {
		c.created(made)
	}
	return made, err
}

// searchCases are the faults of upper and lower case (Endpoints, rule 2).
func searchCases() []Fault {
	const ascii, beyond = "search.case-insensitive", "search.unicode-case"
	hasUpper := func(text string) bool { return strings.ContainsFunc(text, unicode.IsUpper) }
	return []Fault{
		{
			Name: "search-email-by-case", Rule: ascii,
			Summary: "a search finds emails in the case of the term alone",
			Apply:   overlooks(email, func(value, term string) bool { return !strings.Contains(value, term) }),
		},
		{
			Name: "search-folds-terms-alone", Rule: ascii,
			Summary: "a search puts the term into lower case, and not the last names that it looks at",
			Apply:   overlooks(lastName, func(value, term string) bool { return !strings.Contains(value, folded(term)) }),
		},
		{
			Name: "search-folds-users-alone", Rule: ascii,
			Summary: "a search puts user names into lower case, and not the term",
			Apply: overlooks(userName, func(value, term string) bool {
				return hasUpper(term) && value != term
			}),
		},
		{
			Name: "search-folds-ascii-alone", Rule: beyond,
			Summary: "a search tells upper and lower case of letters outside ASCII apart",
			Apply: finding(func(user store.User, term string, found bool) bool {
				return found && (foldedASCII(user.FirstName, term) || foldedASCII(user.LastName, term) || foldedASCII(user.UserName, term) || foldedASCII(user.Email, term))
			}),
		},
		{
			Name: "search-folds-accented-terms-alone", Rule: beyond,
			Summary: "a search puts accented letters of the term into lower case, and not those that it looks at",
			Apply: overlooks(firstName, func(value, term string) bool {
				return !foldedASCII(value, folded(term))
			}),
		},
	}
}

// foldedASCII tells whether a text has a term in it, without regard to the case
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
