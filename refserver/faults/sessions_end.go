package faults

import (
	"net/http"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// logouts are the faults of what a logout does (States and transitions, row
// 'session token valid').
func logouts() []Fault {
	const destroys, relogin = "sessions.logout.destroys", "sessions.logout.relogin"
	logout := on("DELETE /0.2/user/logout")
	return []Fault{
		{
			Name: "sessions-logout-answers-200", Rule: "sessions.logout.status",
			Summary: "a logout answers 200 and an empty object",
			Apply:   edit(logout, answers(http.StatusOK, "{}")),
		},
		{
			Name: "sessions-logout-answers-202", Rule: "sessions.logout.status",
			Summary: "a logout answers 202",
			Apply:   edit(logout, answers(http.StatusAccepted, "")),
		},
		{
			Name: "sessions-logout-keeps-session", Rule: destroys,
			Summary: "a logout answers 204 and leaves the session as it is",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &logoutStore{Store: s, lingers: 24 * time.Hour} }),
		},
		{
			Name: "sessions-logout-takes-a-moment", Rule: destroys,
			Summary: "a session token is served for a second after its logout",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &logoutStore{Store: s, lingers: time.Second} }),
		},
		{
			Name: "sessions-relogin-revives-tokens", Rule: destroys,
			Summary: "a login makes the user's destroyed session tokens valid again",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &logoutStore{Store: s, revives: true} }),
		},
		{
			Name: "sessions-logout-ends-oldest-session", Rule: destroys,
			Summary: "a logout ends the user's oldest session, whichever was logged out",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &oldestFirst{Store: s} }),
		},
		{
			Name: "sessions-destroyed-token-reads-feed", Rule: destroys,
			Summary: "the feed is served to destroyed session tokens, as it was when they were",
			Apply:   destroyedTokensReadFeed,
		},
		{
			Name: "sessions-logout-locks-user-out", Rule: relogin,
			Summary: "who logged out cannot log in any more",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &logoutStore{Store: s, locks: true} }),
		},
		{
			Name: "sessions-logout-locks-email", Rule: relogin,
			Summary: "who logged out logs in by user name, and not by email",
			Apply:   logoutLocksEmail,
		},
		{
			Name: "sessions-relogin-answers-destroyed-token", Rule: relogin,
			Summary: "every login by email answers the first token that such a login gave, also after that was destroyed",
			Apply:   reloginAnswersFirstToken,
		},
	}
}

// ended is a session that was logged out.
type ended struct {
	user store.ID
	at   time.Time
}

// logoutStore ends sessions in wrong ways.
type logoutStore struct {
	refserver.Store
	lingers time.Duration // how long a token is served after its logout
	revives bool          // a login makes it valid again
	locks   bool          // there is no login any more

	mu    sync.Mutex
	ended map[string]ended       // by token
	back  map[store.ID]time.Time // who logged in, the latest time
}

func (s *logoutStore) CloseSession(app store.App, token string) error {
	if user, err := s.Store.Session(app, token); err == nil {
		s.mu.Lock()
		if s.ended == nil || len(s.ended) >= mostKept {
			s.ended = map[string]ended{}
		}
		s.ended[token] = ended{user, time.Now()}
		s.mu.Unlock()
	}
	return s.Store.CloseSession(app, token)
}

func (s *logoutStore) Session(app store.App, token string) (store.ID, error) {
	user, err := s.Store.Session(app, token)
	s.mu.Lock()
	defer s.mu.Unlock()
	end, known := s.ended[token]
	if known && (time.Since(end.at) < s.lingers || s.revives && s.back[end.user].After(end.at)) {
		if _, gone := s.Store.User(app, end.user); gone == nil {
			return end.user, nil
		}
	}
	return user, err
}

func (s *logoutStore) OpenSession(app store.App, id store.ID, verified []byte) (string, store.User, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, end := range s.ended {
		if s.locks && end.user == id {
			return "", store.User{}, store.ErrStale
		}
	}
	if s.back == nil || len(s.back) >= mostKept {
		s.back = map[store.ID]time.Time{}
	}
	s.back[id] = time.Now()
	return s.Store.OpenSession(app, id, verified)
}

// oldestFirst closes a user's sessions in the order in which they were opened.
type oldestFirst struct {
	refserver.Store
	mu     sync.Mutex
	tokens map[store.ID][]string
}

func (s *oldestFirst) OpenSession(app store.App, id store.ID, verified []byte) (string, store.User, error) {
	token, user, err := s.Store.OpenSession(app, id, verified)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens == nil || len(s.tokens) >= mostKept {
		s.tokens = map[store.ID][]string{}
	}
	s.tokens[id] = append(s.tokens[id], token)
	return token, user, err
}

func (s *oldestFirst) CloseSession(app store.App, token string) error {
	user, err := s.Session(app, token)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if open := s.tokens[user]; len(open) > 0 {
		token, s.tokens[user] = open[0], open[1:]
	}
	return s.Store.CloseSession(app, token)
}

func destroyedTokensReadFeed(o *refserver.Options) {
	destroyed := &memory[bool]{} // by token
	both(
		edit(on("DELETE /0.2/user/logout"), func(r *http.Request, resp *response) {
			if resp.ok() {
				destroyed.keep(sessionIn(r), true)
			}
		}),
		edit(on("GET /0.2/user/feed"), func(r *http.Request, resp *response) {
			if known, _ := destroyed.get(sessionIn(r)); known && resp.status == http.StatusUnauthorized {
				resp.status, resp.body = http.StatusOK, []byte("[]")
				resp.header.Del("WWW-Authenticate")
			}
		}),
	)(o)
}

func logoutLocksEmail(o *refserver.Options) {
	users, locked := &memory[string]{}, &memory[bool]{} // an id by credentials; ids
	both(
		edit(on("DELETE /0.2/user/logout"), func(r *http.Request, resp *response) {
			if id, known := users.get(sessionIn(r)); known && resp.ok() {
				locked.keep(id, true)
			}
		}),
		edit(on("POST /0.2/users", "POST /0.2/user/login"), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) { users.keep(fieldText(user, "session_token"), fieldText(user, "id")) })
			if id, _ := users.get(tokenIn(resp)); logsIn().and(sends("email"))(r) {
				if out, _ := locked.get(id); out && resp.ok() {
					resp.status, resp.body = http.StatusUnauthorized, []byte("{}")
					resp.header.Set("WWW-Authenticate", "Basic")
				}
			}
		}),
	)(o)
}

func reloginAnswersFirstToken(o *refserver.Options) {
	first := &memory[string]{} // by id
	edit(logsIn().and(sends("email")), func(_ *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			token, id := fieldText(user, "session_token"), fieldText(user, "id")
			if token == "" {
				return
			}
			if kept, ok := first.get(id); ok {
				user["session_token"] = kept
			} else {
				first.keep(id, token)
			}
		})
	})(o)
}

// sessionIn is the session token of a request.
func sessionIn(r *http.Request) string {
	_, token, _ := r.BasicAuth()
	return token
}

// tokenIn is the session token of an answer, "" without one.
func tokenIn(resp *response) string {
	user, _ := decode(resp.body).(map[string]any)
	return fieldText(user, "session_token")
}
