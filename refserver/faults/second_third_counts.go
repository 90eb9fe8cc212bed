package faults

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// thirdScale are the faults of what is more than a buffer, a share of the work or a batch
// was made for.
func thirdScale() []Fault {
	const buffer, many, batch = 8192, 10, 6
	return slices.Concat(
		breaks("transport.json-body",
			fault("scale-feed-cut-at-8-kib", "of a feed of more than 8,192 bytes the first so many are sent",
				rewriteResponse(readsFeed(), func(_ *http.Request, resp *response) {
					if resp.ok() && len(resp.body) > buffer {
						resp.body = resp.body[:buffer]
					}
				}))),
		breaks("feed.order",
			fault("scale-events-of-popular-users-stand-last", "the events of users with more than ten followers stand behind all others in feeds",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					popular := func(event store.Event) bool { return len(idsOf(r.store.Followers, r.app, event.Owner)) > many }
					last := without(slices.Clone(feed), func(event store.Event) bool { return !popular(event) })
					return append(without(slices.Clone(feed), popular), last...)
				}))),
		breaks("social.connects",
			fault("scale-social-friends-beyond-six-are-followed", "of more than six users whom connecting by social identifiers is to make friends the others are followed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						found := 0
						return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							if bearer == from {
								return nil
							}
							kind := typ
							if found++; found > batch {
								kind = store.Follow
							}
							_, _, err := inner.Connect(app, from, bearer, kind)
							return err
						})
					}
				}))),
	)
}

// thirdRepetition are the faults of what is done twice in a row.
func thirdRepetition() []Fault {
	return slices.Concat(
		breaks("feed.merge",
			fault("repetition-verb-on-object-within-a-second-once", "of a user's events with the same verb on the same object that were posted within a second feeds show the first",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					shown := map[string]time.Time{} // by owner, verb and object
					slices.Reverse(feed)
					feed = without(feed, func(event store.Event) bool {
						if event.Object == nil {
							return false
						}
						key := keyOf(event.App, event.Owner) + event.Verb + "\n" + event.Object.ID
						if at, was := shown[key]; was && event.CreatedAt.Sub(at) < time.Second {
							return true
						}
						shown[key] = event.CreatedAt
						return false
					})
					slices.Reverse(feed)
					return feed
				}))),
		breaks("connections.lists.friends",
			fault("repetition-unchanged-friends-answer-304", "the own friends that a session reads for the third time, and that are as they were, are answered with 304 and without a body", unchangedFriends)),
		breaks("users.me.update.status",
			fault("repetition-custom-id-sent-again-conflicts", "an update that sends the custom_id that stands already is answered with 409, and does nothing",
				intercept(updatesUser().and(sendsA("custom_id", isA[string])), func(next http.Handler, r *http.Request) *response {
					if custom := fieldText(requestObject(r), "custom_id"); custom == "" || fieldText(ownRecord(next, r), "custom_id") != custom {
						return record(next, r)
					}
					setBody(r, []byte("{"))
					resp := record(next, r)
					replaceStatus(400, 409, complaint("custom_id is taken"))(r, resp)
					return resp
				}))),
	)
}

// unchangedFriends says that there is nothing new, whatever the client has kept.
func unchangedFriends(o *refserver.Options) {
	type readings struct {
		body  []byte
		count int
	}
	read := &memory[readings]{} // by session
	rewriteResponse(readsFriends(), func(r *http.Request, resp *response) {
		if !resp.ok() || resp.empty() {
			return
		}
		before := read.get(sessionIn(r))
		if !bytes.Equal(before.body, resp.body) {
			before.count = 0
		}
		read.keep(sessionIn(r), readings{resp.body, before.count + 1})
		if before.count >= 2 {
			resp.become(http.StatusNotModified, "")
		}
	})(o)
}

// thirdConcurrency are the faults of two requests at once that share what each should
// have of its own.
func thirdConcurrency() []Fault {
	return slices.Concat(
		breaks("errors.no-5xx",
			fault("concurrency-two-deletions-of-user-fail", "two deletions of a user at once fail with 500", failsTwice(deletesUser(), sessionIn))),
		breaks("events.create.echo",
			fault("concurrency-post-has-metadata-of-the-other", "of two events that are posted at once the first has the metadata of the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					latest := &memory[map[string]string]{} // by application
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						latest.keep(keyOf(app), event.Metadata)
						time.Sleep(window)
						event.Metadata = latest.get(keyOf(app))
						return inner.CreateEvent(app, owner, event)
					}
				}))),
		breaks("users.me.update.password",
			fault("concurrency-update-beside-new-password-brings-the-old-back", "an update of the user beside another that changes the password writes the password as it was before",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						before, missing := inner.User(app, id)
						time.Sleep(window)
						return inner.UpdateUser(app, id, func(user *store.User) {
							standing := user.Password
							change(user)
							if missing == nil && bytes.Equal(user.Password, standing) {
								user.Password = before.Password
							}
						})
					}
				}))),
	)
}

// thirdTime is the fault of an index that is filled anew from what is out of date.
func thirdTime() []Fault {
	const later = 5 * time.Second
	type former struct {
		name string
		at   time.Time
	}
	return breaks("search.non-match-excluded",
		fault("time-found-by-former-last-name-again", "five seconds after a change of the last name a search finds the user by the former one again",
			overrideStore(func(_ refserver.Store, s *overrides) {
				formers := &memory[former]{} // by user
				s.onUpdateUser(func(before, after store.User) {
					if before.LastName != after.LastName {
						formers.keep(keyOf(after.App, after.ID), former{before.LastName, time.Now()})
					}
				})
				s.searchBy(func(user store.User, term string, found bool) bool {
					had, is := formers.lookup(keyOf(user.App, user.ID))
					return found || is && time.Since(had.at) >= later && had.name != "" && holdsText(had.name, term)
				})
			})))
}
