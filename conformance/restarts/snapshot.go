package restarts

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// snapshot is what a target answers to the requests that read what a play has made.
type snapshot struct {
	sessions map[int]answer
	answers  map[string]reading
	loggedIn bool // sessions had ended: the users were logged in to read on
}

// reading is an answer to a request that reads.
type reading struct {
	endpoint string
	answer   answer
}

// snapshot reads all that the play has made: as its users, and what others see as the first of them that
// can log in.
func (p *player) snapshot(ctx context.Context) (snapshot, error) {
	s := snapshot{sessions: map[int]answer{}, answers: map[string]reading{}}
	for n := range p.known.sessions {
		s.sessions[n] = p.call(ctx, request{method: http.MethodGet, path: me, token: n})
	}
	everyone, reader := slices.Sorted(maps.Keys(p.known.users)), 0
	for _, n := range everyone {
		if p.logInAgain(ctx, n, &s) && reader == 0 {
			reader = n
		}
		for _, path := range []string{me, me + "/follows", me + "/followers", me + "/friends", feed} {
			p.read(ctx, request{method: http.MethodGet, path: path, as: n}, &s)
		}
	}
	for _, n := range everyone {
		if p.known.users[n].id == "" || reader == 0 {
			continue
		}
		for _, rest := range []string{"", "/follows", "/followers", "/friends"} {
			p.read(ctx, request{method: http.MethodGet, path: users + "/", id: &ref{number: n}, rest: rest, as: reader}, &s)
		}
		p.read(ctx, request{method: http.MethodGet, path: users + "/search", query: p.known.users[n].name, as: reader}, &s)
	}
	return s, ctx.Err()
}

// logInAgain sees that a user has a session that is served, and reports whether it is so. Those who were
// deleted can have none.
func (p *player) logInAgain(ctx context.Context, n int, s *snapshot) bool {
	u := p.known.users[n]
	if u.token != "" && p.call(ctx, request{method: http.MethodGet, path: me, as: n}).ok() {
		return true
	}
	a := p.call(ctx, logInAs(u))
	s.answers[fmt.Sprint("login ", n)] = reading{http.MethodPost + " " + login, answer{status: a.status}}
	if a.ok() {
		s.loggedIn = true
		p.known.open(n, a.field("session_token"))
	}
	return a.ok()
}

func (p *player) read(ctx context.Context, r request, s *snapshot) {
	place, key := r.path, fmt.Sprint(r.path, r.rest, r.query, " as ", r.as)
	if r.id != nil {
		place, key = place+"{UserID}"+r.rest, fmt.Sprint(key, " of ", r.id.number)
	}
	s.answers[key] = reading{r.method + " " + place, p.call(ctx, r)}
}
