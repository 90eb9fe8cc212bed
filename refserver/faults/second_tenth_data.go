package faults

import (
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// tenthUserData are the faults of certain texts of users, where they are decoded,
// quoted and compared.
func tenthUserData() []Fault {
	return slices.Concat(
		breaks("sessions.login.email",
			fault("data-login-email-plus-read-as-space", "a login by an email with a + is refused, as it is decoded like a form",
				rewriteBody(logsInByEmail(), mapText("email", func(email string) string { return strings.ReplaceAll(email, "+", " ") })))),
		breaks("search.last-name",
			fault("data-search-last-name-with-apostrophe-missed", "a search for a part of a last name with an apostrophe finds nobody, as it is escaped twice",
				overlooks(lastName, func(_, term string) bool { return strings.Contains(term, "'") }))),
		breaks("users.me.update.applies",
			fault("data-update-of-last-name-in-case-alone-ignored", "an update that changes nothing but upper and lower case in the last name leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.LastName
							if change(user); strings.EqualFold(before, user.LastName) {
								user.LastName = before
							}
						})
					}
				})),
			fault("data-update-url-percent-escapes-decoded", "an update decodes the percent escapes in a url",
				rewriteBody(updatesUser(), mapText("url", func(text string) string {
					if decoded, err := url.PathUnescape(text); err == nil {
						return decoded
					}
					return text
				})))),
		breaks("users.create.echo",
			fault("data-social-network-with-dot-renamed", "the answer to a create has an underscore for each dot in the name of a social network, as the keys in the store have none",
				rewriteObject(createsUser(), within("social_ids", func(ids map[string]any) {
					for network, id := range maps.Clone(ids) {
						delete(ids, network)
						ids[strings.ReplaceAll(network, ".", "_")] = id
					}
				})))),
	)
}

// tenthEventData are those of certain values of events, where they are kept, shown and purged.
func tenthEventData() []Fault {
	const millionth = 1e6
	rounded := func(degrees float64) float64 { return math.Round(degrees*millionth) / millionth }
	located := func(events []store.Event) []store.Event {
		return without(slices.Clone(events), func(event store.Event) bool { return event.Latitude == nil })
	}
	return slices.Concat(
		breaks("feed.event-shape",
			fault("data-feed-rounds-coordinates-to-six-places", "a feed shows coordinates with six decimal places",
				rewriteEach(readsFeed(), func(event map[string]any) {
					mapDegrees("latitude", rounded)(event)
					mapDegrees("longitude", rounded)(event)
				}))),
		breaks("events.create.echo",
			fault("data-display-name-language-tags-in-lower-case", "the language codes of a new event's display names are put into lower case: pt-BR becomes pt-br",
				rewriteBody(createsEvent(), within("object", lowerCasedKeys("display_name"))))),
		breaks("feed.purge.followers",
			fault("data-purge-forgets-events-with-coordinates", "those of a deleted user's events that have coordinates stay in the feeds of followers",
				purgePassesOver(located, followersAlone, atOnce))),
	)
}
