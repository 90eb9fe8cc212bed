package faults

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindPeople are the faults of certain values of users, where they are kept, looked up
// and compared.
func blindPeople() []Fault {
	isFalse := func(value any) bool { return value == "false" || value == false }
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("data-update-to-not-activated-ignored", "an update takes false for activated as if nothing were sent",
				rewriteBody(updatesUser(), ignoring("activated", isFalse)))),
		breaks("sessions.login.user-name",
			fault("data-login-by-name-beyond-ascii-refused", "a login finds nobody by a user name with letters beyond ASCII",
				rewriteBody(logsInByName(), mapText("user_name", changing(isBeyondASCII, func(string) string { return "nobody at all" }))))),
		breaks("search.email",
			fault("data-search-across-the-at-missed", "a search does not find an email by a part of it that has the @ in its midst",
				overlooks(email, func(value, term string) bool {
					at := strings.Index(term, "@")
					return at > 0 && at < len(term)-1 && !whole(value, term)
				}))),
		breaks("connections.lists.followers",
			fault("data-followers-of-the-same-name-listed-once", "of several own followers with the same first and last name one is listed",
				rewriteResponse(readsFollowers(), inList(onceByName)))),
		breaks("social.connects",
			fault("data-social-phone-numbers-lose-plus", "connecting by social identifiers drops the + in front of digits",
				rewriteBody(connectsSocially(), mapField("connection_ids", eachItem(func(value any) any {
					text, _ := value.(string)
					if digits, phone := strings.CutPrefix(text, "+"); phone && isDigits(digits) {
						return digits
					}
					return value
				}))))),
		breaks("feed.purge.followers",
			fault("data-purge-forgets-names-with-capitals", "the events of a deleted user whose user name has capital letters stay in the feeds of followers",
				purgePassesOver(allOf, readers(followersAlone).where(func(inner refserver.Store, _ *overrides) func(store.App, store.ID, store.ID) bool {
					return func(app store.App, owner, _ store.ID) bool {
						user, err := inner.User(app, owner)
						return err == nil && strings.ContainsFunc(user.UserName, unicode.IsUpper)
					}
				}), atOnce))),
	)
}

func isBeyondASCII(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// onceByName leaves of the users with the same first and last name the first.
func onceByName(users []any) []any {
	seen := map[string]bool{}
	return slices.DeleteFunc(users, func(item any) bool {
		user, _ := item.(map[string]any)
		first, last := fieldText(user, "first_name"), fieldText(user, "last_name")
		if first == "" || last == "" {
			return false
		}
		again := seen[first+"\n"+last]
		seen[first+"\n"+last] = true
		return again
	})
}

// blindDetails are the faults of certain values of events.
func blindDetails() []Fault {
	return slices.Concat(
		breaks("events.create.coordinates",
			fault("data-longitude-beyond-100-clamped", "a longitude of a new event keeps two digits before the point: from 100 on it becomes 99.999999, and likewise below zero",
				rewriteBody(createsEvent(), mapDegrees("longitude", func(degrees float64) float64 { return max(-99.999999, min(99.999999, degrees)) })))),
		breaks("events.update.applies",
			fault("data-change-of-object-with-same-id-ignored", "a change of an event takes an object with the id of the one that stands for the same, and leaves that as it is",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							standing := event.Object
							if change(event); standing != nil && event.Object != nil && standing.ID == event.Object.ID {
								event.Object = standing
							}
						})
					}
				}))),
		breaks("feed.event-shape",
			fault("data-feed-names-object-in-one-language", "in a feed the object of an event that has a language is named in that language alone, where it has a name in it",
				rewriteEach(readsFeed(), func(event map[string]any) {
					language := fieldText(event, "language")
					within("object", within("display_name", func(names map[string]any) {
						if name, has := names[language]; has {
							clear(names)
							names[language] = name
						}
					}))(event)
				}))),
		breaks("limits.metadata.value-length",
			fault("data-blanks-around-values-not-counted", "the values of a new event's metadata are counted without the blanks at their ends",
				unbounded(createsEvent(), func(metadata map[string]any) {
					const most = 500
					for key, value := range metadata {
						if text, is := value.(string); is && utf8.RuneCountInString(text) > most {
							metadata[key] = strings.TrimSpace(text)
						}
					}
				}))),
	)
}

// blindExits are the faults of single endpoints: of the way in, and of the answers.
func blindExits() []Fault {
	const hash = "$2y$10$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW"
	anonymous := lacksHeader("User-Agent")
	return slices.Concat(
		breaks("auth.session-missing",
			fault("endpoint-app-alone-logs-out", "a logout under the app token alone is answered with 204",
				withTokens(func(tokens []string) mutation {
					return respond(logsOut().and(sessionless).and(not(unknownApp(tokens))).and(not(anonymous)), http.StatusNoContent, "")
				}))),
		breaks("transport.user-agent-required",
			fault("endpoint-login-for-anonymous", "a login needs no User-Agent",
				rewriteRequest(logsIn().and(anonymous), setHeader("User-Agent", "unknown")))),
		breaks("users.password-hidden",
			fault("endpoint-login-details-show-hash", "the details of a login have a hash for a password",
				rewriteObject(logsIn().and(detailed), set("password", hash)))),
		breaks("errors.json-error",
			fault("endpoint-422-of-social-without-body", "a 422 to a connecting by social identifiers has no body",
				rewriteResponse(connectsSocially(), onStatus(422, body(""))))),
	)
}
