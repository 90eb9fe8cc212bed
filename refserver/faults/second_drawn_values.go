package faults

import (
	"html"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// drawnUserData are the faults of certain values of users, where they are tidied, looked up and joined.
func drawnUserData() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsUser(), change) }
	holds := func(part string) func(value, term string) bool {
		return func(_, term string) bool { return strings.Contains(term, part) }
	}
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-deep-link-authority-in-lower-case", "in a new user's url what stands between :// and the next slash is put into lower case, also where it names a screen of an application",
				creating(mapText("url", authorityInLowerCase))),
			fault("data-social-id-loses-leading-at", "a new user's social ids lose an @ in front",
				creating(eachText("social_ids", func(id string) string { return strings.TrimPrefix(id, "@") }))),
			fault("data-metadata-keys-like-secrets-lost", "entries of a new user's metadata whose key has password, secret or token in it are dropped",
				creating(within("metadata", dropWhere(func(key, _ string) bool { return namesSecret(key) }))))),
		breaks("sessions.login.user-name",
			fault("data-new-password-escaped-for-html", "the password of a create is escaped for HTML before it is kept, and that of a login is not",
				creating(mapText("password", html.EscapeString)))),
		breaks("sessions.login.email",
			fault("data-email-with-apostrophe-unknown", "a login by an email with an apostrophe finds nobody",
				rewriteBody(logsInByEmail(), mapText("email", replacing("'", "''"))))),
		breaks("search.user-name",
			fault("data-search-colon-names-a-field", "a search term with a colon looks into the field that stands before the colon, and finds no user name by it",
				overlooks(userName, holds(":")))),
		breaks("connections.lists.friends",
			fault("data-friends-repeat-by-metadata", "an own friend is listed once for each entry of its metadata",
				rewriteResponse(readsFriends(), inList(oncePerEntry)))),
		breaks("social.connects",
			fault("data-social-own-id-ends-the-list", "of social identifiers those that come behind the session user's own one are passed over",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						user, err := inner.User(app, from)
						if own := slices.Index(ids, user.SocialIDs[platform]); err == nil && own >= 0 && user.SocialIDs[platform] != "" {
							ids = ids[:own]
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
	)
}

// authorityInLowerCase tidies a url as if a host stood in it, whatever its scheme.
func authorityInLowerCase(url string) string {
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		return url
	}
	authority, path, below := strings.Cut(rest, "/")
	if below {
		path = "/" + path
	}
	return scheme + "://" + strings.ToLower(authority) + path
}

// namesSecret is what filters take for the name of something secret.
func namesSecret(key string) bool {
	return slices.ContainsFunc([]string{"password", "secret", "token"}, func(word string) bool { return holdsText(key, word) })
}

// oncePerEntry repeats users as a join with their metadata does.
func oncePerEntry(users []any) []any {
	rows := []any{}
	for _, item := range users {
		user, _ := item.(map[string]any)
		metadata, _ := user["metadata"].(map[string]any)
		for range max(1, len(metadata)) {
			rows = append(rows, item)
		}
	}
	return rows
}

// drawnEventData are those of certain values of events.
func drawnEventData() []Fault {
	verb := regexp.MustCompile(`% ?([a-z])`)
	emptyMap := func(value any) bool { entries, is := value.(map[string]any); return is && len(entries) == 0 }
	return slices.Concat(
		breaks("events.create.echo",
			fault("data-location-read-as-format", "a new event's location goes through a formatting function without arguments, which finds some missing behind a %",
				rewriteBody(createsEvent(), mapText("location", func(text string) string { return verb.ReplaceAllString(text, "%!$1(MISSING)") })))),
		breaks("events.update.applies",
			fault("data-change-by-a-few-metres-ignored", "a change of a coordinate by less than 0.0001 degrees leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							latitude, longitude := event.Latitude, event.Longitude
							change(event)
							event.Latitude, event.Longitude = orNear(latitude, event.Latitude), orNear(longitude, event.Longitude)
						})
					}
				})),
			fault("data-change-to-empty-metadata-ignored", "a change of an event to metadata without entries leaves them as they were",
				rewriteBody(updatesEvent(), ignoring("metadata", emptyMap)))),
		breaks("feed.event-shape",
			fault("data-feed-drops-underscored-keys", "in a feed the entries of metadata whose key begins with an underscore are missing",
				rewriteEach(readsFeed(), within("metadata", dropWhere(func(key, _ string) bool { return strings.HasPrefix(key, "_") }))))),
		breaks("feed.purge.followers",
			fault("data-purge-forgets-events-with-a-place", "a deleted user's events that have coordinates stay in the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool { return event.Latitude == nil || event.Longitude == nil })
				}, followersAlone, atOnce))),
	)
}

// orNear is a coordinate as it was where the new one is taken for the same.
func orNear(before, after *float64) *float64 {
	if before != nil && after != nil && math.Abs(*before-*after) < 1e-4 {
		return before
	}
	return after
}
