package faults

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// ninthUserData are the faults of certain values of users, where they are split, escaped and
// compared.
func ninthUserData() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("data-login-by-name-strips-backslashes", "a login by user name reads the password without its backslashes, as if somebody had put them there to escape what follows",
				rewriteText(logsIn().and(sends("user_name")), "password", replacing(`\`, "")))),
		breaks("users.create.echo",
			fault("data-first-name-of-two-words-split", "a new user without a last name, and with a first name of two words, gets the second word for a last name",
				rewriteBody(createsUser().and(not(sends("last_name"))), func(user map[string]any) {
					if first, last, two := strings.Cut(fieldText(user, "first_name"), " "); two {
						user["first_name"], user["last_name"] = first, last
					}
				})),
			fault("data-url-letters-beyond-ascii-escaped", "letters beyond ASCII in a new user's url come back as escapes", rewriteText(createsUser(), "url", escapedBeyondASCII))),
		breaks("users.me.update.applies",
			fault("data-update-of-ids-on-same-networks-ignored", "an update whose social_ids are for the networks that the user has already leaves the ids as they were",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.SocialIDs
							if change(user); sameKeys(before, user.SocialIDs) {
								user.SocialIDs = before
							}
						})
					}
				}))),
		breaks("search.non-match-excluded",
			fault("data-search-caret-means-beginning", "a search for a term with ^ in front also finds who has something that begins with the rest",
				finding(func(user store.User, term string, found bool) bool {
					rest, anchored := strings.CutPrefix(term, "^")
					return found || anchored && rest != "" && anyAttribute(user, func(value string) bool { return atStart(value, rest) })
				}))),
	)
}

// escapedBeyondASCII escapes the bytes of all characters beyond ASCII.
func escapedBeyondASCII(text string) string {
	var escaped strings.Builder
	for _, c := range []byte(text) {
		if c < utf8.RuneSelf {
			escaped.WriteByte(c)
			continue
		}
		fmt.Fprintf(&escaped, "%%%02X", c)
	}
	return escaped.String()
}

// ninthEventData are those of certain events in feeds.
func ninthEventData() []Fault {
	return slices.Concat(
		breaks("feed.event-shape",
			fault("data-feed-metadata-zero-lost", "in a feed entries of metadata that say 0 are missing, as a filter takes them for empty",
				rewriteEach(readsFeed(), within("metadata", dropWhere(func(_, value string) bool { return value == "0" }))))),
		breaks("feed.unfollow",
			fault("data-unfollow-leaves-events-on-objects", "those of a user's events that have an object stay in the feed of who ends the follow",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, disconnect := keepStaleReads(s), s.disconnect
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						left := without(ownedBy(inner, app, from, to), func(event store.Event) bool { return event.Object == nil })
						err := disconnect(app, from, to, types...)
						if err == nil {
							stale.keep(app, from, left, whileThere(inner, app, to))
						}
						return err
					}
				}))),
		breaks("feed.only-connected",
			fault("data-feed-shows-strangers-nearby", "strangers' events less than a tenth of a degree from where the reader last posted are in the reader's feed", overrideStore(strangersNearby))),
	)
}

// strangersNearby adds to a feed whatever others posted near the reader's latest place.
func strangersNearby(inner refserver.Store, s *overrides) {
	const near = 0.1
	all := archived(s)
	placed := func(event store.Event) bool { return event.Latitude != nil && event.Longitude != nil }
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		own := all.of(r.app, func(owner store.ID) bool { return owner == r.id })
		i := slices.IndexFunc(own, placed)
		if i < 0 {
			return nil
		}
		here := own[i]
		others := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil && owner != r.id })
		return without(others, func(event store.Event) bool {
			return !placed(event) || math.Abs(*event.Latitude-*here.Latitude) > near || math.Abs(*event.Longitude-*here.Longitude) > near
		})
	})
}
