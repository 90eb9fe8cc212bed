package faults

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceUsersUpdatePassword are the faults of new passwords after others, and beside
// other changes.
func sequenceUsersUpdatePassword() []Fault {
	return breaks("users.me.update.password",
		fault("sequence-password-changed-back-is-void", "a password that is changed back to one that the user had logs in no more", passwordChangedBackVoid),
		fault("sequence-new-password-sent-again-is-void", "who changed the password, and sends the new one again with a later update, cannot log in by it",
			newPasswordAgainVoid),
		fault("sequence-new-password-after-new-email-lost", "who changed the email, and changes the password with a later update, goes on logging in by the old password", passwordsOfOldEmails),
		fault("sequence-new-name-and-password-at-once-void", "a new password that comes with a new user name is hashed with the former name, and logs in no more",
			intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
				former, sent := fieldText(ownRecord(next, r), "user_name"), requestObject(r)
				if secret := fieldText(sent, "password"); former != "" && secret != "" && fieldText(sent, "user_name") != former {
					inBody(set("password", former+"\n"+secret))(r)
				}
				return record(next, r)
			})),
		fault("sequence-return-to-former-password-ignored", "an update back to a password that the user had before is answered as if it were taken, and the password stays", formerPasswordsIgnored),
		fault("sequence-return-to-first-password-not-stored", "who changes the password, and then changes it back to the first, keeps the one in between", overrideStore(firstPasswordNotStored)))
}

func passwordChangedBackVoid(o *refserver.Options) {
	had := &memory[[]string]{}
	combine(updatingUser(func(body map[string]any) {
		all, password := had.get(fieldText(body, "email")), fieldText(body, "password")
		if i := slices.Index(all, password); i >= 0 && i < len(all)-1 {
			body["password"] = password + " "
		}
	}), passwordsHad(had))(o)
}

// newPasswordAgainVoid makes a new password void once a later update sends it again.
func newPasswordAgainVoid(o *refserver.Options) {
	type history struct {
		latest  string
		changed bool
	}
	known := &memory[history]{} // by application and id
	combine(
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			had := known.get(appIn(r) + fieldText(ownRecord(next, r), "id"))
			if password := fieldText(requestObject(r), "password"); had.changed && password == had.latest {
				inBody(set("password", password+"\x00"+password))(r)
			}
			return record(next, r)
		}),
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			password := fieldText(requestObject(r), "password")
			if id := fieldText(objectOf(resp.body), "id"); resp.ok() && id != "" && password != "" {
				known.update(appIn(r)+id, func(before history) history {
					return history{password, before.changed || before.latest != "" && before.latest != password}
				})
			}
		}),
	)(o)
}

// passwordsOfOldEmails passes over new passwords of users whose email is not their first.
func passwordsOfOldEmails(o *refserver.Options) {
	emails, moved := &memory[string]{}, &memory[bool]{} // by application and id
	combine(
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				key, now := appIn(r)+fieldText(user, "id"), fieldText(user, "email")
				if was := emails.keep(key, now); was != "" && was != now {
					moved.keep(key, true)
				}
			})
		}),
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			if moved.get(appIn(r) + fieldText(ownRecord(next, r), "id")) {
				inBody(drop("password"))(r)
			}
			return record(next, r)
		}),
	)(o)
}

// formerPasswordsIgnored puts the current password in the place of one that it followed.
func formerPasswordsIgnored(o *refserver.Options) {
	had := &memory[[]string]{} // by application and user, the current one last
	combine(
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				had.keep(appIn(r)+fieldText(user, "id"), []string{fieldText(requestObject(r), "password")})
			})
		}),
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			key, sent := appIn(r)+fieldText(ownRecord(next, r), "id"), fieldText(requestObject(r), "password")
			if all := had.get(key); len(all) > 0 && slices.Contains(all, sent) {
				inBody(set("password", all[len(all)-1]))(r)
				return record(next, r)
			}
			resp := record(next, r)
			if resp.ok() {
				had.update(key, func(all []string) []string { return append(slices.Clip(all), sent) })
			}
			return resp
		}),
	)(o)
}

