package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver/store"
)

// searchWords are the faults of terms of several words, and of characters that
// some query language gives a meaning to (Endpoints, rule 2).
func searchWords() []Fault {
	twoWords := func(_, term string) bool { return strings.Contains(term, " ") }
	return []Fault{
		{
			Name: "search-first-names-by-single-words", Rule: "search.first-name",
			Summary: "a search finds first names by single words alone",
			Apply:   overlooks(firstName, twoWords),
		},
		{
			Name: "search-last-names-by-single-words", Rule: "search.last-name",
			Summary: "a search finds last names by single words alone",
			Apply:   overlooks(lastName, twoWords),
		},
		{
			Name: "search-email-without-domain", Rule: "search.email",
			Summary: "a search does not look at the end of an email",
			Apply:   overlooks(email, func(_, term string) bool { return strings.HasSuffix(term, ".com") }),
		},
		{
			Name: "search-any-of-the-words", Rule: "search.non-match-excluded",
			Summary: "a search for several words finds whoever has one of them",
			Apply: finding(func(user store.User, term string, found bool) bool {
				for _, word := range strings.Fields(term) {
					found = found || holdsText(user.UserName, word) || holdsText(user.FirstName, word)
				}
				return found
			}),
		},
		{
			Name: "search-brackets-find-nobody", Rule: "search.literal-term",
			Summary: "a search term with ( finds nobody",
			Apply:   finding(func(_ store.User, term string, found bool) bool { return found && !strings.Contains(term, "(") }),
		},
		{
			Name: "search-plus-is-refused", Rule: "search.literal-term",
			Summary: "a search term with + is answered with 400",
			Apply:   edit(searchesFor("+"), answers(http.StatusBadRequest, "{}")),
		},
		{
			Name: "search-quote-fails", Rule: "errors.no-5xx",
			Summary: "a search term with ' is answered with 500",
			Apply:   edit(searchesFor("'"), answers(http.StatusInternalServerError, complaint("internal server error"))),
		},
	}
}

// searchesFor picks the searches for terms with a text in them.
func searchesFor(text string) match {
	return searches().and(func(r *http.Request) bool { return strings.Contains(r.URL.Query().Get("q"), text) })
}
