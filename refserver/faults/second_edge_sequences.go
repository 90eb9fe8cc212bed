package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// edgeSequencesOfUsers are the faults of records, results and rows that were kept for later.
func edgeSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("users.me.delete.gone",
			fault("sequence-record-read-before-deletion-stays", "the record of a deleted user is still shown where anybody had read it by its id before", recordsReadStay)),
		breaks("users.me.delete.status",
			fault("sequence-who-ended-a-connection-not-deletable", "the deletion of a user who has ended a connection is answered with 409, and does nothing",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended, remove := &memory[bool]{}, s.deleteUser
					s.onDisconnect(func(app store.App, from, _ store.ID) { ended.keep(keyOf(app, from), true) })
					s.deleteUser = func(app store.App, id store.ID) error {
						if ended.get(keyOf(app, id)) {
							return fmt.Errorf("a connection %w", store.ErrConflict)
						}
						return remove(app, id)
					}
				}))),
		breaks("sessions.login.details",
			fault("sequence-login-details-as-at-first-login", "the details of a login show the user as at the first login with details, whatever has been updated since", detailsAsAtFirst)),
		breaks("search.user-name",
			fault("sequence-search-kept-misses-newcomers", "a search for a term that found somebody before does not find by the user name who was created since",
				overrideStore(func(inner refserver.Store, s *overrides) {
					kept := &memory[time.Time]{} // by term
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						at, is := kept.lookup(keyOf(app) + folded(term))
						if !is && err == nil && len(hits) > 0 {
							kept.keep(keyOf(app)+folded(term), time.Now())
						}
						return slices.DeleteFunc(hits, func(user store.User) bool { return is && user.CreatedAt.After(at) && holdsText(user.UserName, term) }), err
					}
				}))),
	)
}

// recordsReadStay goes on showing users that were read before they were deleted.
func recordsReadStay(o *refserver.Options) {
	read := &memory[[]byte]{} // by application and id
	rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
		key := appIn(r) + " " + lastSegment(r)
		if resp.ok() {
			read.keep(key, resp.body)
		}
		if record, was := read.lookup(key); was && resp.status == http.StatusNotFound {
			resp.become(http.StatusOK, string(record))
		}
	})(o)
}

// detailsAsAtFirst keeps what a login tells of a user, but for the session and its time.
func detailsAsAtFirst(o *refserver.Options) {
	first := &memory[[]byte]{} // by application and id
	rewriteResponse(logsIn().and(detailed), func(r *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			key := appIn(r) + " " + fieldText(user, "id")
			before := objectOf(first.get(key))
			if before == nil {
				first.keep(key, encode(user))
				return
			}
			before["session_token"], before["last_login"] = user["session_token"], user["last_login"]
			clear(user)
			for field, value := range before {
				user[field] = value
			}
		})
	})(o)
}

// edgeSequencesOfConnections are the faults of rows that stand already, that are
// numbered anew, and that are copied once more.
func edgeSequencesOfConnections() []Fault {
	return slices.Concat(
		breaks("social.connects",
			fault("sequence-social-undone-by-who-is-connected-already", "connecting by social identifiers connects nobody where one of those found is connected already",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						standing := false
						err := eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							standing = standing || typ == store.Follow && follows(inner, app, from, bearer) || typ == store.Friend && befriends(inner, app, from, bearer)
							return nil
						})
						if err != nil || standing {
							return err
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
		breaks("connections.lists.followers",
			fault("sequence-next-user-inherits-followers", "where the user created last is deleted, the next one takes its number, and with it its followers",
				overrideStore(nextInheritsFollowers))),
		breaks("feed.follow.earlier-events",
			fault("sequence-read-feed-goes-on-from-its-newest", "who has read events in the feed does not see, of whom it follows after that, what is older than the newest of them",
				overrideStore(goingOnFromNewest))),
		breaks("feed.merge",
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
	)
}

// nextInheritsFollowers joins the followers of a deleted user to the one created next,
// where nobody had been created after the deleted one.
func nextInheritsFollowers(inner refserver.Store, s *overrides) {
	latest, left := &memory[store.ID]{}, &memory[[]store.ID]{} // by application
	s.deleteUser = func(app store.App, id store.ID) error {
		followers := idsOf(inner.Followers, app, id)
		err := inner.DeleteUser(app, id)
		if err == nil && latest.get(keyOf(app)) == id {
			left.keep(keyOf(app), followers)
		}
		return err
	}
	s.createUser = func(app store.App, user store.User) (store.User, error) {
		made, err := inner.CreateUser(app, user)
		if err != nil {
			return made, err
		}
		latest.keep(keyOf(app), made.ID)
		for _, follower := range left.keep(keyOf(app), nil) {
			_, _, _ = inner.Connect(app, follower, made.ID, store.Follow) // who is deleted by now follows nobody
		}
		return made, nil
	}
}

// goingOnFromNewest adds to a feed that was read what is newer alone.
func goingOnFromNewest(_ refserver.Store, s *overrides) {
	newest, seen := &memory[time.Time]{}, &memory[bool]{} // by reader; by reader and event
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		mark := newest.get(keyOf(r.app, r.id))
		feed = without(feed, func(event store.Event) bool {
			return event.CreatedAt.Before(mark) && !seen.get(keyOf(r.app, r.id, event.ID))
		})
		for _, event := range feed {
			seen.keep(keyOf(r.app, r.id, event.ID), true)
			if event.CreatedAt.After(mark) {
				mark = event.CreatedAt
			}
		}
		newest.keep(keyOf(r.app, r.id), mark)
		return feed
	})
}

// edgeRepetition is the fault of a list of contacts that comes again.
func edgeRepetition() []Fault {
	return breaks("social.connects",
		fault("repetition-same-contacts-not-looked-up-again", "connecting by the same social identifiers again connects nobody, also who has joined since",
			overrideStore(func(inner refserver.Store, s *overrides) {
				done := &memory[bool]{} // by user and list
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					list, err := json.Marshal(ids)
					if err != nil || done.keep(strings.Join([]string{keyOf(app, from), platform, string(typ), string(list)}, "\n"), true) {
						return err
					}
					return inner.ConnectSocial(app, from, platform, ids, typ)
				}
			})))
}
