package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// edgeData are the faults of values that are tidied, looked up, compared or merged.
func edgeData() []Fault {
	decimal := regexp.MustCompile(`^\d+\.\d+$`)
	number := func(text string) string {
		if !decimal.MatchString(text) {
			return text
		}
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	ofConnections := []string{"follow", "unfollow", "friend", "unfriend"}
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("data-update-metadata-decimals-lose-trailing-zeros", "an update reads metadata of digits with a point as numbers: version 1.10 becomes 1.1",
				rewriteBody(updatesUser(), eachText("metadata", number)))),
		breaks("users.create.echo",
			fault("data-last-name-in-capitals-calmed", "a new user's last name that is in capitals throughout keeps the first of them alone",
				rewriteBody(createsUser(), mapText("last_name", calmed)))),
		breaks("transport.unicode-roundtrip",
			fault("data-line-separators-become-line-breaks", "the line and paragraph separators of Unicode become line breaks in a new event's location",
				rewriteBody(createsEvent(), mapText("location", strings.NewReplacer("\u2028", "\n", "\u2029", "\n").Replace)))),
		breaks("feed.event-shape",
			fault("data-feed-metadata-lies-over-fields", "in a feed an entry of metadata called language, priority or location stands in that field of the event, too",
				rewriteEach(readsFeed(), metadataOverFields))),
		breaks("feed.follow.new-events",
			fault("data-feed-without-verbs-of-connections", "events whose verb is follow, unfollow, friend or unfriend are taken for notes of the service itself, and are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return slices.Contains(ofConnections, folded(event.Verb)) }))),
		breaks("feed.event-delete",
			fault("data-deleted-events-on-objects-stay", "a deleted event that has an object stays in the feeds of followers",
				deletionPassesOver(func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool { return event.Object == nil })
				}, followersAlone, atOnce))),
		breaks("events.update.applies",
			fault("data-change-of-metadata-values-alone-ignored", "a change of an event that sends metadata with the same keys as before leaves the metadata as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before := event.Metadata
							if change(event); sameKeys(before, event.Metadata) {
								event.Metadata = before
							}
						})
					}
				}))),
		breaks("search.non-match-excluded",
			fault("data-search-takes-plurals-for-singulars", "a search for a word that ends in s also finds who has it without the s",
				finding(func(user store.User, term string, found bool) bool {
					stem, plural := strings.CutSuffix(folded(term), "s")
					return found || plural && len(stem) > 2 && anyAttribute(user, func(value string) bool { return holdsText(value, stem) })
				}))),
		breaks("search.user-name",
			fault("data-search-with-at-looks-at-emails-alone", "a search for a term with an @ does not look at user names",
				overlooks(userName, func(_, term string) bool { return strings.Contains(term, "@") }))),
	)
}

// calmed puts a text in capitals into lower case behind its first letter.
func calmed(text string) string {
	if strings.ToUpper(text) != text || strings.ToLower(text) == text {
		return text
	}
	letters := []rune(text)
	return string(letters[:1]) + strings.ToLower(string(letters[1:]))
}

// metadataOverFields spreads the metadata of an event over its fields.
func metadataOverFields(event map[string]any) {
	metadata, _ := event["metadata"].(map[string]any)
	for _, field := range []string{"language", "priority", "location"} {
		if value := fieldText(metadata, field); value != "" {
			event[field] = value
		}
	}
}

// sameKeys reports whether two maps have the same keys, and any at all.
func sameKeys(a, b map[string]string) bool {
	for key := range a {
		if _, there := b[key]; !there {
			return false
		}
	}
	return len(a) > 0 && len(a) == len(b)
}

// edgeEndpoints are the faults of answers that are put together at one endpoint alone.
func edgeEndpoints() []Fault {
	return slices.Concat(
		breaks("users.types",
			fault("endpoint-update-answers-activated-as-sent", "the answer to an update of the user has activated as it was sent, which is a text",
				rewriteResponse(updatesUser(), fromRequest("activated", "activated")))),
		breaks("transport.blank-omitted",
			fault("endpoint-search-blank-last-name", "users without a last name have a blank one in search results",
				rewriteEach(searches(), lacking("last_name", "")))),
		breaks("connections.lists.of-user",
			fault("endpoint-followers-of-user-numbered-by-follow", "another user's followers have the numbers of their follows for ids",
				numberedByFollow)),
		breaks("transport.cors-preflight",
			fault("endpoint-preflight-of-connection-without-delete", "a preflight on one connection allows GET, POST and PUT, and no DELETE",
				rewriteResponse(by("OPTIONS").and(at("/0.2/user/connections/{UserID}")), func(r *http.Request, resp *response) {
					if resp.header.Get("Access-Control-Allow-Methods") != "" {
						header("Access-Control-Allow-Methods", "GET, POST, PUT")(r, resp)
					}
				}))),
	)
}

// numberedByFollow has the rows of a join overwrite the ids of users by their own.
func numberedByFollow(o *refserver.Options) {
	numbers, count := &memory[int]{}, &memory[int]{} // by followed and follower
	rewriteResponse(readsFollowersOf(), func(r *http.Request, resp *response) {
		inEach(func(user map[string]any) {
			key := userInPath(r) + " " + fieldText(user, "id")
			if !numbers.has(key) {
				numbers.keep(key, 100_000+tally(count, ""))
			}
			user["id"] = numbers.get(key)
		})(r, resp)
	})(o)
}
