package faults

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// logouts are the faults of what a logout does (States and transitions, row
// 'session token valid').
func logouts() []Fault {
	return slices.Concat(
		breaks("sessions.logout.status",
			fault("sessions-logout-answers-200", "a logout answers 200 and an empty object", rewriteResponse(logsOut(), replaceSuccess(200, "{}"))),
			fault("sessions-logout-answers-202", "a logout answers 202", rewriteResponse(logsOut(), replaceSuccess(202, "")))),
		breaks("sessions.logout.destroys",
			fault("sessions-logout-keeps-session", "a logout answers 204 and leaves the session as it is",
				endedServed(func(ended, _ time.Time) bool { return true })),
			fault("sessions-logout-takes-a-moment", "a session token is served for a second after its logout",
				endedServed(func(ended, _ time.Time) bool { return time.Since(ended) < time.Second })),
			fault("sessions-destroyed-token-revives", "a second after its logout a session token works again",
				endedServed(func(ended, _ time.Time) bool { return time.Since(ended) > aMoment })),
			fault("sessions-relogin-revives-tokens", "a login makes the user's destroyed session tokens valid again",
				endedServed(func(ended, loggedIn time.Time) bool { return loggedIn.After(ended) })),
			fault("sessions-logout-ends-oldest-session", "a logout ends the user's oldest session, whichever was logged out", overrideStore(oldestEnds)),
			fault("sessions-destroyed-token-reads-feed", "the feed is served to destroyed session tokens, as it was when they were",
				destroyedTokensReadFeed)),
		breaks("sessions.logout.relogin",
			fault("sessions-logout-locks-user-out", "who logged out cannot log in any more", overrideStore(logoutLocks)),
			fault("sessions-logout-locks-email", "who logged out logs in by user name, and not by email", logoutLocksEmail),
			fault("sessions-relogin-answers-destroyed-token", "every login by email answers the first token that such a login gave, also after that was destroyed",
				firstTokenAgain)),
	)
}

// endedServed serves sessions after their logout, by when that was and when their
// user last logged in.
func endedServed(served func(ended, loggedIn time.Time) bool) mutation {
	type end struct {
		user store.ID
		at   time.Time
	}
	return overrideStore(func(inner refserver.Store, s *overrides) {
		ends, logins := &memory[end]{}, &memory[time.Time]{} // by token; by user
		s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
		s.onLogin(func(app store.App, user store.ID, _ string) { logins.keep(keyOf(app, user), time.Now()) })
		s.session = func(app store.App, token string) (store.ID, error) {
			if end, ended := ends.lookup(token); ended && served(end.at, logins.get(keyOf(app, end.user))) {
				if _, gone := inner.User(app, end.user); gone == nil {
					return end.user, nil
				}
			}
			return inner.Session(app, token)
		}
	})
}

func logoutLocks(inner refserver.Store, s *overrides) {
	locked := &memory[bool]{}
	s.onLogout(func(app store.App, user store.ID, _ string) { locked.keep(keyOf(app, user), true) })
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		if locked.get(keyOf(app, id)) {
			return "", store.User{}, store.ErrStale
		}
		return inner.OpenSession(app, id, verified)
	}
}

// oldestEnds closes a user's sessions in the order in which they were opened.
func oldestEnds(inner refserver.Store, s *overrides) {
	var mu sync.Mutex
	tokens := &memory[[]string]{}
	s.onLogin(func(app store.App, user store.ID, token string) {
		tokens.update(keyOf(app, user), func(open []string) []string { return append(slices.Clip(open), token) })
	})
	s.closeSession = func(app store.App, token string) error {
		user, err := s.Session(app, token)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if open := tokens.get(keyOf(app, user)); len(open) > 0 {
			token = open[0]
			tokens.keep(keyOf(app, user), open[1:])
		}
		return inner.CloseSession(app, token)
	}
}

func destroyedTokensReadFeed(o *refserver.Options) {
	destroyed := &memory[bool]{} // by token
	combine(
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				destroyed.keep(sessionIn(r), true)
			}
		}),
		rewriteResponse(readsFeed(), onStatus(401, func(r *http.Request, resp *response) {
			if destroyed.get(sessionIn(r)) {
				resp.status, resp.body = 200, []byte("[]")
				resp.header.Del("WWW-Authenticate")
			}
		})),
	)(o)
}

func logoutLocksEmail(o *refserver.Options) {
	owners, locked := &memory[string]{}, &memory[bool]{} // an id by token; ids
	combine(
		opened(func(_ *http.Request, _ map[string]any, id, token string) { owners.keep(token, id) }),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if id, known := owners.lookup(sessionIn(r)); known && resp.ok() {
				locked.keep(id, true)
			}
		}),
		rewriteResponse(logsInByEmail(), func(_ *http.Request, resp *response) {
			if locked.get(fieldText(objectOf(resp.body), "id")) && resp.ok() {
				resp.status, resp.body = 401, []byte("{}")
				resp.header.Set("WWW-Authenticate", "Basic")
			}
		}),
	)(o)
}

func firstTokenAgain(o *refserver.Options) {
	first := &memory[string]{} // by id
	opened(func(r *http.Request, user map[string]any, id, token string) {
		if kept, known := first.lookup(id); known && logsInByEmail()(r) {
			user["session_token"] = kept
		} else if logsInByEmail()(r) {
			first.keep(id, token)
		}
	})(o)
}
