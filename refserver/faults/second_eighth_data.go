package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eighthUserData are the faults of certain texts of users, where they are compared,
// escaped for a query, and written to a log.
func eighthUserData() []Fault {
	const joiner = "\u200d"
	fallApart := replacing(joiner, "")
	return slices.Concat(
		breaks("users.me.update.password",
			fault("data-new-password-of-other-case-ignored", "an update to a password that differs from the one before in case alone leaves that as it was",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteBody(updatesUser(), func(user map[string]any) {
						before, is := known.by(user)
						if given := fieldText(user, "password"); is && given != before && strings.EqualFold(given, before) {
							delete(user, "password")
						}
					})
				}))),
		breaks("search.literal-term",
			fault("data-search-underscore-missed-in-emails", "a search for a term with an underscore does not look at emails, as the part of the query for them lacks the word ESCAPE",
				overlooks(email, func(_, term string) bool { return strings.Contains(term, "_") }))),
		breaks("sessions.login.email",
			fault("data-login-by-email-doubles-backslashes", "a login by email doubles the backslashes of the password, as it asks another service with a JSON of its own",
				rewriteBody(logsInByEmail(), mapText("password", replacing(`\`, `\\`))))),
		breaks("errors.no-5xx",
			fault("data-other-user-with-percent-in-name-fails", "reading another user who has a percent sign in a name fails with 500, as the line for the log goes through a formatting function",
				rewriteResponse(readsUser(), onStatus(http.StatusOK, func(_ *http.Request, resp *response) {
					user := objectOf(resp.body)
					if strings.Contains(fieldText(user, "user_name")+fieldText(user, "first_name")+fieldText(user, "last_name"), "%") {
						resp.become(500, complaint("internal server error"))
					}
				})))),
		breaks("transport.unicode-roundtrip",
			fault("data-update-takes-joined-emoji-apart", "an update drops the joiners from the first and the last name, so that an emoji of several becomes these",
				rewriteBody(updatesUser(), func(user map[string]any) {
					mapText("first_name", fallApart)(user)
					mapText("last_name", fallApart)(user)
				}))),
	)
}

// eighthEventData are those of certain values of events, where they are read, copied
// to feeds, and taken out of them.
func eighthEventData() []Fault {
	const column = 255
	isNegative := func(value any) bool {
		number, is := value.(json.Number)
		return is && strings.HasPrefix(number.String(), "-")
	}
	return slices.Concat(
		breaks("events.update.applies",
			fault("data-change-to-south-or-west-ignored", "a change of an event passes over a coordinate below zero, as one that is not above it stands for none",
				combine(rewriteBody(updatesEvent(), ignoring("latitude", isNegative)), rewriteBody(updatesEvent(), ignoring("longitude", isNegative))))),
		breaks("feed.event-shape",
			fault("data-feed-cuts-metadata-at-255", "in a feed values of metadata are cut after 255 characters, which is what the column of the copy holds",
				rewriteEach(readsFeed(), within("metadata", cutValues(column))))),
		breaks("feed.unfollow",
			fault("data-unfollowed-events-with-priority-stay", "those events of a user who is no longer followed stay in the feed that have a priority", overrideStore(priorityOutlastsFollow))),
	)
}

// priorityOutlastsFollow keeps events with a priority in a table of their own, which the
// end of a follow does not touch.
func priorityOutlastsFollow(inner refserver.Store, s *overrides) {
	stale, disconnect := keepStaleReads(s), s.disconnect
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		urgent := without(ownedBy(inner, app, from, to), func(event store.Event) bool { return event.Priority == "" })
		followed := follows(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && followed && !follows(inner, app, from, to) {
			stale.keep(app, from, urgent, whileThere(inner, app, to))
		}
		return err
	}
}
