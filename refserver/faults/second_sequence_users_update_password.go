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
