package faults

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindTimelineSequences are the faults of feeds that are kept as rows of their own,
// one for each reader and event.
func blindTimelineSequences() []Fault {
	return slices.Concat(
		breaks("feed.event-delete",
			fault("sequence-refollow-brings-deleted-events-back", "who follows a user again sees the events that it deleted in between",
				overrideStore(refollowRestoresRows))),
		breaks("feed.follow.earlier-events",
			fault("sequence-posted-between-follows-missing", "who follows a user again does not see what it posted in between", overrideStore(gapsBetweenFollows))),
		breaks("feed.order",
			fault("sequence-earlier-events-dated-by-follow", "what a user posted before it was followed stands where the follow would stand, before others' later events",
				overrideStore(earlierEventsDatedByFollow))),
		breaks("feed.purge.followers",
			fault("sequence-purged-return-when-another-is-unfollowed", "a deleted user's events are back in the feed of a follower who ends its connection to somebody else",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
					s.onDisconnect(func(app store.App, from, _ store.ID) {
						for _, gone := range deleted.in(app) {
							if slices.Contains(gone.followers, from) {
								stale.keep(app, from, gone.events, atOnce(gone.at))
							}
						}
					})
				}))),
		breaks("feed.status",
			fault("sequence-feed-with-gap-is-an-object", "a feed that was read, and from whose midst an event is deleted, is an object whose keys are the places", feedsWithGaps)),
		breaks("transport.blank-omitted",
			fault("sequence-cleared-location-blank-in-feed", "an event whose location was set, and changed to a blank one, has a blank location in feeds", clearedLocationsBlank)),
	)
}

// refollowRestoresRows shows, after a second follow, the rows that the end of the
// first had hidden, whatever became of their events since.
func refollowRestoresRows(inner refserver.Store, s *overrides) {
	hidden, deleted := &memory[[]store.Event]{}, &memory[bool]{} // by reader and owner; by event
	stale, disconnect := keepStaleReads(s), s.disconnect
	s.onDeleteEvent(func(app store.App, _, id store.ID) { deleted.keep(keyOf(app, id), true) })
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		events := ownedBy(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil {
			stale.forget(app, from, to)
			hidden.keep(keyOf(app, from, to), events)
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		rows := without(slices.Clone(hidden.keep(keyOf(app, from, to), nil)), func(event store.Event) bool { return !deleted.get(keyOf(app, event.ID)) })
		stale.keep(app, from, rows, func([]store.Event) bool {
			_, gone := inner.User(app, to)
			return gone == nil
		})
	})
}

// gapsBetweenFollows hides what was posted between the end of a connection and the next.
func gapsBetweenFollows(_ refserver.Store, s *overrides) {
	resumed, ended := &memory[time.Time]{}, endedAt(s)
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		if key := keyOf(app, from, to); !resumed.get(key).After(ended(app, from, to)) {
			resumed.keep(key, time.Now())
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		at := ended(r.app, r.id, event.Owner)
		return !at.IsZero() && event.CreatedAt.After(at) && event.CreatedAt.Before(resumed.get(keyOf(r.app, r.id, event.Owner)))
	})
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

// clearedLocationsBlank shows in feeds a blank location of events that had one before.
func clearedLocationsBlank(o *refserver.Options) {
	had, cleared := &memory[bool]{}, &memory[bool]{} // by event
	combine(
		rewriteObject(createsEvent().or(updatesEvent()), func(event map[string]any) {
			id, located := fieldText(event, "id"), fieldText(event, "location") != ""
			cleared.keep(id, had.get(id) && !located)
			had.keep(id, had.get(id) || located)
		}),
		rewriteEach(readsFeed(), func(event map[string]any) {
			if _, there := event["location"]; !there && cleared.get(fieldText(event, "id")) {
				event["location"] = ""
			}
		}),
	)(o)
}
