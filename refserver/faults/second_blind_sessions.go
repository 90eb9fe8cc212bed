package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindSessionSequences are the faults of what a login, a logout or a refusal leaves behind.
func blindSessionSequences() []Fault {
	return slices.Concat(
		breaks("sessions.login.email",
			fault("sequence-given-up-email-logs-nobody-in", "nobody logs in by an email that another user gave up for a new one",
				overrideStore(func(inner refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by email
					s.onUpdateUser(func(before, after store.User) {
						if before.Email != after.Email && before.Email != "" {
							givenUp.keep(keyOf(before.App)+before.Email, before.ID)
						}
					})
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if by, is := givenUp.lookup(keyOf(app) + email); err == nil && name == "" && is && by != user.ID {
							return store.User{}, store.ErrNotFound
						}
						return user, err
					}
				}))),
		breaks("users.me.update.password",
			fault("sequence-password-used-before-goes-on", "a password that logged in by user name before it was changed goes on doing so", knowingPasswords(usedPasswordsGoOn))),
		breaks("events.update.status",
			fault("sequence-event-of-ended-session-not-changeable", "an event cannot be changed any more once the session that posted it was logged out", eventsOfEndedSessions)),
		breaks("events.create.echo",
			fault("sequence-refused-metadata-joins-the-next", "the entries of metadata of an event that was refused are added to those of the next event of the session", refusedMetadataJoins)),
		breaks("errors.no-5xx",
			fault("sequence-follow-of-deleted-fails", "a connection to a user who was deleted is answered with 500", func(o *refserver.Options) {
				deleted := &memory[bool]{} // by id
				combine(
					intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
						id := fieldText(ownRecord(next, r), "id")
						resp := record(next, r)
						deleted.keep(id, resp.ok())
						return resp
					}),
					rewriteResponse(connects(), onStatus(404, func(r *http.Request, resp *response) {
						if deleted.get(fieldText(requestObject(r), "user_to_id")) {
							resp.become(500, complaint("foreign key constraint fails"))
						}
					})),
				)(o)
			})),
		breaks("transport.unicode-roundtrip",
			fault("sequence-second-login-takes-names-for-latin-1", "a user's second login takes the first and the last name for Latin-1 until the next update",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logins, spoilt := &memory[int]{}, &memory[bool]{}
					s.onLogin(func(app store.App, user store.ID, _ string) {
						if tally(logins, keyOf(app, user)) >= 2 {
							spoilt.keep(keyOf(app, user), true)
						}
					})
					s.onUpdateUser(func(_, after store.User) { spoilt.keep(keyOf(after.App, after.ID), false) })
					s.user = func(app store.App, id store.ID) (store.User, error) {
						user, err := inner.User(app, id)
						if err == nil && spoilt.get(keyOf(app, id)) {
							user.FirstName, user.LastName = latin1(user.FirstName), latin1(user.LastName)
						}
						return user, err
					}
				}))),
	)
}

// latin1 is what UTF-8 looks like that is taken for Latin-1.
func latin1(text string) string {
	read := make([]rune, 0, len(text))
	for _, b := range []byte(text) {
		read = append(read, rune(b))
	}
	return string(read)
}

// usedPasswordsGoOn lets passwords in again that have logged in the same user by name before.
func usedPasswordsGoOn(known *passwords) mutation {
	ids, used := &memory[string]{}, &memory[string]{} // an id by name; an id by name and password
	return combine(
		rewriteObject(createsUser().or(updatesUser()), func(user map[string]any) { ids.keep(fieldText(user, "user_name"), fieldText(user, "id")) }),
		intercept(logsInByName(), func(next http.Handler, r *http.Request) *response {
			login := requestObject(r)
			name, given := fieldText(login, "user_name"), fieldText(login, "password")
			right, is := known.by(login)
			if by, was := used.lookup(name + "\n" + given); is && was && right != given && by == ids.get(name) {
				inBody(set("password", right))(r)
			}
			resp := record(next, r)
			if resp.ok() {
				used.keep(name+"\n"+given, fieldText(objectOf(resp.body), "id"))
			}
			return resp
		}),
	)
}

// eventsOfEndedSessions refuses changes of events whose session was logged out.
func eventsOfEndedSessions(o *refserver.Options) {
	posted, ended := &memory[string]{}, &memory[bool]{} // a token by event; tokens
	combine(
		refused(updatesEvent().and(func(r *http.Request) bool { return ended.get(posted.get(lastSegment(r))) }), 403, complaint("not your event")),
		rewriteResponse(createsEvent(), func(r *http.Request, resp *response) {
			resp.object(func(event map[string]any) { posted.keep(fieldText(event, "id"), sessionIn(r)) })
		}),
		rewriteResponse(deletesEvent(), func(r *http.Request, resp *response) {
			if resp.ok() {
				posted.keep(lastSegment(r), "")
			}
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				ended.keep(sessionIn(r), true)
			}
		}),
	)(o)
}

// refusedMetadataJoins adds what was valid in the metadata of a refused event to the
// metadata of the next one, as far as there is room.
func refusedMetadataJoins(o *refserver.Options) {
	left := &memory[map[string]any]{} // by session
	intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
		sent := requestObject(r)
		entries, _ := sent["metadata"].(map[string]any)
		joined := left.keep(sessionIn(r), nil)
		if more := maps.Clone(joined); len(entries) > 0 && len(more) > 0 {
			maps.Copy(more, entries)
			if allTexts(more) && len(more) > len(entries) {
				sent["metadata"] = more
				setJSON(r, sent)
			}
		}
		resp := record(next, r)
		if resp.status == 400 || resp.status == 422 {
			valid := map[string]any{}
			for key, value := range entries {
				if allTexts(map[string]any{key: value}) {
					valid[key] = value
				}
			}
			left.keep(sessionIn(r), valid)
		}
		return resp
	})(o)
}
