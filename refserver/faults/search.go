package faults

import (
	"net/http"
	"slices"
	"strings"

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
				rewriteResponse(searches(), onStatus(200, func(_ *http.Request, resp *response) {
					resp.json(func(list any) any { return map[string]any{"users": list} })
				}))),
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
				intercept(searches(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if own := ownRecord(next, r); resp.ok() && resp.empty() && own != nil {
						resp.body = encode([]any{own})
					}
					return resp
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
			fault("search-any-of-the-words", "a search for several words finds whoever has one of them",
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
