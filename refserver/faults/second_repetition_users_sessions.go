package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// repetitionUsersSessions are the faults of one reading, update or login in several, and of
// what is sent again.
func repetitionUsersSessions() []Fault {
	return slices.Concat(
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
				overrideStore(func(inner refserver.Store, s *overrides) {
					ended, uses := &memory[store.ID]{}, &memory[int]{} // a user by token; by token
					s.onLogout(func(app store.App, user store.ID, token string) { ended.keep(keyOf(app)+token, user) })
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						user, known := ended.lookup(keyOf(app) + token)
						if err == nil || !known || tally(uses, keyOf(app)+token)%4 != 0 {
							return id, err
						}
						if _, gone := inner.User(app, user); gone != nil {
							return id, err
						}
						return user, nil
					}
				})),
			fault("repetition-logout-again-answers-204", "a logout in a session that was logged out is answered with 204", func(o *refserver.Options) {
				out := &memory[bool]{}
				intercept(logsOut(), func(next http.Handler, r *http.Request) *response {
					resp, key := record(next, r), appIn(r)+" "+sessionIn(r)
					switch {
					case resp.ok():
						out.keep(key, true)
					case resp.status == 401 && out.get(key):
						resp.header.Del("WWW-Authenticate")
						resp.become(204, "")
					}
					return resp
				})(o)
			})),
		breaks("users.me.get",
			fault("repetition-twelfth-own-record-without-email", "every twelfth reading of the own record in a session lacks the email",
				rewriteNth(12, readsOwnRecord(), inObject(drop("email"))))),
		breaks("users.me.update.status",
			fault("repetition-same-update-answers-200", "the same update of the user as the one before is answered with 200", func(o *refserver.Options) {
				latest := &memory[string]{}
				rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
					if body := string(encode(requestObject(r))); resp.ok() && latest.keep(r.Header.Get("Authorization"), body) == body {
						resp.status = http.StatusOK
					}
				})(o)
			}),
			fault("repetition-custom-id-sent-again-conflicts", "an update that sends the custom_id that stands already is answered with 409, and does nothing",
				intercept(updatesUser().and(sendsA("custom_id", isA[string])), func(next http.Handler, r *http.Request) *response {
					if custom := fieldText(requestObject(r), "custom_id"); custom == "" || fieldText(ownRecord(next, r), "custom_id") != custom {
						return record(next, r)
					}
					setBody(r, []byte("{"))
					resp := record(next, r)
					replaceStatus(400, 409, complaint("custom_id is taken"))(r, resp)
					return resp
				})),
			fault("repetition-same-update-of-user-answers-200", "an update of the user with the same body as the one before it is answered with 200",
				func(o *refserver.Options) {
					latest := &memory[string]{} // by session
					rewriteResponse(updatesUser(), onStatus(201, func(r *http.Request, resp *response) {
						body := string(peekBody(r))
						if latest.keep(sessionIn(r), body) == body {
							resp.status = 200
						}
					}))(o)
				})),
		breaks("users.me.update.applies",
			fault("repetition-third-update-not-stored", "of every third update in a session first and last name are passed over",
				everyNth(3, updatesUser(), func(nth match) mutation {
					return rewriteBody(nth, func(user map[string]any) {
						ignoring("first_name", isA[string])(user)
						ignoring("last_name", isA[string])(user)
					})
				})),
			fault("repetition-third-own-record-outdated", "every third reading of the own record in a session shows names, url and metadata as before the latest update", thirdRecordOutdated),
			fault("repetition-social-ids-sent-again-lost", "an update takes away those of its social_ids that stand already",
				intercept(updatesUser().and(sends("social_ids")), func(next http.Handler, r *http.Request) *response {
					standing, _ := ownRecord(next, r)["social_ids"].(map[string]any)
					inBody(within("social_ids", func(sent map[string]any) {
						maps.DeleteFunc(sent, func(platform string, id any) bool { return isA[string](id) && standing[platform] == id })
					}))(r)
					return record(next, r)
				}))),
		breaks("users.me.update.password",
			fault("repetition-old-password-at-every-third-try", "every third login by user name with the password before the latest change is taken", knowingPasswords(oldPasswordsAtThird))),
		breaks("users.get.other",
			fault("repetition-fifth-other-user-not-found", "every fifth reading of another user in a session is answered with 404",
				rewriteNth(5, readsUser(), replaceSuccess(404, complaint("user not found"))))),
		breaks("users.get.unknown",
			fault("repetition-second-unknown-user-no-content", "an id that no user has is answered with 404 the first time that it is read, and with 204 from then on", func(o *refserver.Options) {
				known, misses := &memory[bool]{}, &memory[int]{} // by id
				combine(
					rewriteObject(createsUser(), func(user map[string]any) { known.keep(fieldText(user, "id"), true) }),
					rewriteResponse(readsUser(), onStatus(http.StatusNotFound, func(r *http.Request, resp *response) {
						if id := lastSegment(r); !known.get(id) && tally(misses, id) >= 2 {
							resp.become(http.StatusNoContent, "")
						}
					})),
				)(o)
			})),
	)
}

func thirdRecordOutdated(o *refserver.Options) {
	before := &memory[map[string]any]{} // by session
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() && own != nil {
				before.keep(sessionIn(r), own)
			}
			return resp
		}),
		everyNth(3, readsOwnRecord(), func(third match) mutation {
			return rewriteResponse(third, func(r *http.Request, resp *response) {
				old := before.get(sessionIn(r))
				resp.object(func(user map[string]any) {
					for _, field := range []string{"first_name", "last_name", "url", "metadata"} {
						if value, had := old[field]; had {
							user[field] = value
						} else if old != nil {
							delete(user, field)
						}
					}
				})
			})
		}),
	)(o)
}

// oldPasswordsAtThird takes, at every third try, the password before the latest change.
func oldPasswordsAtThird(known *passwords) mutation {
	old, tries := &memory[string]{}, &memory[int]{} // by user name
	return combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			before := known.byName.get(ownName(next, r))
			resp := record(next, r)
			name, now := fieldText(requestObject(r), "user_name"), fieldText(requestObject(r), "password")
			if resp.ok() && before != "" && now != "" && now != before {
				old.keep(name, before)
			}
			return resp
		}),
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			if resp.ok() {
				old.keep(fieldText(requestObject(r), "user_name"), "") // another user may bear the name
			}
		}),
		rewriteBody(logsInByName(), func(login map[string]any) {
			name, right := fieldText(login, "user_name"), ""
			if right, _ = known.by(login); right == "" || old.get(name) == "" || login["password"] != old.get(name) {
				return
			}
			if tally(tries, name)%3 == 0 {
				login["password"] = right
			}
		}),
	)
}
