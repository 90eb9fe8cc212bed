package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// timeUsersSessions are the faults of users and sessions that are back as they were, or
// forgotten, a while later.
func timeUsersSessions() []Fault {
	cut := func(user map[string]any) {
		if updated := timeIn(user, "updated_at"); updated.After(timeIn(user, "created_at")) {
			user["updated_at"] = updated.UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000000Z")
		}
	}
	return slices.Concat(
		breaks("sessions.login.email",
			fault("time-email-forgotten", "nobody logs in by email six seconds after the user was created or updated last",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if err == nil && name == "" && time.Since(user.UpdatedAt) >= 6*time.Second {
							return store.User{}, store.ErrNotFound
						}
						return user, err
					}
				}))),
		breaks("sessions.logout.destroys",
			fault("time-destroyed-token-works-again", "a session token works again five seconds after its logout",
				endedServed(func(ended, _ time.Time) bool { return time.Since(ended) >= aWhile }))),
		breaks("sessions.logout.relogin",
			fault("time-token-is-the-same-within-a-second", "a login within a second after the one before gives the same token again where that was logged out since, and it stays destroyed",
				overrideStore(tokensOfTheSecond))),
		breaks("users.me.update.applies",
			fault("time-update-rolled-back", "five seconds after an update the first name is again what it was before",
				overrideStore(func(inner refserver.Store, s *overrides) {
					type change struct {
						before string
						at     time.Time
					}
					changes := &memory[change]{}
					s.onUpdateUser(func(before, after store.User) {
						if before.FirstName != after.FirstName {
							changes.keep(keyOf(after.App, after.ID), change{before.FirstName, time.Now()})
						}
					})
					s.user = func(app store.App, id store.ID) (store.User, error) {
						user, err := inner.User(app, id)
						if last, changed := changes.lookup(keyOf(app, id)); changed && time.Since(last.at) >= aWhile {
							user.FirstName = last.before
						}
						return user, err
					}
				})),
			fault("time-updated-last-name-turns-back", "three seconds after an update the own record shows the last name as it was before",
				func(o *refserver.Options) {
					type kept struct {
						lastName any
						at       time.Time // of the update
					}
					former := &memory[kept]{} // by id
					combine(
						intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
							before := ownRecord(next, r)
							resp := record(next, r)
							resp.object(func(user map[string]any) {
								former.keep(fieldText(user, "id"), kept{before["last_name"], time.Now()})
							})
							return resp
						}),
						rewriteObject(readsOwnRecord(), func(user map[string]any) {
							was, known := former.lookup(fieldText(user, "id"))
							if known && was.lastName != nil && time.Since(was.at) >= 3*time.Second {
								user["last_name"] = was.lastName
							}
						}),
					)(o)
				})),
		breaks("users.me.update.password",
			fault("time-old-password-works-again", "four seconds after a change of password the one before logs in again, beside the new one",
				knowingPasswords(oldPasswordsLater(4*time.Second))),
			fault("time-old-password-cached", "a password that somebody logged in by goes on doing so for three seconds, changed or not",
				overrideStore(loginsRemembered(3*time.Second)))),
		breaks("users.me.update.updated-at",
			fault("time-updated-at-cut-to-the-second", "an update keeps updated_at in whole seconds: within the second of the creation it goes back",
				combine(rewriteObject(updatesUser(), cut), rewriteObject(readsOwnRecord(), cut)))),
		breaks("users.me.delete.gone",
			fault("time-deleted-record-returns", "a deleted user's record is shown again five seconds later", deletedShown(aWhile, nil))),
	)
}

// loginsRemembered takes for some time what somebody logged in by, as long as the names are
// those of the user.
func loginsRemembered(lasting time.Duration) func(inner refserver.Store, s *overrides) {
	type login struct {
		user store.ID
		at   time.Time
	}
	return func(inner refserver.Store, s *overrides) {
		logins := &memory[login]{} // by names and password
		s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
			key := keyOf(app) + name + " " + email + " " + string(password)
			user, err := inner.Identify(app, name, email, password)
			if err == nil {
				logins.keep(key, login{user.ID, time.Now()})
				return user, nil
			}
			last, known := logins.lookup(key)
			if !known || time.Since(last.at) >= lasting {
				return user, err
			}
			remembered, gone := inner.User(app, last.user)
			if gone != nil || name != "" && remembered.UserName != name || email != "" && remembered.Email != email {
				return user, err
			}
			return remembered, nil
		}
	}
}

// oldPasswordsLater takes the password before the latest change again, some time after it.
func oldPasswordsLater(after time.Duration) func(known *passwords) mutation {
	type change struct {
		old string
		at  time.Time
	}
	return func(known *passwords) mutation {
		changes := &memory[change]{} // by user name and by email
		return combine(
			intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
				old := known.byName.get(ownName(next, r))
				resp := record(next, r)
				body := requestObject(r)
				if now := fieldText(body, "password"); resp.ok() && old != "" && now != "" && now != old {
					changes.keep("name "+fieldText(body, "user_name"), change{old, time.Now()})
					changes.keep("email "+fieldText(body, "email"), change{old, time.Now()})
				}
				return resp
			}),
			rewriteBody(logsIn(), func(login map[string]any) {
				key := "email " + fieldText(login, "email")
				if name := fieldText(login, "user_name"); name != "" {
					key = "name " + name
				}
				last, changed := changes.lookup(key)
				right, is := known.by(login)
				if changed && is && login["password"] == last.old && time.Since(last.at) >= after {
					login["password"] = right
				}
			}),
		)
	}
}

// tokensOfTheSecond makes a session's token of the user and the second.
func tokensOfTheSecond(inner refserver.Store, s *overrides) {
	type issued struct {
		token string
		at    time.Time
		ended bool
	}
	last, open := &memory[issued]{}, s.openSession // by user
	s.onLogout(func(app store.App, user store.ID, token string) {
		last.update(keyOf(app, user), func(was issued) issued {
			was.ended = was.ended || was.token == token
			return was
		})
	})
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		token, user, err := open(app, id, verified)
		if err != nil {
			return token, user, err
		}
		if was := last.get(keyOf(app, id)); was.ended && time.Since(was.at) < time.Second {
			return was.token, user, inner.CloseSession(app, token)
		}
		last.keep(keyOf(app, id), issued{token: token, at: time.Now()})
		return token, user, nil
	}
}
