package faults

import (
	"bytes"
	"net/http"

	"github.com/socialfeed/conform/refserver"
)

// void is a password that nobody can give.
func void(password []byte) []byte { return append(bytes.Clone(password), 0) }

// ended reports whether a password is one that an act ended.
func (a *act) ended(password []byte) bool { return a.n > 0 && bytes.Equal(a.was.Password, password) }

// had reports whether who looks had a password before the present one.
func (l look) had(password []byte) bool {
	for _, change := range l.all(newPassword, l.me, 0) {
		if change.ended(password) {
			return true
		}
	}
	return false
}

// newPasswords changes the effect of updates to another password.
func newPasswords(change func(l look, was User, now *User)) mutation {
	return breaking(userUpdates(func(l look, was User, now *User) {
		if !bytes.Equal(was.Password, now.Password) {
			change(l, was, now)
		}
	}))
}

// sequenceUsersUpdatePassword are the faults of new passwords after others, and beside
// other changes.
func sequenceUsersUpdatePassword() []Fault {
	ignoredWhere := func(where func(l look, was User, now *User) bool) mutation {
		return newPasswords(func(l look, was User, now *User) {
			if where(l, was, now) {
				now.Password = was.Password
			}
		})
	}
	voidWhere := func(where func(l look, was User, now *User) bool) mutation {
		return newPasswords(func(l look, was User, now *User) {
			if where(l, was, now) {
				now.Password = void(now.Password)
			}
		})
	}
	hadBefore := func(l look, _ User, now *User) bool { return l.had(now.Password) }
	return breaks("users.me.update.password",
		fault("sequence-password-changed-back-is-void", "a password that is changed back to one that the user had logs in no more", voidWhere(hadBefore)),
		fault("sequence-new-password-sent-again-is-void", "who changed the password, and sends the new one again with a later update, cannot log in by it",
			newPasswordAgainVoid),
		fault("sequence-new-password-after-new-email-lost", "who changed the email, and changes the password with a later update, goes on logging in by the old password",
			ignoredWhere(func(l look, _ User, _ *User) bool { return l.ever(newEmail, l.me, 0) })),
		fault("sequence-new-name-and-password-at-once-void", "a new password that comes with a new user name is hashed with the former name, and logs in no more",
			voidWhere(func(_ look, was User, now *User) bool { return was.UserName != now.UserName })),
		fault("sequence-return-to-former-password-ignored", "an update back to a password that the user had before is answered as if it were taken, and the password stays", ignoredWhere(hadBefore)),
		fault("sequence-return-to-first-password-not-stored", "who changes the password, and then changes it back to the first, keeps the one in between",
			ignoredWhere(func(l look, _ User, now *User) bool {
				return bytes.Equal(l.last(created, l.me, 0).user.Password, now.Password)
			})))
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

// sequenceUsersUpdatePasswordFormer are the faults of former passwords that go on logging
// in, or do so again, after certain steps.
func sequenceUsersUpdatePasswordFormer() []Fault {
	return breaks("users.me.update.password",
		fault("sequence-first-password-after-two-changes", "after two changes of password the first one logs in again by email",
			breaking(passwordsTaken(byEmail, func(l look, given []byte) bool {
				return l.times(newPassword, l.me, 0) >= 2 && l.first(newPassword, l.me, 0).ended(given)
			}))),
		fault("sequence-password-used-before-goes-on", "a password that logged in by user name before it was changed goes on doing so",
			breaking(loggingIn(func(l *step, err error) error {
				if err == nil && l.name != "" {
					l.journal.write(l.app, act{by: l.user.ID, text: l.name + "\n" + string(l.password)}, noted)
				}
				return err
			}), passwordsTaken(byUserName, func(l look, given []byte) bool {
				return newest(l.named(noted, l.term+"\n"+string(given))).by == l.me
			}))),
		fault("sequence-second-new-password-leaves-the-first", "after a second change of the password, the one before it still logs in",
			breaking(passwordsTaken(byEither, func(l look, given []byte) bool {
				return l.times(newPassword, l.me, 0) >= 2 && l.last(newPassword, l.me, 0).ended(given)
			}))),
		fault("sequence-password-changed-with-email-stays-for-it", "after an update of email and password at once the old password still logs in by the new email",
			breaking(passwordsTaken(byEmail, func(l look, given []byte) bool {
				change := l.last(newEmail, l.me, 0)
				return !bytes.Equal(change.was.Password, change.user.Password) && change.ended(given)
			}))),
		fault("sequence-older-session-saves-older-password", "an update without a password puts back the one that was valid when its session was opened",
			breaking(userUpdates(func(l look, was User, now *User) {
				if seen := l.seen(l.me, l.session(l.me)); bytes.Equal(was.Password, now.Password) && seen.ID != 0 {
					now.Password = seen.Password
				}
			}))))
}
