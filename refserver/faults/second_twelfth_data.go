package faults

import (
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// twelfthUserData are the faults of certain texts of users, where they are decoded,
// quoted and compared.
func twelfthUserData() []Fault {
	return slices.Concat(
		breaks("sessions.login.email",
			fault("data-login-decodes-plus-in-email", "a login reads a plus in the email as a blank, as forms have it, and does not find who has one",
				rewriteBody(logsInByEmail(), mapText("email", func(email string) string { return strings.ReplaceAll(email, "+", " ") })))),
		breaks("search.last-name",
			fault("data-search-doubles-apostrophes", "a search doubles the apostrophes of the term where it looks at last names, and so finds none of them",
				overlooks(lastName, func(_, term string) bool { return strings.Contains(term, "'") }))),
		breaks("users.me.update.applies",
			fault("data-update-of-names-in-case-alone-ignored", "an update that changes no more than upper and lower case of a first or a last name leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							first, last := user.FirstName, user.LastName
							change(user)
							if strings.EqualFold(first, user.FirstName) {
								user.FirstName = first
							}
							if strings.EqualFold(last, user.LastName) {
								user.LastName = last
							}
						})
					}
				}))),
	)
}

// twelfthEventData are those of certain values of events, where they are kept and copied.
func twelfthEventData() []Fault {
	const widest = 99.999999 // what a column of eight digits holds, six of them behind the point
	underscored := func(names map[string]any) {
		for language, name := range maps.Clone(names) {
			delete(names, language)
			names[strings.ReplaceAll(language, "-", "_")] = name
		}
	}
	beforeComma := func(text string) string { first, _, _ := strings.Cut(text, ","); return first }
	return slices.Concat(
		breaks("events.create.coordinates",
			fault("data-longitude-clamped-to-two-digits", "a longitude of a new event beyond 100 degrees becomes the greatest that its column holds, 99.999999",
				rewriteBody(createsEvent(), mapDegrees("longitude", func(degrees float64) float64 { return max(-widest, min(widest, degrees)) })))),
		breaks("events.create.echo",
			fault("data-display-name-languages-as-locales", "a language such as en-US that keys a display name of a new event's object is kept as a locale, en_US",
				rewriteBody(createsEvent(), within("object", within("display_name", underscored))))),
		breaks("feed.event-shape",
			fault("data-feed-location-cut-at-comma-too", "in a feed a location is no more than what it has before the first comma",
				rewriteEach(readsFeed(), mapText("location", beforeComma)))),
	)
}
