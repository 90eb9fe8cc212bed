package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// thirdUserData are the faults of certain texts of users: tidied, completed, cut and
// written as something else.
func thirdUserData() []Fault {
	straight := strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "…", "...", "–", "-", "—", "-").Replace
	const readOfPassword = 100
	return slices.Concat(
		breaks("transport.unicode-roundtrip",
			fault("data-update-straightens-quotes", "an update makes typographic quotes, dashes and ellipses of the first and the last name those of ASCII",
				combine(rewriteBody(updatesUser(), mapText("first_name", straight)), rewriteBody(updatesUser(), mapText("last_name", straight))))),
		breaks("users.create.echo",
			fault("data-url-without-scheme-gets-one", "a new user's url without a scheme gets http:// in front",
				rewriteBody(createsUser(), mapText("url", func(url string) string {
					if url == "" || strings.Contains(url, ":") {
						return url
					}
					return "http://" + url
				})))),
		breaks("users.types",
			fault("data-friends-numeric-texts-as-numbers", "the own friends have names and custom_ids that are numbers as numbers",
				rewriteEach(readsFriends(), func(user map[string]any) {
					for _, field := range []string{"user_name", "first_name", "last_name", "custom_id"} {
						mapField(field, numericAsNumber)(user)
					}
				}))),
		breaks("sessions.login.user-name",
			fault("data-login-reads-100-characters-of-password", "a login by user name reads the first 100 characters of the password, and a create takes it whole",
				rewriteBody(logsInByName(), mapText("password", cutTo(readOfPassword))))),
		breaks("social.connects",
			fault("data-social-id-of-two-connects-one", "of two users who have the same id on a platform connecting by social identifiers finds one",
				overrideStore(oneBearerOfEach))),
	)
}

// numericAsNumber makes a number of a text that is one.
func numericAsNumber(value any) any {
	text, ok := value.(string)
	if !ok || !isDigits(text) {
		return value
	}
	digits := strings.TrimLeft(text, "0")
	if digits == "" {
		digits = "0"
	}
	return json.Number(digits)
}

// oneBearerOfEach connects, for each social id, to the bearer that was found last.
func oneBearerOfEach(inner refserver.Store, s *overrides) {
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		for _, id := range ids {
			last := from
			err := eachBearer(inner, app, platform, []string{id}, func(bearer store.ID) error {
				if bearer != from {
					last = bearer
				}
				return nil
			})
			if err == nil && last != from {
				_, _, err = inner.Connect(app, from, last, typ)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// thirdSearchData are those of certain terms of searches.
func thirdSearchData() []Fault {
	unbalanced := searches().and(func(r *http.Request) bool {
		term := r.URL.Query().Get("q")
		return strings.Count(term, "(") > strings.Count(term, ")") || strings.Count(term, "[") > strings.Count(term, "]")
	})
	return slices.Concat(
		breaks("search.non-match-excluded",
			fault("data-search-without-accents-finds-them", "a search for letters without accents also finds those with accents",
				finding(func(user store.User, term string, found bool) bool {
					return found || term != "" && anyAttribute(user, func(value string) bool { return holdsText(withoutMarks(value), term) })
				}))),
		breaks("errors.no-5xx",
			fault("data-search-open-bracket-fails", "a search for a term with a bracket that is not closed fails with 500",
				rewriteResponse(unbalanced, replaceStatus(200, 500, complaint("internal server error"))))),
	)
}

// thirdEventData are those of certain events.
func thirdEventData() []Fault {
	asText := func(text string) string {
		if strings.IndexAny(text, "=+-@") == 0 {
			return "'" + text
		}
		return text
	}
	return slices.Concat(
		breaks("events.create.echo",
			fault("data-metadata-formulas-quoted", "a new event's metadata that begins with =, +, - or @ gets an apostrophe in front, so that no spreadsheet takes it for a formula",
				rewriteBody(createsEvent(), eachText("metadata", asText)))),
		breaks("feed.only-connected",
			fault("data-feed-shows-mentions-of-the-reader", "strangers' events that mention the reader, as the user name with an @ in front, in the metadata or the location are in the reader's feed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					all := archived(s)
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						user, err := inner.User(r.app, r.id)
						if err != nil || user.UserName == "" {
							return nil
						}
						others := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil && owner != r.id })
						return without(others, func(event store.Event) bool { return !mentions(event, "@"+user.UserName) })
					})
				}))),
		breaks("feed.purge.keeps-others",
			fault("data-purge-takes-events-on-the-deleted", "with a deleted user's events those leave the feeds that others posted on an object whose id is the deleted user's custom_id",
				purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
					return gone.user.CustomID != "" && event.Object != nil && event.Object.ID == gone.user.CustomID && gone.isOlder(event)
				}))),
	)
}

// mentions reports whether an event has a text in its metadata or its location.
func mentions(event store.Event, text string) bool {
	for _, value := range event.Metadata {
		if holdsText(value, text) {
			return true
		}
	}
	return holdsText(event.Location, text)
}
