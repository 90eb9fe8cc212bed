package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

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
			fault("endpoint-app-alone-reads-user", "other users are shown to whoever has the app token, without a session", public(readsUser())),
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
			fault("endpoint-unknown-session-reads-user", "other users are shown to whoever has the app token and any session token, also one that was never issued", anySessionReadsUsers),
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
				acrossApps(func(apps []store.App, inner refserver.Store, s *overrides) {
					s.followers = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := inner.Followers(app, id)
						for _, other := range apps {
							if elsewhere, missing := inner.Followers(other, id); err != nil && missing == nil {
								return elsewhere, nil
							}
						}
						return users, err
					}
				})),
			fault("endpoint-feed-in-session-of-another-app", "the feed is read in the sessions of any application", inAnother(readsFeed(), 401)),
			fault("endpoint-logout-in-session-of-another-app", "a logout is granted, and done, under the app token of any application", inAnother(logsOut(), 401)),
			fault("endpoint-event-created-in-session-of-another-app", "an event is created under the app token of any application", inAnother(createsEvent(), 401)),
			fault("endpoint-event-of-another-app-deleted", "anybody of any other application can delete an event",
				mixed(func(apps applications, s *overrides) {
					owners := &memory[store.Event]{}
					s.onCreateEvent(func(event store.Event) { owners.keep(keyOf(0, event.ID), event) })
					s.deleteEvent = func(app store.App, owner, id store.ID) error {
						err := apps.inner.DeleteEvent(app, owner, id)
						if event, known := owners.lookup(keyOf(0, id)); known && event.App != app {
							return apps.inner.DeleteEvent(event.App, event.Owner, id)
						}
						return err
					}
				})),
			fault("endpoint-event-of-another-app-changed-all-the-same", "a change of another application's event is answered with 404 and done",
				mixed(func(apps applications, s *overrides) {
					owners := &memory[store.Event]{}
					s.onCreateEvent(func(event store.Event) { owners.keep(keyOf(0, event.ID), event) })
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						changed, err := apps.inner.UpdateEvent(app, owner, id, change)
						if event, known := owners.lookup(keyOf(0, id)); known && event.App != app {
							if _, wrong := apps.inner.UpdateEvent(event.App, event.Owner, id, change); wrong != nil {
								return store.Event{}, wrong
							}
						}
						return changed, err
					}
				})),
			fault("endpoint-connection-to-user-of-another-app", "a connection to another application's user is answered as if it were made",
				mixed(func(apps applications, s *overrides) {
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						made, isNew, err := apps.inner.Connect(app, from, to, typ)
						for _, other := range apps.besides(app) {
							if user, missing := apps.inner.User(other, to); err != nil && missing == nil {
								return store.Connection{App: app, From: from, To: to, Type: typ, CreatedAt: user.CreatedAt, UpdatedAt: user.CreatedAt}, true, nil
							}
						}
						return made, isNew, err
					}
				})),
			fault("endpoint-search-by-email-in-all-applications", "a search finds the users of other applications by their emails, as its condition on the application binds to the other attributes alone",
				mixed(searchedInAllApps(email))),
			fault("endpoint-search-first-names-of-all-applications", "a search by first name is made in every application, those by other attributes in the own one",
				mixed(searchedInAllApps(firstName)))),
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
func public(m match) mutation {
	const passport = "the public"
	return combine(
		rewriteRequest(m.and(sessionless), func(r *http.Request) { r.SetBasicAuth(appIn(r), passport) }),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.session = func(app store.App, token string) (store.ID, error) {
				if everyone, err := inner.Search(app, ""); token == passport && err == nil && len(everyone) > 0 {
					return everyone[0].ID, nil
				}
				return inner.Session(app, token)
			}
		}),
	)
}

// inUnknownSession answers the requests in an unknown session otherwise.
func inUnknownSession(m match, status int, body string) mutation {
	return withTokens(func(tokens []string) mutation {
		return rewriteResponse(m.and(insession).and(not(unknownApp(tokens))), replaceStatus(401, status, body))
	})
}

// anySessionReadsUsers takes any session token where a user is read, save those that
// were issued: what has become of them decides.
func anySessionReadsUsers(o *refserver.Options) {
	const passport = "whoever it is"
	issued := &memory[bool]{} // by token
	combine(
		opened(func(_ *http.Request, _ map[string]any, _, token string) { issued.keep(token, true) }),
		rewriteRequest(readsUser().and(insession), func(r *http.Request) {
			if !issued.has(sessionIn(r)) {
				r.SetBasicAuth(appIn(r), passport)
			}
		}),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.session = func(app store.App, token string) (store.ID, error) {
				if everyone, err := inner.Search(app, ""); token == passport && err == nil && len(everyone) > 0 {
					return everyone[0].ID, nil
				}
				return inner.Session(app, token)
			}
		}),
	)(o)
}

// searchedInAllApps looks for a term in one attribute of the users of all applications.
func searchedInAllApps(in attribute) func(apps applications, s *overrides) {
	return func(apps applications, s *overrides) {
		s.search = func(app store.App, term string) ([]store.User, error) {
			found, err := apps.inner.Search(app, term)
			if err != nil || term == "" {
				return found, err
			}
			for _, other := range apps.besides(app) {
				more, err := apps.inner.Search(other, term)
				if err != nil {
					return nil, err
				}
				found = append(found, slices.DeleteFunc(more, func(user store.User) bool { return !holdsText(in(user), term) })...)
			}
			return found, nil
		}
	}
}
