package faults

import (
	"bytes"
	"net/http"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

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
