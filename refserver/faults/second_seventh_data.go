package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// seventhUserData are the faults of certain values of users, where they are tidied, compared
// and told to a search engine.
func seventhUserData() []Fault {
	hostAlone := regexp.MustCompile(`^https?://[^/?#]+$`)
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-url-of-host-alone-gets-slash", "a new user's url that ends with its host gets a slash behind it",
				rewriteBody(createsUser(), mapText("url", func(url string) string { return hostAlone.ReplaceAllString(url, "$0/") })))),
		breaks("users.me.update.applies",
			fault("data-update-of-query-in-url-ignored", "an update that changes the url behind its question mark alone leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.URL
							change(user)
							old, _, _ := strings.Cut(before, "?")
							if page, _, has := strings.Cut(user.URL, "?"); has && page == old {
								user.URL = before
							}
						})
					}
				}))),
		breaks("search.non-match-excluded",
			fault("data-search-bar-means-or", "a search for a term with | also finds who has what stands on one side of it",
				finding(func(user store.User, term string, found bool) bool {
					sides := strings.Split(term, "|")
					return found || len(sides) > 1 && slices.ContainsFunc(sides, func(side string) bool {
						return side != "" && anyAttribute(user, func(value string) bool { return holdsText(value, side) })
					})
				}))),
		breaks("search.deleted-excluded",
			fault("data-deleted-with-blank-in-name-stays-found", "a search goes on finding, by the user name, a deleted user who has a blank in it, as the index is told of an escaped one", overrideStore(spacedNamesStayFound))),
	)
}

// spacedNamesStayFound leaves deleted users in the index who are looked for there by an
// escaped name.
func spacedNamesStayFound(inner refserver.Store, s *overrides) {
	var mu sync.Mutex
	var left []store.User
	s.onDeleteUser(func(user store.User) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(user.UserName, " ") {
			left = append(left[max(0, len(left)-mostKept):], user)
		}
	})
	s.search = func(app store.App, term string) ([]store.User, error) {
		found, err := inner.Search(app, term)
		mu.Lock()
		defer mu.Unlock()
		for _, user := range left {
			if user.App == app && term != "" && holdsText(user.UserName, term) {
				found = append(found, user)
			}
		}
		return found, err
	}
}

// seventhEventData are those of certain values of events, where they are named by a
// framework's rules, kept in lines, and written to a narrow column.
func seventhEventData() []Fault {
	hump := regexp.MustCompile(`([a-z0-9])([A-Z])`)
	hasAstral := func(r *http.Request) bool {
		return strings.ContainsFunc(string(encode(requestObject(r))), isAstral)
	}
	return slices.Concat(
		breaks("events.create.body",
			fault("data-verb-in-camel-case-underscored", "the verb of a new event that has capitals inside gets underscores for them: addPhoto becomes add_photo",
				rewriteBody(createsEvent(), mapText("verb", changing(hump.MatchString, func(verb string) string {
					return strings.ToLower(hump.ReplaceAllString(verb, "${1}_$2"))
				}))))),
		breaks("feed.event-shape",
			fault("data-feed-location-ends-at-comma", "in a feed a location ends before its first comma",
				rewriteEach(readsFeed(), mapText("location", func(location string) string {
					if place, _, has := strings.Cut(location, ","); has && place != "" {
						return place
					}
					return location
				})))),
		breaks("errors.no-5xx",
			fault("data-change-with-emoji-fails", "a change of an event with a character beyond the Basic Multilingual Plane fails with 500",
				refused(updatesEvent().and(hasAstral), 500, complaint("internal server error")))),
	)
}
