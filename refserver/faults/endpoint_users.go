package faults

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// endpointUsersSessions are faults of users that only one endpoint shows differently, and
// of ended sessions that work at one.
func endpointUsersSessions() []Fault {
	const hash = "$2y$10$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW"
	return slices.Concat(
		breaks("sessions.login.details",
			fault("endpoint-login-by-email-without-details", "a login by email never has the user's details",
				rewriteObject(logsIn().and(sends("email")).and(not(sends("user_name"))), func(user map[string]any) {
					maps.DeleteFunc(user, func(field string, _ any) bool { return field != "id" && field != "session_token" })
				})),
			fault("endpoint-login-details-without-social-ids", "the details of a login leave out the social_ids, which are read from another table",
				rewriteObject(logsIn().and(detailed), drop("social_ids")))),
		breaks("sessions.logout.destroys",
			fault("endpoint-destroyed-token-searches", "searches are served in destroyed sessions", destroyedTokensWork(searches())),
			fault("endpoint-destroyed-token-reads-user", "other users are read in destroyed sessions", destroyedTokensWork(readsUser())),
			fault("endpoint-destroyed-token-follows", "connections are made in destroyed sessions", destroyedTokensWork(connects())),
			fault("endpoint-destroyed-token-deletes-event", "events are deleted in destroyed sessions", destroyedTokensWork(deletesEvent())),
			fault("endpoint-destroyed-token-deletes-user", "users are deleted in destroyed sessions", destroyedTokensWork(deletesUser()))),
		breaks("sessions.deleted-user",
			fault("endpoint-deleted-user-searches", "a search in the session of a deleted user is answered with 400", refusedAfterDeletion(searches())),
			fault("endpoint-deleted-user-reads-empty-feed", "the feed in the session that deleted its user is empty",
				once(deletesUser(), asked.session, sessionIn, func(gone match) mutation { return rewriteResponse(readsFeed().and(gone), served("[]")) }))),
		breaks("sessions.token-confined",
			fault("endpoint-own-record-shows-token", "the own record has a session token",
				rewriteObject(readsOwnRecord(), set("session_token", refserver.NewAppToken()))),
			fault("endpoint-search-shows-own-token", "a search that finds the one who searches shows the session token in that result",
				answers(searches(), func(q asked) {
					own := q.ownID()
					q.each(where(func(user map[string]any) bool { return own != "" && fieldText(user, "id") == own }, set("session_token", q.session())))
				}))),
		breaks("users.create.echo",
			fault("endpoint-create-with-login-without-social-ids", "the answer to a create that also logs in leaves out the social_ids",
				rewriteObject(createWithLogin(), drop("social_ids")))),
		breaks("users.create.last-login-unset",
			fault("endpoint-follows-last-login-of-1970", "users who have never logged in are among the own follows with a last_login at the beginning of 1970",
				rewriteEach(readsFollows(), where(isNewcomer, set("last_login", "1970-01-01T00:00:00Z"))))),
		breaks("users.id-stable",
			fault("endpoint-detailed-login-pads-id", "the id in the details of a login has a leading zero",
				rewriteObject(logsIn().and(detailed), mapText("id", func(id string) string { return "0" + id })))),
		breaks("users.types",
			fault("endpoint-follows-of-user-enabled-as-text", "another user's follows have enabled as a text",
				rewriteEach(readsFollowsOf(), set("enabled", "true"))),
			fault("endpoint-search-metadata-as-text", "search results have metadata as the text of its JSON",
				rewriteEach(searches(), mapField("metadata", func(value any) any { return strings.TrimSpace(string(encode(value))) }))),
			fault("endpoint-update-answers-activated-as-sent", "the answer to an update of the user has activated as it was sent, which is a text",
				rewriteResponse(updatesUser(), fromRequest("activated", "activated"))),
			fault("endpoint-friends-of-user-activated-as-number", "another user's friends have activated as 0 or 1, as a database keeps it",
				rewriteEach(readsFriendsOf(), mapField("activated", boolAsNumber))),
			fault("endpoint-search-activated-as-number", "in the results of a search activated is 1 or 0", rewriteEach(searches(), mapField("activated", boolAsNumber))),
			fault("endpoint-follows-list-metadata-as-entries", "GET /0.2/user/follows writes metadata as a list of entries with key and value",
				rewriteEach(readsFollows(), mapField("metadata", asEntries))),
			fault("endpoint-friends-of-user-with-social-ids-as-list", "among the friends of another user social_ids are a list, without their networks",
				rewriteEach(readsFriendsOf(), mapField("social_ids", valuesAlone)))),
		breaks("users.password-hidden",
			fault("endpoint-search-shows-password", "search results have a password of asterisks", rewriteEach(searches(), set("password", "***"))),
			fault("endpoint-login-details-show-hash", "the details of a login have a hash for a password",
				rewriteObject(logsIn().and(detailed), set("password", hash))),
			fault("endpoint-new-password-answered-as-hash", "an update with a new password answers with its hash as password",
				rewriteObject(updatesUser().and(sends("password")), set("password", hash)))),
		breaks("users.me.update.applies",
			fault("endpoint-search-shows-first-url-and-metadata", "searches show the url and the metadata that a user was created with, whatever it has been updated to",
				breaking(searching(func(l look, hits []User) []User {
					hits = slices.Clone(hits)
					for i, user := range hits {
						if made := l.last(created, user.ID, 0); made.n > 0 {
							hits[i].URL, hits[i].Metadata = made.user.URL, made.user.Metadata
						}
					}
					return hits
				})))),
		breaks("users.get.other",
			fault("endpoint-own-id-not-found", "who reads the own record by its id, as that of any user, gets a 404",
				answers(readsUser(), func(q asked) {
					if q.ok() && q.ownID() == q.last() {
						q.become(http.StatusNotFound, complaint("user not found"))
					}
				}))),
	)
}

