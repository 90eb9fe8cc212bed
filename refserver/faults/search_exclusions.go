package faults

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// searchExclusions are the faults of finding users who do not have the term
// (Endpoints, rule 2).
func searchExclusions() []Fault {
	const rule = "search.non-match-excluded"
	return []Fault{
		{
			Name: "search-finds-parts-of-the-term", Rule: rule,
			Summary: "a search finds user names that stand in the term",
			Apply: finding(func(user store.User, term string, found bool) bool {
				return found || holdsText(term, user.UserName)
			}),
		},
		{
			Name: "search-joins-names", Rule: rule,
			Summary: "a search looks at first and last name as one text",
			Apply: finding(func(user store.User, term string, found bool) bool {
				return found || holdsText(user.FirstName+user.LastName, term)
			}),
		},
		{
			Name: "search-adds-the-newest", Rule: rule,
			Summary: "a search that finds users by their names adds one of those who are new",
			Apply:   newestFound,
		},
		{
			Name: "search-keeps-old-first-names", Rule: rule,
			Summary: "a search finds users by first names that they no longer have",
			Apply:   oldFirstNamesFound,
		},
	}
}

// newestFound adds the user before the first hit of a search for a whole user name.
func newestFound(o *refserver.Options) {
	behind(func(s refserver.Store) refserver.Store { return &padded{s} })(o)
}

type padded struct{ refserver.Store }

func (p *padded) Search(app store.App, term string) ([]store.User, error) {
	hits, err := p.Store.Search(app, term)
	if err != nil || len(hits) == 0 || !strings.EqualFold(hits[0].UserName, term) {
		return hits, err
	}
	everyone, err := p.Store.Search(app, "")
	for i, user := range everyone {
		if i > 0 && user.ID == hits[0].ID {
			hits = append(hits, everyone[i-1])
		}
	}
	return hits, err
}

func oldFirstNamesFound(o *refserver.Options) {
	first := &memory[string]{}
	behind(func(s refserver.Store) refserver.Store {
		finds := func(user store.User, term string, found bool) bool {
			old, known := first.get(keyOf(user.App, user.ID))
			return found || known && old != "" && holdsText(old, term)
		}
		return &creations{Store: &searchStore{s, finds}, created: func(user store.User) {
			first.keep(keyOf(user.App, user.ID), user.FirstName)
		}}
	})(o)
}

// searchPatterns are the faults of characters that are no mere characters.
func searchPatterns() []Fault {
	const rule = "search.literal-term"
	return []Fault{
		{
			Name: "search-percent-is-a-wildcard", Rule: rule,
			Summary: "in a search term % stands for any characters",
			Apply:   finding(pattern("%", ".*")),
		},
		{
			Name: "search-underscore-is-a-wildcard", Rule: rule,
			Summary: "in a search term _ stands for any one character",
			Apply:   finding(pattern("_", ".")),
		},
		{
			Name: "search-asterisk-is-a-wildcard", Rule: rule,
			Summary: "in a search term * stands for any characters",
			Apply:   finding(pattern("*", ".*")),
		},
		{
			Name: "search-dot-is-a-wildcard", Rule: rule,
			Summary: "in a search term . stands for any one character",
			Apply:   finding(pattern(".", ".")),
		},
		{
			Name: "search-backslash-is-dropped", Rule: rule,
			Summary: "in a search term \\ stands for nothing",
			Apply:   finding(pattern(`\`, "")),
		},
		{
			Name: "search-percent-is-not-found", Rule: rule,
			Summary: "a search term with % finds nobody",
			Apply: finding(func(_ store.User, term string, found bool) bool {
				return found && !strings.Contains(term, "%")
			}),
		},
		{
			Name: "search-backslash-is-refused", Rule: rule,
			Summary: "a search term with \\ is answered with 400",
			Apply: edit(searches(), func(r *http.Request, resp *response) {
				if strings.Contains(r.URL.Query().Get("q"), `\`) && resp.ok() {
					resp.status, resp.body = http.StatusBadRequest, []byte("{}")
				}
			}),
		},
	}
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
	const rule = "search.deleted-excluded"
	found := func(by attribute, after time.Duration) func(*refserver.Options) {
		return behind(func(s refserver.Store) refserver.Store { return &searchGhosts{Store: s, by: by, after: after} })
	}
	return []Fault{
		{
			Name: "search-keeps-deleted-users", Rule: rule,
			Summary: "a search still finds deleted users",
			Apply:   found(userName, 0),
		},
		{
			Name: "search-keeps-deleted-emails", Rule: rule,
			Summary: "a search still finds deleted users by their emails",
			Apply:   found(email, 0),
		},
		{
			Name: "search-brings-deleted-users-back", Rule: rule,
			Summary: "a second after its deletion a search finds a user again",
			Apply:   found(userName, time.Second),
		},
	}
}

// searchGhosts finds deleted users by one attribute.
type searchGhosts struct {
	refserver.Store
	by    attribute
	after time.Duration // how long they are gone

	mu      sync.Mutex
	deleted []ghost
}

type ghost struct {
	app  store.App
	user store.User
	at   time.Time
}

func (g *searchGhosts) DeleteUser(app store.App, id store.ID) error {
	user, missing := g.Store.User(app, id)
	err := g.Store.DeleteUser(app, id)
	if missing == nil && err == nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.deleted = append(g.deleted, ghost{app, user, time.Now()})
		g.deleted = g.deleted[max(0, len(g.deleted)-mostKept):]
	}
	return err
}

func (g *searchGhosts) Search(app store.App, term string) ([]store.User, error) {
	hits, err := g.Store.Search(app, term)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ghost := range g.deleted {
		if ghost.app == app && time.Since(ghost.at) >= g.after && holdsText(g.by(ghost.user), term) {
			hits = append(hits, ghost.user)
		}
	}
	return hits, err
}
