package faults

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sixthUserData are the faults of certain values of users, where they are compared, tidied
// and looked up.
func sixthUserData() []Fault {
	defaultPort := regexp.MustCompile(`^(https://[^/:?#]+):443\b|^(http://[^/:?#]+):80\b`)
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("data-update-of-metadata-alone-ignored", "an update that leaves all texts of the user as they were leaves the metadata as it was, too",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := *user
							if change(user); slices.Equal(textsOfUser(before), textsOfUser(*user)) {
								user.Metadata = before.Metadata
							}
						})
					}
				}))),
		breaks("users.create.echo",
			fault("data-url-loses-default-port", "a new user's url loses the port that its scheme has anyway",
				rewriteBody(createsUser(), mapText("url", func(url string) string { return defaultPort.ReplaceAllString(url, "$1$2") })))),
		breaks("sessions.login.user-name",
			fault("data-login-by-name-with-colon-unknown", "a login by a user name with a colon finds nobody, as the key of the index ends at one",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
						if strings.Contains(userName, ":") {
							return store.User{}, store.ErrNotFound
						}
						return inner.Identify(app, userName, email, password)
					}
				}))),
		breaks("search.non-match-excluded",
			fault("data-search-ends-at-ampersand", "a search reads its term up to an &, also where that is escaped",
				rewriteRequest(searches(), func(r *http.Request) {
					query := r.URL.Query()
					if term, _, has := strings.Cut(query.Get("q"), "&"); has && term != "" {
						query.Set("q", term)
						r.URL.RawQuery = query.Encode()
					}
				}))),
		breaks("sessions.login.email",
			fault("data-login-by-email-with-hyphen-in-domain-refused", "a login by an email with a hyphen in its domain is answered with 422, as the pattern for emails knows of none",
				rewriteResponse(logsIn().and(sendsA("email", hasHyphenInDomain)), replaceSuccess(422, complaint("email is malformed"))))),
	)
}

// textsOfUser are what a comparison looks at that knows of texts alone.
func textsOfUser(user store.User) []string {
	return []string{user.UserName, user.FirstName, user.LastName, user.Email, user.URL, user.CustomID}
}

func hasHyphenInDomain(email any) bool {
	text, _ := email.(string)
	_, domain, _ := strings.Cut(text, "@")
	return strings.Contains(domain, "-")
}

// sixthEventData are those of certain values of events, and of whose events they are.
func sixthEventData() []Fault {
	isWhole := func(value any) bool {
		number, is := value.(json.Number)
		return is && !strings.ContainsAny(number.String(), ".eE")
	}
	return slices.Concat(
		breaks("events.update.applies",
			fault("data-change-to-whole-degrees-ignored", "a change of an event passes over a coordinate that is written without a point",
				rewriteBody(updatesEvent(), func(event map[string]any) {
					ignoring("latitude", isWhole)(event)
					ignoring("longitude", isWhole)(event)
				}))),
		breaks("feed.event-shape",
			fault("data-feed-verbs-lose-their-namespace", "in a feed a verb lacks what stands before a colon in it",
				rewriteEach(readsFeed(), mapText("verb", func(verb string) string {
					if _, name, has := strings.Cut(verb, ":"); has && name != "" {
						return name
					}
					return verb
				})))),
		breaks("feed.purge.keeps-others",
			fault("data-purge-takes-events-of-names-that-begin-alike", "with a deleted user's events those leave the feeds of its followers whose owners have a user name that begins with the one of the deleted",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						owner, unknown := inner.User(r.app, event.Owner)
						return unknown == nil && slices.ContainsFunc(deleted.in(r.app), func(gone deletion) bool {
							rest, alike := strings.CutPrefix(owner.UserName, gone.user.UserName)
							return alike && rest != "" && gone.user.UserName != "" && gone.isOlder(event) && slices.Contains(gone.followers, r.id)
						})
					})
				}))),
	)
}