// firstPasswordNotStored compares a new password with the one that the user was created with,
// and writes what is different.
func firstPasswordNotStored(inner refserver.Store, s *overrides) {
	firsts := &memory[[]byte]{} // by user
	s.onCreateUser(func(user store.User) { firsts.keep(keyOf(user.App, user.ID), user.Password) })
	s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
		return inner.UpdateUser(app, id, func(user *store.User) {
			before := user.Password
			if change(user); bytes.Equal(user.Password, firsts.get(keyOf(app, id))) {
				user.Password = before
			}
		})
	}
}

// sequenceUsersUpdatePasswordFormer are the faults of former passwords that go on logging
// in, or do so again, after certain steps.
func sequenceUsersUpdatePasswordFormer() []Fault {
	return breaks("users.me.update.password",
		fault("sequence-first-password-after-two-changes", "after two changes of password the first one logs in again by email", firstPasswordAgain),
		fault("sequence-password-used-before-goes-on", "a password that logged in by user name before it was changed goes on doing so", knowingPasswords(usedPasswordsGoOn)),
		fault("sequence-second-new-password-leaves-the-first", "after a second change of the password, the one before it still logs in",
			overrideStore(penultimatePasswordsLogIn)),
		fault("sequence-password-changed-with-email-stays-for-it", "after an update of email and password at once the old password still logs in by the new email",
			knowingPasswords(oldPasswordsByNewEmail)),
		fault("sequence-older-session-saves-older-password", "an update without a password puts back the one that was valid when its session was opened",
			sessionsSaveTheirPassword))
}

func firstPasswordAgain(o *refserver.Options) {
	had := &memory[[]string]{}
	combine(passwordsHad(had), rewriteBody(logsInByEmail(), func(login map[string]any) {
		all := had.get(fieldText(login, "email"))
		if len(all) >= 3 && login["password"] == all[0] {
			login["password"] = all[len(all)-1]
		}
	}))(o)
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

// penultimatePasswordsLogIn lets a user in by what the password was before the latest
// of two or more changes.
func penultimatePasswordsLogIn(inner refserver.Store, s *overrides) {
	changes, before := &memory[int]{}, &memory[store.User]{} // by user; by application and name
	s.onUpdateUser(func(was, is store.User) {
		if bytes.Equal(was.Password, is.Password) || tally(changes, keyOf(is.App, is.ID)) < 2 {
			return
		}
		for _, name := range []string{is.UserName, is.Email} {
			before.keep(keyOf(is.App)+name, was)
		}
	})
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if err == nil {
			return user, nil
		}
		name := userName
		if name == "" {
			name = email
		}
		if was, known := before.lookup(keyOf(app) + name); known && bytes.Equal(was.Password, password) {
			if user, gone := inner.User(app, was.ID); gone == nil {
				return user, nil
			}
		}
		return user, err
	}
}

// oldPasswordsByNewEmail goes on taking the password from before an update that changed the email, too.
func oldPasswordsByNewEmail(known *passwords) mutation {
	old := &memory[string]{} // passwords by app token and email
	return combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			before, body := ownRecord(next, r), requestObject(r)
			was, is := known.by(map[string]any{"user_name": before["user_name"]})
			resp := record(next, r)
			email := fieldText(body, "email")
			if is && resp.ok() && email != fieldText(before, "email") && fieldText(body, "password") != "" {
				old.keep(appIn(r)+" "+email, was)
			}
			return resp
		}),
		rewriteRequest(logsInByEmail(), func(r *http.Request) {
			inBody(func(login map[string]any) {
				was, changed := old.lookup(appIn(r) + " " + fieldText(login, "email"))
				if right, is := known.by(login); is && changed && login["password"] == was {
					login["password"] = right
				}
			})(r)
		}),
	)
}

// sessionsSaveTheirPassword is of sessions that hold the whole user, and save it whole.
func sessionsSaveTheirPassword(o *refserver.Options) {
	held := &memory[string]{} // by session
	combine(
		opened(func(r *http.Request, _ map[string]any, _, token string) {
			held.keep(token, fieldText(requestObject(r), "password"))
		}),
		rewriteResponse(updatesUser().and(sends("password")), func(r *http.Request, resp *response) {
			if resp.ok() {
				held.keep(sessionIn(r), fieldText(requestObject(r), "password"))
			}
		}),
		rewriteRequest(updatesUser().and(not(sends("password"))), func(r *http.Request) {
			if password := held.get(sessionIn(r)); password != "" {
				inBody(set("password", password))(r)
			}
		}),
	)(o)
}