// asEntries is a map as a list of its entries.
func asEntries(value any) any {
	entries, is := value.(map[string]any)
	if !is {
		return value
	}
	list := []any{}
	for key, entry := range entries {
		list = append(list, map[string]any{"key": key, "value": entry})
	}
	return list
}

// valuesAlone is a map as a list of its values.
func valuesAlone(value any) any {
	entries, is := value.(map[string]any)
	if !is {
		return value
	}
	return slices.AppendSeq([]any{}, maps.Values(entries))
}

// endpointAuth are the faults of credentials that one endpoint of several does not ask for,
// answers otherwise, or looks up in another application.
func endpointAuth() []Fault {
	nobody := lacksHeader("Authorization")
	anonymous := lacksHeader("User-Agent")
	return slices.Concat(
		breaks("auth.missing",
			fault("endpoint-nobody-connects-socially", "connecting by social identifiers without Authorization is answered with 201",
				respond(connectsSocially().and(nobody), 201, "{}")),
			fault("endpoint-nobody-changes-event", "a change of an event without Authorization is answered with 403",
				rewriteResponse(updatesEvent().and(nobody), replaceStatus(401, 403, complaint("no access")))),
			fault("endpoint-nobody-reads-follows", "another user's follows are answered with 404 without Authorization",
				rewriteResponse(readsFollowsOf().and(nobody), replaceStatus(401, 404, complaint("not found")))),
			fault("endpoint-nobody-logs-out", "a logout without Authorization is answered with 204, as there is nothing to do",
				respond(logsOut().and(lacksHeader("Authorization")), 204, ""))),
		breaks("auth.app-token-unknown",
			fault("endpoint-unknown-app-searches", "a search under an unknown app token finds nobody",
				inUnknownApp(searches(), func(m match) mutation { return respond(m, 200, "[]") })),
			fault("endpoint-unknown-app-creates-user", "a create under an unknown app token is answered with 403",
				inUnknownApp(createsUser(), func(m match) mutation {
					return rewriteResponse(m, replaceStatus(401, 403, complaint("no access")))
				})),
			fault("endpoint-unknown-app-login-not-found", "a login under an unknown app token is answered with 404",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(logsIn().and(unknownApp(tokens)), replaceStatus(401, 404, complaint("application not found")))
				})),
			fault("endpoint-unknown-app-ends-connection-not-found", "the end of a connection under an unknown app token is answered with 404",
				inUnknownApp(disconnects(), func(m match) mutation {
					return rewriteResponse(m, replaceStatus(401, 404, complaint("connection not found")))
				}))),
		breaks("auth.session-missing",
			fault("endpoint-app-alone-lists-friends", "another user's friends are answered as none under the app token alone",
				respond(readsFriendsOf().and(sessionless), 200, "[]")),
			fault("endpoint-app-alone-updates-user", "an update under the app token alone is answered with 422",
				rewriteResponse(updatesUser().and(sessionless), replaceStatus(401, 422, complaint("user_name is required")))),
			fault("endpoint-app-alone-logs-out", "a logout under the app token alone is answered with 204",
				withTokens(func(tokens []string) mutation {
					return respond(logsOut().and(sessionless).and(not(unknownApp(tokens))).and(not(anonymous)), http.StatusNoContent, "")
				})),
			fault("endpoint-app-alone-deletes-unfound-event", "a deletion of an event under the app token alone is answered with 404, as none of its owner's",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(deletesEvent().and(sessionless).and(not(unknownApp(tokens))), replaceStatus(401, 404, complaint("event not found")))
				})),
			fault("endpoint-app-alone-reads-user", "the app token alone, without a session, is enough to read other users", public(readsUser())),
			fault("endpoint-end-of-connection-without-session-answers-403", "ending a connection with an app token alone is answered with 403",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(disconnects().and(sessionless).and(not(unknownApp(tokens))),
						replaceStatus(401, 403, complaint("authentication credentials were not provided")))
				})),
			fault("endpoint-followers-of-user-no-session", "anybody's followers are public: the app token alone is enough to read them", public(readsFollowersOf()))),
		breaks("auth.session-unknown",
			fault("endpoint-unknown-session-changes-event", "a change of an event in an unknown session is answered with 404",
				inUnknownSession(updatesEvent(), 404, complaint("event not found"))),
			fault("endpoint-unknown-session-connects-socially", "connecting by social identifiers in an unknown session is answered with 201",
				inUnknownSession(connectsSocially(), 201, "{}")),
			fault("endpoint-unknown-session-deletes-user", "deleting the user of an unknown session is answered with 204",
				inUnknownSession(deletesUser(), 204, "")),
			fault("endpoint-unknown-session-reads-user", "the app token with any session token, also one that was never issued, is enough to read other users",
				requestsWhere(readsUser().and(insession), func(l look) bool { return l.me == 0 }, inAnySession)),
			fault("endpoint-unknown-session-has-no-friends", "the own friends in an unknown session are none",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(readsFriends().and(insession).and(not(unknownApp(tokens))), replaceStatus(401, 200, "[]"))
				})),
			fault("endpoint-unknown-session-sees-no-friends-of-user", "another user's friends are answered as none in an unknown session",
				inUnknownSession(readsFriendsOf(), 200, "[]"))),
		breaks("auth.no-effect",
			fault("endpoint-social-under-unknown-app-done-anyway", "connecting by social identifiers under an unknown app token is answered with 401 and takes effect",
				withTokens(func(tokens []string) mutation {
					return refusedButDone(connectsSocially().and(unknownApp(tokens)), underApp(tokens[0]))
				})),
			fault("endpoint-logout-under-unknown-app-done-anyway", "a logout under an unknown app token is answered with 401 and takes effect",
				withTokens(func(tokens []string) mutation {
					return refusedButDone(logsOut().and(unknownApp(tokens)), underApp(tokens[0]))
				}))),
		breaks("auth.app-isolation",
			fault("endpoint-lists-of-another-app", "the followers of another application's user are listed",
				breaking(func(s *overrides) {
					s.followers = func(app App, id ID) ([]User, error) {
						for _, there := range s.look(app, id, 0).elsewhere() {
							if there.there(id) {
								return s.Store.Followers(there.app, id)
							}
						}
						return s.Store.Followers(app, id)
					}
				})),
			fault("endpoint-feed-in-session-of-another-app", "the feed is read in the sessions of any application", inAnother(readsFeed(), 401)),
			fault("endpoint-logout-in-session-of-another-app", "a logout is granted, and done, under the app token of any application", inAnother(logsOut(), 401)),
			fault("endpoint-event-created-in-session-of-another-app", "an event is created under the app token of any application", inAnother(createsEvent(), 401)),
			fault("endpoint-event-of-another-app-deleted", "anybody of any other application can delete an event",
				breaking(around(toRemove, func(l *step) error {
					err := l.do()
					for _, there := range l.elsewhere() {
						if post := there.last(posted, 0, l.event.ID); post.n > 0 {
							return l.store.DeleteEvent(there.app, post.by, l.event.ID)
						}
					}
					return err
				}))),
			fault("endpoint-event-of-another-app-changed-all-the-same", "a change of another application's event is answered with 404 and done",
				breaking(around(toChange, func(l *step) error {
					err := l.do()
					for _, there := range l.elsewhere() {
						if post := there.last(posted, 0, l.event.ID); post.n > 0 {
							_, wrong := l.store.UpdateEvent(there.app, post.by, l.event.ID, l.changeEvent)
							return cmp.Or(wrong, err)
						}
					}
					return err
				}))),
			fault("endpoint-connection-to-user-of-another-app", "a connection to another application's user is answered as if it were made",
				breaking(around(toConnect, func(l *step) error {
					err := l.do()
					for _, there := range l.elsewhere() {
						if user := there.record(l.other); err != nil && user.ID != 0 {
							at := user.CreatedAt
							l.made = store.Connection{App: l.app, From: l.me, To: l.other, Type: l.types[0], CreatedAt: at, UpdatedAt: at}
							l.isNew, err = true, nil
						}
					}
					return err
				}))),
			fault("endpoint-search-by-email-in-all-applications", "a search finds the users of other applications by their emails, as its condition on the application binds to the other attributes alone",
				searchedInAllApps(email)),
			fault("endpoint-search-first-names-of-all-applications", "a search by first name is made in every application, those by other attributes in the own one",
				searchedInAllApps(firstName))),
		breaks("auth.challenge",
			fault("endpoint-refused-login-without-challenge", "the 401 to a login under a known app token asks for nothing",
				withTokens(func(tokens []string) mutation {
					known := appOf(func(token string) bool { return slices.Contains(tokens, token) })
					return rewriteResponse(logsIn().and(known), onStatus(401, header("WWW-Authenticate", "")))
				}))),
	)
}

