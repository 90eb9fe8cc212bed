package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourteenthSequencesOfUsers are the faults of what became of users before: as they
// log in, are renamed and leave.
func fourteenthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("sequence-logout-after-login-with-details-ends-nothing", "the session of a login that asked for the user's details survives its logout, as it is cached with them", detailedSessionsStay)),
		breaks("search.user-name",
			fault("sequence-search-misses-name-taken-up-again", "a part of the user name of who gave it up and took it up again finds nobody, as the old entry is cleaned up last",
				overrideStore(func(_ refserver.Store, s *overrides) {
					former := &memory[bool]{} // by user and name
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							former.keep(keyOf(before.App, before.ID)+before.UserName, true)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						elsewhere := holdsText(user.FirstName, term) || holdsText(user.LastName, term) || holdsText(user.Email, term)
						cleaned := former.get(keyOf(user.App, user.ID)+user.UserName) && !strings.EqualFold(user.UserName, term)
						return found && (elsewhere || !cleaned)
					})
				}))),
		breaks("users.me.delete.gone",
			fault("sequence-deleted-user-readable-by-who-searched", "who has found a user by a search still reads its record when it is deleted, as search results are cached by id", foundStayReadable)),
	)
}

// detailedSessionsStay ends no session of a login that asked for details.
func detailedSessionsStay(o *refserver.Options) {
	cached := &memory[bool]{} // by token
	combine(
		rewriteResponse(logsIn().and(detailed), inObject(func(user map[string]any) { cached.keep(fieldText(user, "session_token"), true) })),
		intercept(logsOut().and(not(lacksHeader("User-Agent"))), func(next http.Handler, r *http.Request) *response {
			if !cached.get(sessionIn(r)) || !call(next, r, http.MethodGet, "/0.2/user", nil).ok() {
				return record(next, r)
			}
			return answer(r, 204, "")
		}),
	)(o)
}

// foundStayReadable answers with search results where there is no such user any more.
func foundStayReadable(o *refserver.Options) {
	found := &memory[[]byte]{} // by session and user
	combine(
		rewriteResponse(searches(), func(r *http.Request, resp *response) {
			inEach(func(user map[string]any) { found.keep(sessionIn(r)+" "+fieldText(user, "id"), encode(user)) })(r, resp)
		}),
		rewriteResponse(readsUser(), onStatus(404, func(r *http.Request, resp *response) {
			if user, known := found.lookup(sessionIn(r) + " " + lastSegment(r)); known {
				resp.become(200, string(user))
			}
		})),
	)(o)
}

// fourteenthSequencesOfFeeds are those of what was handed out to feeds before.
func fourteenthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("feed.update-visible",
			fault("sequence-change-back-not-in-feeds", "an event that is changed back to what it once was stays in feeds as it was in between, as a message of the same content is taken for a repeated one", overrideStore(sameContentOnce))),
		breaks("feed.event-delete",
			fault("sequence-deleted-event-of-before-friendship-stays", "an event posted before a friendship stays in the friend's feed when it is deleted", overrideStore(olderThanFriendshipStay))),
		breaks("feed.friends",
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
				}))),
	)
}

// sameContentOnce hands out each content of an event once.
func sameContentOnce(_ refserver.Store, s *overrides) {
	seen, shown := &memory[bool]{}, &memory[store.Event]{}
	handOut := func(event store.Event) {
		content := event
		content.CreatedAt, content.UpdatedAt = time.Time{}, time.Time{}
		if !seen.keep(string(encode(content)), true) {
			shown.keep(keyOf(event.App, event.ID), event)
		}
	}
	s.onCreateEvent(handOut)
	s.onUpdateEvent(handOut)
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		feed = slices.Clone(feed)
		for i, event := range feed {
			if standing, known := shown.lookup(keyOf(r.app, event.ID)); known {
				feed[i] = standing
			}
		}
		return feed
	})
}

// olderThanFriendshipStay deletes an event for those alone whom it was handed out to when it was new.
func olderThanFriendshipStay(inner refserver.Store, s *overrides) {
	stale, since, friends := keepStaleReads(s), &memory[time.Time]{}, friendsAlone(inner, s)
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := inner.Connect(app, from, to, typ)
		if err == nil && typ == store.Friend && !since.has(keyOf(app, from, to)) {
			since.keep(keyOf(app, from, to), made.CreatedAt)
			since.keep(keyOf(app, to, from), made.CreatedAt)
		}
		return made, isNew, err
	}
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		left := map[store.ID][]store.Event{}
		for _, friend := range friends(app, owner) {
			befriended := since.get(keyOf(app, owner, friend))
			left[friend] = without(ownedBy(inner, app, friend, owner), func(event store.Event) bool {
				return event.ID != id || !event.CreatedAt.Before(befriended)
			})
		}
		err := inner.DeleteEvent(app, owner, id)
		for friend, events := range left {
			if err == nil {
				stale.keep(app, friend, events, atOnce(time.Now()))
			}
		}
		return err
	}
}
