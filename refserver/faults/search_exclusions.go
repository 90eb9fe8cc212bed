package faults

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agnivade/levenshtein"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// searchExclusions are the faults of finding users who do not have the term
// (Endpoints, rule 2).
func searchExclusions() []Fault {
	return breaks("search.non-match-excluded",
		fault("search-finds-parts-of-the-term", "a search finds user names that stand in the term",
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
		fault("search-adds-the-newest", "a search that finds users by their names adds one of those who are new", overrideStore(newestFound)),
		fault("search-adds-the-newest-always", "a search that finds anybody adds the newest user of all", overrideStore(newestAdded)),
		fault("search-keeps-old-first-names", "a search finds users by first names that they no longer have",
			findingFirst(firstName, func(user store.User, first, term string, found bool) bool {
				return found || first != "" && holdsText(first, term)
			})))
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

// newestFound adds the user before the first hit of a search for a whole user name.
func newestFound(inner refserver.Store, s *overrides) {
	s.search = func(app store.App, term string) ([]store.User, error) {
		hits, err := inner.Search(app, term)
		if err != nil || len(hits) == 0 || !strings.EqualFold(hits[0].UserName, term) {
			return hits, err
		}
		everyone, err := inner.Search(app, "")
		for i, user := range everyone {
			if i > 0 && user.ID == hits[0].ID {
				hits = append(hits, everyone[i-1])
			}
		}
		return hits, err
	}
}

// newestAdded adds the newest user to what any search finds.
func newestAdded(inner refserver.Store, s *overrides) {
	s.search = func(app store.App, term string) ([]store.User, error) {
		hits, err := inner.Search(app, term)
		if err != nil || len(hits) == 0 {
			return hits, err
		}
		everyone, err := inner.Search(app, "")
		newest := slices.MaxFunc(everyone, func(a, b store.User) int { return a.CreatedAt.Compare(b.CreatedAt) })
		if !slices.ContainsFunc(hits, func(user store.User) bool { return user.ID == newest.ID }) {
			hits = append(hits, newest)
		}
		return hits, err
	}
}

// searchPatterns are the faults of characters that are no mere characters.
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
		fault("search-keeps-deleted-users", "a search still finds deleted users", deletedFound(userName, 0)),
		fault("search-keeps-deleted-emails", "a search still finds deleted users by their emails", deletedFound(email, 0)),
		fault("search-brings-deleted-users-back", "a second after its deletion a search finds a user again", deletedFound(userName, time.Second)))
}

// deletedFound finds deleted users by one attribute, once they are gone for a while.
func deletedFound(by attribute, after time.Duration) mutation {
	type deletion struct {
		user store.User
		at   time.Time
	}
	return overrideStore(func(inner refserver.Store, s *overrides) {
		var mu sync.Mutex
		var deleted []deletion
		s.onDeleteUser(func(user store.User) {
			mu.Lock()
			defer mu.Unlock()
			deleted = append(deleted[max(0, len(deleted)-mostKept):], deletion{user, time.Now()})
		})
		s.search = func(app store.App, term string) ([]store.User, error) {
			hits, err := inner.Search(app, term)
			mu.Lock()
			defer mu.Unlock()
			for _, gone := range deleted {
				if gone.user.App == app && time.Since(gone.at) >= after && holdsText(by(gone.user), term) {
					hits = append(hits, gone.user)
				}
			}
			return hits, err
		}
	})
}
