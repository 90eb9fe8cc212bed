package faults

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sameAgain edits the answers to requests whose body is that of the one before of their key.
func sameAgain(m match, status int, key func(*http.Request) string, change edit) mutation {
	return func(o *refserver.Options) {
		latest := &memory[string]{}
		rewriteResponse(m, onStatus(status, func(r *http.Request, resp *response) {
			if body := string(peekBody(r)); latest.keep(key(r), body) == body {
				change(r, resp)
			}
		}))(o)
	}
}

// nthFeed changes what every nth reading of a reader's feed shows.
func nthFeed(n int, change func(feed []Event) []Event) mutation {
	return breaking(feeds(func(l look, feed []Event) []Event {
		l.journal.write(l.app, act{by: l.me}, noted)
		if l.times(noted, l.me, 0)%n == 0 {
			return change(feed)
		}
		return feed
	}))
}

// repetitions are the faults of one request in several, and of what is done or sent again.
func repetitions() []Fault {
	failure := replaceSuccess(500, complaint("internal server error"))
	become := func(status int, body string) edit {
		return func(_ *http.Request, resp *response) { resp.become(status, body) }
	}
	follower := look.wasFollower
	again := func(l look) int { return len(l.since(l.last(ended, l.me, l.other), followed, l.me, l.other)) }
	alike := func(l look) bool {
		like := func(post *act) bool { return onSameObject(post.event, l.event) && post.event.Verb == l.event.Verb }
		n := 0
		for _, post := range l.then(l.post()).all(posted, l.other, 0) {
			if like(post) {
				n++
			}
		}
		return n >= 2
	}
	doubledFrom := func(n int) mutation {
		return breaking(doubles(func(l look) bool { return l.times(changed, 0, l.event.ID) >= n }))
	}
	return slices.Concat(
		breaks("connections.delete.status",
			fault("repetition-fourth-end-answers-200", "every fourth end of a connection in a session is answered with 200", func(o *refserver.Options) {
				ends := &memory[int]{}
				rewriteResponse(disconnects(), onStatus(204, func(r *http.Request, resp *response) {
					if tally(ends, sessionIn(r))%4 == 0 {
						resp.become(200, "{}")
					}
				}))(o)
			})),
		breaks("connections.delete.removes",
			fault("repetition-follow-counted", "a follow that was asked for twice is there until it is ended twice",
				breaking(around(toUnfollow, func(l *step) error {
					if tries := l.since(l.last(ended, l.me, l.other), noted, l.me, l.other); again(l.look)-len(tries) < 2 {
						return l.do()
					}
					l.mark(l.me, l.other)
					if l.befriends() && l.of(store.Friend) {
						return l.store.Disconnect(l.app, l.me, l.other, store.Friend)
					}
					return nil
				})))),
		breaks("connections.lists.follows",
			fault("repetition-third-follow-lists-twice", "a user who is followed by a user three times without an end between is listed twice among its follows",
				breaking(list.repeats(ofFollows, func(l look) bool { return again(l) >= 3 }))),
			fault("repetition-same-follow-again-ends-it", "a follow that is asked for again is ended, as by a switch",
				breaking(after(toConnect, func(l *step) {
					if l.of(store.Follow) && !l.isNew {
						_ = l.store.Disconnect(l.app, l.me, l.other, store.Follow) // it stands
					}
				})))),
		breaks("connections.lists.followers",
			fault("repetition-fifth-followers-without-last", "every fifth reading of the own followers in a session lacks the last",
				rewriteNth(5, readsFollowers(), inList(func(list []any) []any { return list[:max(0, len(list)-1)] }))),
			fault("repetition-followers-read-three-times-stay", "the own followers that a session has read three times are shown as they were then",
				cached(readsFollowers(), sessionIn, func(_ *http.Request, before kept, resp *response) bool { return resp.ok() && before.uses >= 3 }))),
		breaks("connections.lists.friends",
			fault("repetition-unchanged-friends-answer-304", "the own friends that a session reads for the third time, and that are as they were, are answered with 304 and without a body", unchangedFriends)),
		breaks("connections.lists.of-user",
			fault("repetition-third-friends-of-user-empty", "every third reading of another user's friends in a session has none",
				rewriteNth(3, readsFriendsOf(), replaceSuccess(200, "[]")))),
		breaks("social.connects",
			fault("repetition-same-contacts-not-looked-up-again", "connecting by the same social identifiers again connects nobody, also who has joined since",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					list, err := json.Marshal(c.ids)
					request := strings.Join([]string{c.platform, string(c.typ), string(list)}, "\n")
					if err != nil || len(c.journal.at(place{c.app, noted, c.me, 0, request}, 0)) > 0 {
						return err
					}
					c.journal.write(c.app, act{by: c.me, text: request}, noted)
					return proceed(c.ids)
				}))),
			fault("repetition-fourth-social-connecting-does-nothing", "from the fourth time on that a user connects by social identifiers, nobody is connected",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					if c.journal.write(c.app, act{by: c.me}, noted); c.times(noted, c.me, 0) > 3 {
						return nil
					}
					return proceed(c.ids)
				})))),
		breaks("errors.no-5xx",
			fault("repetition-tenth-own-record-fails", "every tenth reading of the own record in a session fails with 500", rewriteNth(10, readsOwnRecord(), failure)),
			fault("repetition-twentieth-search-fails", "every twentieth search in a session fails with 500", rewriteNth(20, searches(), failure)),
			fault("repetition-social-again", "connecting by social identifiers again, to somebody who was connected so before, fails at a unique key",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					for _, user := range c.found() {
						made := c.since(c.last(ended, c.me, user.ID), contacted, c.me, user.ID)
						if slices.ContainsFunc(made, func(contact *act) bool { return contact.text == string(c.typ) }) {
							return errors.New("the connection is there already")
						}
					}
					return proceed(c.ids)
				})))),
		breaks("limits.metadata.keys",
			fault("repetition-metadata-keys-add-up", "an update counts the keys of metadata together with those of the user's updates before", keysAddUp)),
		breaks("search.exact",
			fault("repetition-ninth-search-misses-user-name", "every ninth search for the whole of a user name misses its bearer",
				breaking(searching(func(l look, hits []User) []User {
					bears := func(user User) bool { return user.UserName == l.term }
					if slices.ContainsFunc(hits, bears) {
						l.journal.write(l.app, act{text: l.term}, noted)
					}
					return slices.DeleteFunc(hits, func(user User) bool { return bears(user) && len(l.named(noted, l.term))%9 == 0 })
				})))),
		breaks("search.last-name",
			fault("repetition-third-update-leaves-last-name-indexed", "after every third update of a user a search goes by the last name that it had before", breaking(thirdUpdateNotIndexed))),
		breaks("search.no-match-empty",
			fault("repetition-vain-search-again-is-an-object", "a search that found nobody, and that a session makes again, is answered with {}", func(o *refserver.Options) {
				vain := &memory[bool]{} // by session and term
				rewriteResponse(searches(), onSuccess(func(r *http.Request, resp *response) {
					if term := r.URL.Query().Get("q"); term != "" && resp.empty() && vain.keep(sessionIn(r)+" "+term, true) {
						resp.become(http.StatusOK, "{}")
					}
				}))(o)
			})),
		breaks("search.deleted-excluded",
			fault("repetition-deleted-found-by-every-fourth-search", "every fourth search for a term also finds the deleted users who have it in the user name",
				breaking(searching(func(l look, hits []User) []User {
					l.journal.write(l.app, act{text: "/" + l.term}, noted)
					return hits
				}), findsDeleted(userName, func(l look) bool { return len(l.now().named(noted, "/"+l.term))%4 == 0 })))),
		breaks("events.create.status",
			fault("repetition-sixth-event-answers-200", "every sixth new event in a session is answered with 200", rewriteNth(6, createsEvent(), status(200)))),
		breaks("events.create.wrong-type",
			fault("repetition-refused-event-sent-again-answers-201", "a new event that was refused with 422, and is sent by the same session again, gets the same answer with 201",
				sameAgain(createsEvent(), 422, func(r *http.Request) string { return sessionIn(r) + "\n" + string(peekBody(r)) },
					func(_ *http.Request, resp *response) { resp.status = http.StatusCreated }))),
		breaks("events.update.status",
			fault("repetition-same-change-again-not-found", "a change of an event that says byte for byte what the one before said is answered with 404, as the database counts no row that it has changed",
				sameAgain(updatesEvent(), 200, appAndPath, become(404, complaint("event not found")))),
			fault("repetition-equal-event-change-answers-204", "a change of an event that sends again what the one before sent is answered with 204 and no body",
				sameAgain(updatesEvent(), 200, sessionAndPath, become(http.StatusNoContent, "")))),
		breaks("events.update.applies",
			fault("repetition-fourth-change-not-applied", "every fourth change of an event is answered as if it were made, and is not",
				everyNth(4, updatesEvent(), func(nth match) mutation {
					return rewriteBody(nth, each(func(field string) objectEdit { return ignoring(field, isA[string]) }, "location", "language", "priority", "verb"))
				}))),
		breaks("events.update.keeps-identity",
			fault("repetition-same-change-of-another-event", "a change of an event that says byte for byte what the session's last change of another said is answered with that other event",
				sameChangesOnce),
			fault("repetition-later-changes-date-event-by-change-before", "the answer to a second change of an event, or a later one, has the time of the change before as created_at",
				breaking(after(toChange, func(l *step) {
					if before := l.last(changed, 0, l.event.ID); before.n > 0 {
						l.event.CreatedAt = before.event.UpdatedAt
					}
				})))),
		breaks("events.delete.others",
			fault("repetition-second-foreign-deletion-done", "the second try of a user to delete another's event is refused like the first, and done",
				breaking(foreign(toRemove, store.ErrForbidden, func(l look) bool { return l.times(triedRemove, l.me, l.event.ID) >= 2 })))),
		breaks("feed.follow.new-events",
			fault("repetition-seventh-event-lost", "every seventh event that a user posts is in no feed",
				breaking(hides(func(l look) bool { return (len(l.then(l.post()).all(posted, l.other, 0))+1)%7 == 0 }))),
			fault("repetition-seventh-feed-without-newest", "every seventh reading of a feed lacks the newest event",
				nthFeed(7, func(feed []Event) []Event { return feed[min(1, len(feed)):] })),
			fault("repetition-event-shown-five-times-leaves-feed", "an event that a reader has been shown five times is in the reader's feed no more",
				breaking(hides(func(l look) bool {
					l.journal.write(l.app, act{by: l.me, to: l.event.ID}, noted)
					return l.times(noted, l.me, l.event.ID) > 5
				}))),
			fault("repetition-third-event-alike-kept-from-feeds", "of a user's events of the same verb on the same object the third and further ones are in no feed", breaking(hides(alike)))),
		breaks("feed.only-connected",
			fault("repetition-fifth-feed-of-followers", "every fifth reading of a feed also holds the events of the reader's followers",
				breaking(feeds(func(l look, feed []Event) []Event { l.journal.write(l.app, act{by: l.me}, noted); return feed }),
					adds(func(l look) bool { return l.times(noted, l.me, 0)%5 == 0 && l.followedBy() })))),
		breaks("feed.merge",
			fault("repetition-fifth-event-stored-twice", "every fifth event that a session posts is stored twice",
				everyNth(5, createsEvent(), func(nth match) mutation {
					return intercept(nth, func(next http.Handler, r *http.Request) *response {
						if resp := record(next, r); !resp.ok() {
							return resp
						}
						return record(next, r)
					})
				})),
			fault("repetition-same-event-is-the-old-one", "a new event that says byte for byte what the session's last one said is answered with that one, and does not come to be", sameEventsOnce),
			fault("repetition-second-follow-doubles-events", "what a user posts after it was followed twice is in the feed twice",
				breaking(doubles(func(l look) bool {
					follows := l.since(l.last(ended, l.me, l.other), followed, l.me, l.other)
					return len(follows) >= 2 && !l.older(follows[1].at)
				}))),
			fault("repetition-third-change-doubles-event", "an event that was changed three times is in feeds twice", doubledFrom(3)),
			fault("repetition-event-changed-twice-shown-twice", "an event is in feeds twice once it was changed a second time", doubledFrom(2)),
			fault("repetition-verb-on-object-within-a-second-once", "of a user's events with the same verb on the same object that were posted within a second feeds show the first",
				breaking(feeds(func(_ look, feed []Event) []Event {
					var shown []Event
					for _, event := range slices.Backward(feed) {
						latest := slices.IndexFunc(shown, func(e Event) bool { return e.Owner == event.Owner && e.Verb == event.Verb && onSameObject(e, event) })
						if latest < 0 || event.CreatedAt.Sub(shown[latest].CreatedAt) >= time.Second {
							shown = slices.Insert(shown, 0, event)
						}
					}
					return shown
				})))),
		breaks("feed.order",
			fault("repetition-eighth-feed-reversed", "every eighth reading of a feed begins with the oldest event",
				nthFeed(8, func(feed []Event) []Event { slices.Reverse(feed); return feed }))),
		breaks("feed.unfollow",
			fault("repetition-unfollowed-at-every-fifth", "the events of a user who is no longer followed are in the feed at every fifth reading",
				breaking(stays(ended, func(l look) bool { return l.everyNth(5) })))),
		breaks("feed.event-delete",
			fault("repetition-deleted-event-at-every-sixth", "a deleted event is in the feeds of followers at every sixth reading",
				breaking(stays(removed, to(follower, func(l look) bool { return l.everyNth(6) })))),
			fault("repetition-third-deleted-event-stays", "every third event that a user deletes stays in the feeds of followers",
				breaking(stays(removed, func(l look) bool { return (l.times(removed, l.other, 0)+1)%3 == 0 && l.follows() })))),
		breaks("feed.purge.followers",
			fault("repetition-purged-at-every-ninth", "a deleted user's events are in the feeds of followers at every ninth reading",
				breaking(stays(deleted, to(follower, func(l look) bool { return l.everyNth(9) }))))),
		breaks("transport.json-body",
			fault("repetition-tenth-feed-unlabelled", "every tenth answer of a feed has no Content-Type", rewriteNth(10, readsFeed(), header("Content-Type", "")))),
		breaks("transport.cors-preflight",
			fault("repetition-second-preflight-names-no-headers", "every second preflight of a path allows no headers",
				rewriteNth(2, by(http.MethodOptions), header("Access-Control-Allow-Headers", "")))),
		breaks("versions.current",
			fault("repetition-third-versions-outdated", "every third list of versions has 0.2 as disabled", rewriteNth(3, readsVersions(), ofVersion("0.2", set("status", "disabled")))),
			fault("repetition-fourth-versions-of-an-old-node", "every fourth reading of the versions comes from a node where 0.2 is beta",
				rewriteNth(4, readsVersions(), ofVersion("0.2", set("status", "beta"))))),
		breaks("sessions.login.user-name",
			fault("repetition-third-login-token-is-void", "the session token of every third login by a user name opens nothing", func(o *refserver.Options) {
				logins := &memory[int]{}
				opened(func(r *http.Request, user map[string]any, id, _ string) {
					if logsInByName()(r) && tally(logins, id)%3 == 0 {
						user["session_token"] = refserver.NewAppToken()
					}
				})(o)
			})),
		breaks("sessions.login.wrong-password",
			fault("repetition-same-wrong-password-taken", "a wrong password that was refused for a user name is taken when it is given again",
				knowingPasswords(func(known *passwords) mutation {
					tries := &memory[int]{}
					return rewriteBody(logsInByName(), func(login map[string]any) {
						given := fieldText(login, "password")
						right, is := known.by(login)
						if is && given != "" && given != right && tally(tries, fieldText(login, "user_name")+"\n"+given) >= 2 {
							login["password"] = right
						}
					})
				}))),
		breaks("sessions.logout.destroys",
			fault("repetition-destroyed-token-at-every-fourth-use", "a destroyed session token works at every fourth use",
				breaking(sessionsLast(func(l look) bool {
					l.journal.write(l.app, act{text: l.term}, noted)
					return l.gone.n > 0 && len(l.named(noted, l.term))%4 == 0
				}))),
			fault("repetition-logout-again-answers-204", "a logout in a session that was logged out is answered with 204",
				once(logsOut(), func(q asked) string { return credentials(q.Request) }, credentials, func(out match) mutation {
					return rewriteResponse(logsOut().and(out), onStatus(401, func(_ *http.Request, resp *response) {
						resp.header.Del("WWW-Authenticate")
						resp.become(204, "")
					}))
				}))),
		breaks("users.me.get",
			fault("repetition-twelfth-own-record-without-email", "every twelfth reading of the own record in a session lacks the email",
				rewriteNth(12, readsOwnRecord(), inObject(drop("email"))))),
		breaks("users.me.update.status",
			fault("repetition-same-update-answers-200", "the same update of the user as the one before is answered with 200",
				sameAgain(updatesUser(), 201, sessionIn, func(_ *http.Request, resp *response) { resp.status = 200 })),
			fault("repetition-custom-id-sent-again-conflicts", "an update that sends the custom_id that stands already is answered with 409, and does nothing",
				intercept(updatesUser().and(sendsA("custom_id", isA[string])), func(next http.Handler, r *http.Request) *response {
					custom := fieldText(requestObject(r), "custom_id")
					if custom == "" || fieldText(ownRecord(next, r), "custom_id") != custom {
						return record(next, r)
					}
					setBody(r, []byte("{"))
					resp := record(next, r)
					replaceStatus(400, 409, complaint("custom_id is taken"))(r, resp)
					return resp
				}))),
		breaks("users.me.update.applies",
			fault("repetition-third-update-not-stored", "of every third update in a session first and last name are passed over",
				everyNth(3, updatesUser(), func(nth match) mutation {
					return rewriteBody(nth, each(func(field string) objectEdit { return ignoring(field, isA[string]) }, "first_name", "last_name"))
				})),
			fault("repetition-third-own-record-outdated", "every third reading of the own record in a session shows names, url and metadata as before the latest update", thirdRecordOutdated),
			fault("repetition-social-ids-sent-again-lost", "an update takes away those of its social_ids that stand already",
				rewriteKnowing(updatesUser().and(sends("social_ids")), func(own, sent map[string]any) {
					standing, _ := own["social_ids"].(map[string]any)
					within("social_ids", dropWhere(func(platform, id string) bool { return standing[platform] == id }))(sent)
				}))),
		breaks("users.me.update.password",
			fault("repetition-old-password-at-every-third-try", "every third login by user name with the password before the latest change is taken",
				breaking(passwordsTaken(byUserName, func(l look, given []byte) bool {
					if !l.last(newPassword, l.me, 0).ended(given) {
						return false
					}
					l.journal.write(l.app, act{by: l.me}, noted)
					return l.times(noted, l.me, 0)%3 == 0
				})))),
		breaks("users.get.other",
			fault("repetition-fifth-other-user-not-found", "every fifth reading of another user in a session is answered with 404",
				rewriteNth(5, readsUser(), replaceSuccess(404, complaint("user not found"))))),
		breaks("users.get.unknown",
			fault("repetition-second-unknown-user-no-content", "an id that no user has is answered with 404 the first time that it is read, and with 204 from then on",
				answersLooking(readsUser(), func(l look, q asked) {
					if q.status != http.StatusNotFound || !neverThere(l) {
						return
					}
					if len(l.named(noted, q.last())) > 0 {
						q.become(http.StatusNoContent, "")
					}
					l.journal.write(l.app, act{text: q.last()}, noted)
				}))),
	)
}
