package faults

import (
	"bytes"
	"crypto/rand"
	"net/http"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSessionsDeletedUser are the faults of sessions, passwords and emails that outlive
// their user after certain steps.
func sequenceSessionsDeletedUser() []Fault {
	return breaks("sessions.deleted-user",
		fault("sequence-namesake-inherits-sessions", "the sessions of a deleted user open a new user of the same name",
			overrideStore(func(inner refserver.Store, s *overrides) {
				names, bearers := &memory[string]{}, &memory[store.ID]{} // a name by token; an id by name
				s.onLogin(func(app store.App, id store.ID, token string) {
					if user, err := inner.User(app, id); err == nil {
						names.keep(token, keyOf(app)+user.UserName)
					}
				})
				s.onCreateUser(func(user store.User) { bearers.keep(keyOf(user.App)+user.UserName, user.ID) })
				ended := &memory[bool]{}
				s.onLogout(func(_ store.App, _ store.ID, token string) { ended.keep(token, true) })
				s.session = func(app store.App, token string) (store.ID, error) {
					id, err := inner.Session(app, token)
					if name, known := names.lookup(token); err != nil && known && !ended.get(token) {
						if _, gone := inner.User(app, bearers.get(name)); gone == nil {
							return bearers.get(name), nil
						}
					}
					return id, err
				}
			})),
		fault("sequence-session-before-rename-outlives-user", "a session from before its user was renamed goes on showing it when it is deleted in another", sessionBeforeRenameOutlives),
		fault("sequence-deleted-password-opens-namesake", "name and password of a deleted user log in to a new one of the same name",
			knowingPasswords(func(known *passwords) mutation {
				deleted := &memory[string]{} // a password by name
				return combine(
					intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
						name := ownName(next, r)
						password := known.byName.get(name)
						resp := record(next, r)
						if resp.ok() && password != "" {
							deleted.keep(name, password)
						}
						return resp
					}),
					rewriteBody(logsInByName(), func(login map[string]any) {
						old, gone := deleted.lookup(fieldText(login, "user_name"))
						if right, is := known.by(login); gone && is && login["password"] == old {
							login["password"] = right
						}
					}),
				)
			})),
		fault("sequence-deleted-with-new-email-logs-in", "a deleted user who had changed the email still logs in by the new one", overrideStore(newEmailsOutliveUsers)))
}

// sessionBeforeRenameOutlives ends, with a user, the sessions that were opened under its last name.
func sessionBeforeRenameOutlives(o *refserver.Options) {
	type session struct{ id, name string }
	sessions, records := &memory[session]{}, &memory[map[string]any]{} // by token; by id
	combine(
		intercept(opensSession(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			resp.object(func(user map[string]any) {
				if token := fieldText(user, "session_token"); token != "" {
					as := r.Clone(r.Context())
					as.SetBasicAuth(appIn(r), token)
					sessions.keep(token, session{fieldText(user, "id"), ownName(next, as)})
				}
			})
			return resp
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				sessions.keep(sessionIn(r), session{})
			}
		}),
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() {
				records.keep(fieldText(own, "id"), own)
			}
			return resp
		}),
		recordsShown(func(token string) ([]byte, bool) {
			s, known := sessions.lookup(token)
			record, gone := records.lookup(s.id)
			return encode(record), known && gone && s.id != "" && fieldText(record, "user_name") != s.name
		}),
	)(o)
}

// newEmailsOutliveUsers takes out of the index of emails the one that a user was created with.
func newEmailsOutliveUsers(inner refserver.Store, s *overrides) {
	first, left, users := &memory[string]{}, &memory[store.User]{}, &memory[store.User]{} // by user; by application and email; by user
	s.onCreateUser(func(user store.User) { first.keep(keyOf(user.App, user.ID), user.Email) })
	s.onDeleteUser(func(user store.User) {
		if user.Email != "" && user.Email != first.get(keyOf(user.App, user.ID)) {
			left.keep(keyOf(user.App)+user.Email, user)
			users.keep(keyOf(user.App, user.ID), user)
		}
	})
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if gone, is := left.lookup(keyOf(app) + email); is && err != nil && userName == "" && bytes.Equal(gone.Password, password) {
			return gone, nil
		}
		return user, err
	}
	openSession := s.openSession
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		token, user, err := openSession(app, id, verified)
		if gone, is := users.lookup(keyOf(app, id)); is && err != nil {
			return rand.Text(), gone, nil
		}
		return token, user, err
	}
}
