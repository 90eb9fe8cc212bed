package faults

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedReading are the faults of what a feed is, of whose events it has and in which
// order, after certain steps.
func sequenceFeedReading() []Fault {
	return slices.Concat(
		breaks("feed.status",
			fault("sequence-feed-with-gap-is-an-object", "a feed that was read, and from whose midst an event is deleted, is an object whose keys are the places", feedsWithGaps)),
		breaks("feed.friends",
			fault("sequence-friends-after-follow-see-nothing", "friends who had followed before do not see each other's events",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return r.befriends(event.Owner) && !r.follows(event.Owner) && !ended(r.app, r.id, event.Owner).IsZero()
					})
				})),
			fault("sequence-friends-again-see-no-events", "those who end their friendship and become friends again do not see each other's events",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ended := &memory[bool]{} // by reader and other
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						friends := befriends(inner, app, from, to)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && friends {
							ended.keep(keyOf(app, from, to), true)
							ended.keep(keyOf(app, to, from), true)
						}
						return err
					}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							ended.keep(keyOf(app, from, to), false)
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return ended.get(keyOf(r.app, r.id, event.Owner)) && r.befriends(event.Owner)
					})
				})),
			fault("sequence-changed-event-leaves-feeds-of-friends", "an event that is changed leaves the feeds of friends who do not follow its owner, too",
				hideFromFeeds(func(r reader, event store.Event) bool {
					return event.UpdatedAt.After(event.CreatedAt) && r.befriends(event.Owner) && !r.follows(event.Owner)
				}))),
		breaks("feed.only-connected",
			fault("sequence-feed-shows-who-others-follow", "who followed somebody and ended it sees the events of strangers whom others follow",
				overrideStore(func(inner refserver.Store, s *overrides) {
					all, ends, met := archived(s), &memory[bool]{}, &memory[bool]{}
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { met.keep(keyOf(app, from, to), true) })
					s.onDisconnect(func(app store.App, from, _ store.ID) { ends.keep(keyOf(app, from), true) })
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						return all.of(r.app, func(owner store.ID) bool {
							stranger := owner != r.id && !met.get(keyOf(r.app, r.id, owner)) && !met.get(keyOf(r.app, owner, r.id))
							return stranger && ends.get(keyOf(r.app, r.id)) && len(idsOf(inner.Followers, r.app, owner)) > 0
						})
					})
				}))),
		breaks("feed.merge",
			fault("sequence-unfollow-takes-all-between", "who ends a follow also loses what others posted between the first and the last event of that user",
				overrideStore(func(inner refserver.Store, s *overrides) {
					lost, disconnect := &memory[bool]{}, s.disconnect // by reader and event
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						feed, missing := inner.Feed(app, from)
						err := disconnect(app, from, to, types...)
						if err != nil || missing != nil {
							return err
						}
						own := func(event store.Event) bool { return event.Owner == to }
						between := feed[max(0, slices.IndexFunc(feed, own)):]
						for len(between) > 0 && !own(between[len(between)-1]) {
							between = between[:len(between)-1]
						}
						for _, event := range between {
							lost.keep(keyOf(app, from, event.ID), !own(event))
						}
						return nil
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, r.id, event.ID)) })
				})),
			fault("sequence-refollow-copies-events-again", "who follows a user again sees what that one had posted before twice",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) (shown []store.Event) {
						for _, event := range feed {
							shown = append(shown, event)
							if event.CreatedAt.Before(ended(r.app, r.id, event.Owner)) && r.follows(event.Owner) {
								shown = append(shown, event)
							}
						}
						return shown
					})
				}))),
		breaks("feed.event-shape",
			fault("sequence-changed-event-disabled-in-feeds", "feeds show an event that was changed as one that is not enabled",
				rewriteEach(readsFeed(), func(event map[string]any) {
					if event["updated_at"] != event["created_at"] {
						event["enabled"] = false
					}
				}))),
		breaks("feed.order",
			fault("sequence-next-after-deletion-comes-last", "the first event that a user posts after the deletion of another stands at the end of feeds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					misplaced := firstAfterDeletion(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						is := func(event store.Event) bool { return misplaced.get(keyOf(r.app, event.ID)) }
						last := without(slices.Clone(feed), func(event store.Event) bool { return !is(event) })
						return append(without(feed, is), last...)
					})
				})),
			fault("sequence-earlier-events-dated-by-follow", "what a user posted before it was followed stands where the follow would stand, before others' later events",
				overrideStore(earlierEventsDatedByFollow))),
		breaks("feed.no-duplicates",
			fault("sequence-follow-of-friend-repeats-events", "the events of a friend are shown twice to who followed it after that",
				overrideStore(func(inner refserver.Store, s *overrides) {
					friendFirst := &memory[bool]{}
					connect := s.connect
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						if typ == store.Follow && among(inner.Friends, app, from, to) {
							friendFirst.keep(keyOf(app, from, to), true)
						}
						return connect(app, from, to, typ)
					}
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						again := without(slices.Clone(feed), func(event store.Event) bool {
							return !friendFirst.get(keyOf(r.app, r.id, event.Owner)) || !r.befriends(event.Owner) || !r.follows(event.Owner)
						})
						return newestFirst(append(feed, again...))
					})
				}))),
	)
}

// feedsWithGaps answers a feed as an object while events are missing from the midst
// of what the session read of it.
func feedsWithGaps(o *refserver.Options) {
	read, deleted := &memory[[]string]{}, &memory[bool]{} // ids in order, by session; by event
	combine(
		rewriteResponse(deletesEvent(), func(r *http.Request, resp *response) {
			if resp.ok() {
				deleted.keep(lastSegment(r), true)
			}
		}),
		rewriteResponse(readsFeed(), onStatus(200, func(r *http.Request, resp *response) {
			list, _ := decode(resp.body).([]any)
			ids := make([]string, len(list))
			for i, item := range list {
				if event, ok := item.(map[string]any); ok {
					ids[i] = fieldText(event, "id")
				}
			}
			before := read.get(sessionIn(r))
			gap := slices.IndexFunc(before, deleted.get)
			rest := slices.DeleteFunc(slices.Clone(before), deleted.get)
			if gap < 0 || gap >= len(rest) || !slices.Equal(rest, ids) {
				read.keep(sessionIn(r), ids)
				return
			}
			places := map[string]any{}
			for i, id := range ids {
				places[strconv.Itoa(slices.Index(before, id))] = list[i]
			}
			resp.body = encode(places)
		})),
	)(o)
}

// earlierEventsDatedByFollow sorts feeds by when an event came into them.
func earlierEventsDatedByFollow(_ refserver.Store, s *overrides) {
	since := firstFollows(s)
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		came := func(event store.Event) time.Time {
			if followed := since(r.app, r.id, event.Owner); followed.After(event.CreatedAt) {
				return followed
			}
			return event.CreatedAt
		}
		slices.SortStableFunc(feed, func(a, b store.Event) int { return came(b).Compare(came(a)) })
		return feed
	})
}
