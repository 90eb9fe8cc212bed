package faults

import (
	"bytes"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSessionsLogoutRevived are the faults of sessions that a logout ended, and that
// later steps open again.
func sequenceSessionsLogoutRevived() []Fault {
	return breaks("sessions.logout.destroys",
		fault("sequence-update-revives-destroyed-tokens", "an update of the user writes back the sessions that it had, and a token that was logged out works again", overrideStore(updatesReviveTokens)),
		fault("sequence-destroyed-token-opens-the-next-login", "the session token that was logged out last opens the session of the next other user who logs in, which takes its place in the table", overrideStore(placesOfTokensReused)),
		fault("sequence-password-change-revives-logged-out-sessions", "a change of the password renews all sessions of the user, those that were logged out before it, too",
			overrideStore(passwordRevivesSessions)),
		fault("sequence-update-after-logout-revives-token", "an update in another session opens those again that the user logged out of",
			overrideStore(updatesReviveTokens)))
}

// updatesReviveTokens saves, with a user, the list of its sessions as it was before.
func updatesReviveTokens(inner refserver.Store, s *overrides) {
	type end struct {
		user store.ID
		at   time.Time
	}
	ends, updated := &memory[end]{}, &memory[time.Time]{} // by token; by user
	s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
	s.onUpdateUser(func(_, after store.User) { updated.keep(keyOf(after.App, after.ID), time.Now()) })
	s.session = func(app store.App, token string) (store.ID, error) {
		if ended, was := ends.lookup(token); was && updated.get(keyOf(app, ended.user)).After(ended.at) {
			if _, gone := inner.User(app, ended.user); gone == nil {
				return ended.user, nil
			}
		}
		return inner.Session(app, token)
	}
}

// placesOfTokensReused gives the place of a destroyed token to the next login.
func placesOfTokensReused(inner refserver.Store, s *overrides) {
	type place struct {
		token string
		user  store.ID
	}
	free, taken := &memory[place]{}, &memory[store.ID]{} // by application; by application and token
	s.onLogout(func(app store.App, user store.ID, token string) { free.keep(keyOf(app), place{token, user}) })
	s.onLogin(func(app store.App, user store.ID, _ string) {
		if last := free.get(keyOf(app)); last.token != "" && last.user != user {
			free.keep(keyOf(app), place{})
			taken.keep(keyOf(app)+last.token, user)
		}
	})
	s.session = func(app store.App, token string) (store.ID, error) {
		user, err := inner.Session(app, token)
		if other, is := taken.lookup(keyOf(app) + token); is && err != nil {
			if _, gone := inner.User(app, other); gone == nil {
				return other, nil
			}
		}
		return user, err
	}
}

func passwordRevivesSessions(inner refserver.Store, s *overrides) {
	type end struct {
		user store.ID
		at   time.Time
	}
	ends, changes := &memory[end]{}, &memory[time.Time]{} // by token; by user
	s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
	s.onUpdateUser(func(before, after store.User) {
		if !bytes.Equal(before.Password, after.Password) {
			changes.keep(keyOf(after.App, after.ID), time.Now())
		}
	})
	s.session = func(app store.App, token string) (store.ID, error) {
		if end, ended := ends.lookup(token); ended && changes.get(keyOf(app, end.user)).After(end.at) {
			if _, gone := inner.User(app, end.user); gone == nil {
				return end.user, nil
			}
		}
		return inner.Session(app, token)
	}
}
