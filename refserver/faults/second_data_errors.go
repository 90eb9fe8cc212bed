package faults

import (
	"net/http"
	"strings"
)

// dataErrors are the faults of values that are in order, and that the server fails at.
func dataErrors() []Fault {
	unbalanced := searches().and(func(r *http.Request) bool {
		term := r.URL.Query().Get("q")
		return strings.Count(term, "(") > strings.Count(term, ")") || strings.Count(term, "[") > strings.Count(term, "]")
	})
	long := func(value any) bool { text, _ := value.(string); return len(text) > 72 }
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
