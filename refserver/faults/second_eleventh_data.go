package faults

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eleventhUserData are the faults of texts of users that are decoded or escaped once too often.
func eleventhUserData() []Fault {
	return slices.Concat(
		breaks("sessions.login.email",
			fault("data-login-by-email-with-plus-refused", "a login by an email with a plus sign in it finds nobody, as the plus is read as a blank",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
						if userName == "" {
							email = strings.ReplaceAll(email, "+", " ")
						}
						return inner.Identify(app, userName, email, password)
					}
				}))),
		breaks("search.last-name",
			fault("data-search-misses-last-names-with-apostrophe", "a term with an apostrophe is not found in last names, as they are kept with a backslash before it",
				overlooks(lastName, func(_, term string) bool { return strings.Contains(term, "'") }))),
		breaks("users.me.update.applies",
			fault("data-update-escapes-ampersand-in-url", "an update of the user keeps an & in the url as it is escaped for HTML",
				rewriteBody(updatesUser(), mapText("url", func(url string) string { return strings.ReplaceAll(url, "&", "&amp;") })))),
	)
}

// eleventhEventData are those of values of events that count as none, or are joined to
// what is not there.
func eleventhEventData() []Fault {
	zero := func(value any) bool {
		number, ok := value.(json.Number)
		degrees, err := number.Float64()
		return ok && err == nil && degrees == 0
	}
	unnamedLost := func(event map[string]any) {
		object, _ := event["object"].(map[string]any)
		if names, _ := object["display_name"].(map[string]any); len(names) == 0 {
			delete(event, "object")
		}
	}
	return slices.Concat(
		breaks("events.create.echo",
			fault("data-language-tags-of-display-name-in-lower-case", "the language codes of a new event's display name are kept in lower case, so that en-US becomes en-us",
				rewriteBody(createsEvent(), within("object", lowerCasedKeys("display_name"))))),
		breaks("events.update.applies",
			fault("data-update-to-zero-degrees-ignored", "a change of an event to a latitude or longitude of zero is passed over, as zero counts as not sent",
				combine(rewriteBody(updatesEvent(), ignoring("latitude", zero)), rewriteBody(updatesEvent(), ignoring("longitude", zero))))),
		breaks("feed.event-shape",
			fault("data-feed-loses-objects-without-display-name", "a feed shows an event without its object where that has no display name", rewriteEach(readsFeed(), unnamedLost))),
	)
}
