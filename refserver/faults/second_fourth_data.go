package faults

import (
	"html"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourthUserData are the faults of certain texts of users, where they are compared,
// hashed and indexed.
func fourthUserData() []Fault {
	const readByHash = 72
	long := func(value any) bool { text, _ := value.(string); return len(text) > readByHash }
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("data-update-that-swaps-names-ignored", "an update that gives the first and the last name the value of the other leaves both as they were",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							first, last := user.FirstName, user.LastName
							if change(user); user.FirstName == last && user.LastName == first {
								user.FirstName, user.LastName = first, last
							}
						})
					}
				}))),
		breaks("errors.no-5xx",
			fault("data-create-with-password-beyond-72-bytes-fails", "a create with a password of more than 72 bytes fails with 500",
				refused(createsUser().and(sendsA("password", long)), 500, complaint("internal server error")))),
		breaks("search.non-match-excluded",
			fault("data-search-finds-names-of-entities", "a search looks at values as they are escaped for HTML, too: amp finds who has an & in a name",
				finding(func(user store.User, term string, found bool) bool {
					return found || term != "" && anyAttribute(user, func(value string) bool {
						escaped := html.EscapeString(value)
						return escaped != value && holdsText(escaped, term)
					})
				}))),
		breaks("sessions.login.unknown-user",
			fault("data-login-takes-emoji-for-one-another", "a login by user name takes all characters beyond the Basic Multilingual Plane for the same one", overrideStore(emojiAlike))),
		breaks("social.connects",
			fault("data-social-ids-compared-without-case", "connecting by social identifiers also connects to users whose id on the platform differs from one given in case",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						all, err := inner.Search(app, "")
						if err != nil {
							return err
						}
						for _, user := range all {
							id := user.SocialIDs[platform]
							alike := func(given string) bool { return strings.EqualFold(given, id) }
							if id != "" && !slices.Contains(ids, id) && slices.ContainsFunc(ids, alike) {
								ids = append(slices.Clip(ids), id)
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
	)
}

// emojiAlike compares user names as a collation does that weighs no character beyond
// the Basic Multilingual Plane.
func emojiAlike(inner refserver.Store, s *overrides) {
	weighed := mapped(func(r rune) rune {
		if isAstral(r) {
			return '\uFFFD'
		}
		return r
	})
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if err == nil || weighed(userName) == userName {
			return user, err
		}
		all, unread := inner.Search(app, "")
		if unread != nil {
			return user, unread
		}
		for _, other := range all {
			if weighed(other.UserName) != weighed(userName) {
				continue
			}
			if bearer, unknown := inner.Identify(app, other.UserName, email, password); unknown == nil {
				return bearer, nil
			}
		}
		return user, err
	}
}

// fourthEventData are those of certain values of events, where they are kept and shown.
func fourthEventData() []Fault {
	asBool := func(value any) any {
		if value == "true" || value == "false" {
			return value == "true"
		}
		return value
	}
	return slices.Concat(
		breaks("events.types",
			fault("data-feed-metadata-true-and-false-as-booleans", "in a feed metadata that says true or false is a boolean",
				rewriteEach(readsFeed(), within("metadata", eachValue(asBool))))),
		breaks("events.create.status",
			fault("data-metadata-with-line-break-refused", "a new event whose metadata has a line break in a value is refused, as the pattern for values has a dot for any character",
				refusing(createsEvent(), func(_ string, value any) bool { text, _ := value.(string); return strings.Contains(text, "\n") }))),
		breaks("events.create.coordinates",
			fault("data-longitude-just-west-loses-sign", "a longitude of a new event between -1 and 0 loses its sign, as it is kept in degrees, minutes and seconds",
				rewriteBody(createsEvent(), mapDegrees("longitude", func(degrees float64) float64 {
					if degrees > -1 && degrees < 0 {
						return -degrees
					}
					return degrees
				})))),
	)
}

// fourthFeedData are those of certain events in feeds, and in the purge.
func fourthFeedData() []Fault {
	only := func(is func(event store.Event) bool) func([]store.Event) []store.Event {
		return func(events []store.Event) []store.Event {
			return without(slices.Clone(events), func(event store.Event) bool { return !is(event) })
		}
	}
	return slices.Concat(
		breaks("feed.only-connected",
			fault("data-feed-shows-strangers-on-the-readers-objects", "strangers' events on an object that the reader has posted an event on are in the reader's feed", overrideStore(onReadersObjects))),
		breaks("feed.purge.followers",
			fault("data-purge-forgets-events-in-a-language", "those of a deleted user's events that have a language stay in the feeds of followers",
				purgePassesOver(only(func(event store.Event) bool { return event.Language != "" }), followersAlone, atOnce))),
		breaks("feed.purge.friends",
			fault("data-purge-forgets-friends-events-with-metadata", "those of a deleted user's events that have metadata stay in the feeds of friends",
				purgePassesOver(only(func(event store.Event) bool { return len(event.Metadata) > 0 }), friendsAlone, atOnce))),
	)
}

// onReadersObjects adds to a feed whatever others posted on the reader's objects.
func onReadersObjects(inner refserver.Store, s *overrides) {
	all := archived(s)
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		objects := map[string]bool{}
		for _, event := range all.of(r.app, func(owner store.ID) bool { return owner == r.id }) {
			if event.Object != nil {
				objects[event.Object.ID] = true
			}
		}
		others := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil && owner != r.id })
		return without(others, func(event store.Event) bool { return event.Object == nil || !objects[event.Object.ID] })
	})
}
