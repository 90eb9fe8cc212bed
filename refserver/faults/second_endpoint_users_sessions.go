package faults

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// endpointUsersSessions are the faults of users whom one endpoint alone shows otherwise,
// and of ended sessions that work at one.
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
			fault("endpoint-deleted-user-searches", "a search in the session of a deleted user is answered with 400", deletingSessionsAnswer400(searches())),
			fault("endpoint-deleted-user-reads-empty-feed", "the feed in the session that deleted its user is empty", func(o *refserver.Options) {
				deleted := &memory[bool]{} // by token
				combine(
					rewriteResponse(deletesUser(), func(r *http.Request, resp *response) {
						if resp.ok() {
							deleted.keep(sessionIn(r), true)
						}
					}),
					rewriteResponse(readsFeed(), onStatus(401, func(r *http.Request, resp *response) {
						if deleted.get(sessionIn(r)) {
							resp.become(200, "[]")
							resp.header.Del("WWW-Authenticate")
						}
					})),
				)(o)
			})),
		breaks("sessions.token-confined",
			fault("endpoint-own-record-shows-token", "the own record has a session token",
				rewriteObject(readsOwnRecord(), set("session_token", refserver.NewAppToken()))),
			fault("endpoint-search-shows-own-token", "a search that finds the one who searches shows the session token in that result",
				intercept(searches(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					own := fieldText(ownRecord(next, r), "id")
					inEach(func(user map[string]any) {
						if own != "" && fieldText(user, "id") == own {
							user["session_token"] = sessionIn(r)
						}
					})(r, resp)
					return resp
				})),
			fault("endpoint-update-repeats-session-token", "the answer to an update of the user has the session token in it, as that of a create with login",
				rewriteResponse(updatesUser(), func(r *http.Request, resp *response) { resp.object(set("session_token", sessionIn(r))) }))),
		breaks("users.create.echo",
			fault("endpoint-create-with-login-without-social-ids", "the answer to a create that also logs in leaves out the social_ids",
				rewriteObject(createWithLogin(), drop("social_ids")))),
		breaks("users.create.last-login-unset",
			fault("endpoint-follows-last-login-of-1970", "users who have never logged in are among the own follows with a last_login at the beginning of 1970",
				rewriteEach(readsFollows(), func(user map[string]any) {
					if text := fieldText(user, "last_login"); text == "" || strings.HasPrefix(text, "0000-") {
						user["last_login"] = "1970-01-01T00:00:00Z"
					}
				}))),
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
			fault("endpoint-others-record-has-activated-as-text", "in the record of a user by its id activated is a text",
				rewriteObject(readsUser(), mapField("activated", boolAsText))),
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
				overrideStore(searchesFirstProfiles))),
		breaks("users.get.other",
			fault("endpoint-own-id-not-found", "who reads the own record by its id, as that of any user, gets a 404",
				intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.ok() && fieldText(ownRecord(next, r), "id") == lastSegment(r) {
						resp.become(http.StatusNotFound, complaint("user not found"))
					}
					return resp
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

// searchesFirstProfiles has searches show parts of users as they were created.
func searchesFirstProfiles(_ refserver.Store, s *overrides) {
	first := &memory[store.User]{}
	s.onCreateUser(func(user store.User) { first.keep(keyOf(user.App, user.ID), user) })
	search := s.search
	s.search = func(app store.App, term string) ([]store.User, error) {
		users, err := search(app, term)
		users = slices.Clone(users)
		for i, user := range users {
			if created, known := first.lookup(keyOf(app, user.ID)); known {
				users[i].URL, users[i].Metadata = created.URL, created.Metadata
			}
		}
		return users, err
	}
}