// inUnknownApp applies a mutation to the requests under an unknown app token.
func inUnknownApp(m match, apply func(match) mutation) mutation {
	return withTokens(func(tokens []string) mutation { return apply(m.and(unknownApp(tokens))) })
}

// public answers the requests without a session that match as those of one who has any.
func public(m match) mutation { return inAnySession(m.and(sessionless)) }

// inAnySession answers the requests that match in the session of anybody.
func inAnySession(m match) mutation {
	const passport = "any-session"
	return combine(
		rewriteRequest(m, func(r *http.Request) { r.SetBasicAuth(appIn(r), passport) }),
		breaking(sessionsOpen(func(l look) ID {
			if everyone := l.everyone(); l.term == passport && len(everyone) > 0 {
				return everyone[0].ID
			}
			return 0
		})))
}

// inUnknownSession answers the requests in an unknown session otherwise.
func inUnknownSession(m match, status int, body string) mutation {
	return withTokens(func(tokens []string) mutation {
		return rewriteResponse(m.and(insession).and(not(unknownApp(tokens))), replaceStatus(401, status, body))
	})
}

// searchedInAllApps looks for a term in one attribute of the users of all applications.
func searchedInAllApps(in attribute) mutation {
	return breaking(searching(func(l look, hits []User) []User {
		return append(hits, l.foundElsewhere(l.term, func(there look) bool { return l.term != "" && holdsText(in(there.user), l.term) })...)
	}))
}
