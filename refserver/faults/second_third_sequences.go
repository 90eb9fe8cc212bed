package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// thirdSequencesOfUsers are the faults of records that are kept beside the right ones,
// and written back.
func thirdSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("sequence-post-writes-back-old-names", "a post brings back the first and the last name that its session last saw, whatever another session has updated since", postWritesBack)),
		breaks("users.me.delete.gone",
			fault("sequence-record-of-deleted-shown-to-followers", "the record of a deleted user is still shown to those who followed it", recordsStayForFollowers)),
		breaks("transport.no-null",
			fault("sequence-cleared-first-name-null-among-followers", "who had a first name, and made it blank, has null for one in lists of followers", clearedNamesNull)),
		breaks("transport.accept-406",
			fault("sequence-search-kept-whatever-accept", "a search that a session has made before is answered in JSON also where that is not accepted",
				func(o *refserver.Options) {
					made := &memory[bool]{} // by session and query
					intercept(searches(), func(next http.Handler, r *http.Request) *response {
						key := sessionIn(r) + " " + r.URL.RawQuery
						if made.get(key) {
							r.Header.Set("Accept", "application/json")
						}
						resp := record(next, r)
						if resp.ok() {
							made.keep(key, true)
						}
						return resp
					})(o)
				})),
	)
}

// postWritesBack saves, with an event, the user as the session has it.
func postWritesBack(o *refserver.Options) {
	seen := &memory[map[string]any]{} // by session
	combine(
		rewriteResponse(readsOwnRecord().or(updatesUser()), func(r *http.Request, resp *response) {
			if user := objectOf(resp.body); resp.ok() && user != nil {
				seen.keep(sessionIn(r), user)
			}
		}),
		intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			had, now := seen.get(sessionIn(r)), ownRecord(next, r)
			changed := func(field string) bool { return fieldText(had, field) != fieldText(now, field) }
			if !resp.ok() || had == nil || now == nil || !changed("first_name") && !changed("last_name") {
				return resp
			}
			fields := maps.Clone(now)
			fields["first_name"], fields["last_name"] = fieldText(had, "first_name"), fieldText(had, "last_name")
			call(next, r, http.MethodPut, "/0.2/user", writable(fields))
			return resp
		}),
	)(o)
}

// recordsStayForFollowers goes on showing deleted users to their followers.
func recordsStayForFollowers(o *refserver.Options) {
	records, followed := &memory[[]byte]{}, &memory[bool]{} // by id; by id and follower
	combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			followers := call(next, r, http.MethodGet, "/0.2/user/followers", nil)
			resp := record(next, r)
			if id := fieldText(own, "id"); resp.ok() && id != "" {
				records.keep(id, encode(own))
				inEach(func(user map[string]any) { followed.keep(id+" "+fieldText(user, "id"), true) })(r, followers)
			}
			return resp
		}),
		intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			gone, kept := records.lookup(lastSegment(r))
			if resp.status == http.StatusNotFound && kept && followed.get(lastSegment(r)+" "+fieldText(ownRecord(next, r), "id")) {
				resp.become(http.StatusOK, string(gone))
			}
			return resp
		}),
	)(o)
}

// clearedNamesNull tells, in lists of followers, first names that were made blank from
// those that never were.
func clearedNamesNull(o *refserver.Options) {
	cleared := &memory[bool]{} // by id
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			before := fieldText(ownRecord(next, r), "first_name")
			resp := record(next, r)
			if user := objectOf(resp.body); resp.ok() && (before == "") != (fieldText(user, "first_name") == "") {
				cleared.keep(fieldText(user, "id"), before != "")
			}
			return resp
		}),
		rewriteEach(readsFollowers().or(readsFollowersOf()), func(user map[string]any) {
			if cleared.get(fieldText(user, "id")) {
				lacking("first_name", nil)(user)
			}
		}),
	)(o)
}

// thirdSequencesOfFeeds are those of rows that are written for each reader, and of
// whose session and connection is looked at.
func thirdSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("connections.create.follow",
			fault("sequence-follow-back-answers-the-others", "the answer to a follow of a user who follows already goes from that one to the user, as the first follow does",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						made, isNew, err := inner.Connect(app, from, to, typ)
						if typ == store.Follow && isNew && follows(inner, app, to, from) {
							made.From, made.To = made.To, made.From
						}
						return made, isNew, err
					}
				}))),
		breaks("feed.follow.new-events",
			fault("sequence-posted-in-older-session-lost", "what a user posts in a session is in no feed once the user has logged in again", overrideStore(olderSessionsLost))),
		breaks("feed.follow.earlier-events",
			fault("sequence-events-from-before-the-reader-missing", "what was posted before the reader was created is not in the reader's feed",
				hideFromFeeds(func(r reader, event store.Event) bool {
					user, err := r.store.User(r.app, r.id)
					return err == nil && event.CreatedAt.Before(user.CreatedAt)
				}))),
		breaks("feed.update-visible",
			fault("sequence-refollow-shows-events-as-before", "who follows a user again sees its events as they were when the follow ended",
				overrideStore(func(inner refserver.Store, s *overrides) {
					left, disconnect := &memory[store.Event]{}, s.disconnect // by reader and event
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						for _, event := range ownedBy(inner, app, from, to) {
							left.keep(keyOf(app, from, event.ID), event)
						}
						return disconnect(app, from, to, types...)
					}
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for i, event := range feed {
							if before, known := left.lookup(keyOf(r.app, r.id, event.ID)); known {
								feed[i] = before
							}
						}
						return feed
					})
				}))),
		breaks("feed.unfollow",
			fault("sequence-changed-events-stay-after-unfollow", "those of a user's events that were changed stay in the feed of who ends the follow", overrideStore(changedStay))),
	)
}

// olderSessionsLost knows, of each user, the latest session alone.
func olderSessionsLost(inner refserver.Store, s *overrides) {
	latest, using, lost := &memory[string]{}, &memory[string]{}, &memory[bool]{} // tokens by user; by event
	s.onLogin(func(app store.App, user store.ID, token string) { latest.keep(keyOf(app, user), token) })
	s.session = func(app store.App, token string) (store.ID, error) {
		user, err := inner.Session(app, token)
		if err == nil {
			using.keep(keyOf(app, user), token)
		}
		return user, err
	}
	s.onCreateEvent(func(event store.Event) {
		owner := keyOf(event.App, event.Owner)
		if latest.has(owner) && using.get(owner) != latest.get(owner) {
			lost.keep(keyOf(event.App, event.ID), true)
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
}

// changedStay takes the first rows of events out of the feed of who unfollows, and not
// those that changes have added.
func changedStay(inner refserver.Store, s *overrides) {
	all, stays, disconnect := archived(s), &memory[bool]{}, s.disconnect // by reader and event
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		for _, event := range ownedBy(inner, app, from, to) {
			stays.keep(keyOf(app, from, event.ID), event.UpdatedAt.After(event.CreatedAt))
		}
		return disconnect(app, from, to, types...)
	}
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		there := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil })
		return without(there, func(event store.Event) bool { return !stays.get(keyOf(r.app, r.id, event.ID)) })
	})
}
