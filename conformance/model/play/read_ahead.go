package play

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// readRequest identifies a read: two with the same one ask for the same.
type readRequest struct {
	app               int
	at                rules.Endpoint
	session, id, term string
}

func asRead(r exchange.Request) readRequest {
	return readRequest{r.App, r.Endpoint, r.Session, r.ID, r.Query["q"]}
}

// answered is what came of a request.
type answered struct {
	exchange.Response
	err error
}

// eachReadAhead calls a function for each of the views, of whose reads so many are sent at once.
func (t *run) eachReadAhead(ctx context.Context, atOnce int, views []world.View, each func(world.View)) {
	for some := range slices.Chunk(views, max(atOnce, 1)) {
		t.readAhead(ctx, some)
		for _, v := range some {
			each(v)
		}
	}
}

// readAhead sends the reads of views at once; send takes their answers until something is
// written. A read that may first have to log in, or whose session may have ended, is left out.
func (t *run) readAhead(ctx context.Context, views []world.View) {
	if len(views) < 2 || t.err != nil {
		return
	}
	t.waitForLag(ctx)
	var mu sync.Mutex
	var group sync.WaitGroup
	t.ahead = map[readRequest]answered{}
	asked := map[readRequest]bool{}
	for _, v := range views {
		r := t.requestOf(v)
		if r.Endpoint.Method() != http.MethodGet || r.Session == "" && !t.signIn(v.Viewer, &r) {
			continue
		}
		if r.App = t.number; asked[asRead(r)] {
			continue
		}
		asked[asRead(r)] = true
		t.outcome.Requests++
		group.Go(func() {
			answer, err := t.player.target.Do(ctx, r)
			mu.Lock()
			defer mu.Unlock()
			t.ahead[asRead(r)] = answered{answer, err}
		})
	}
	group.Wait()
}

// signIn gives a request the session in which sendAs would send it, and reports whether there is
// one that works.
func (t *run) signIn(who int, r *exchange.Request) bool {
	all := t.state.Users[who].Sessions
	if len(all) == 0 || slices.ContainsFunc(all, func(s world.Session) bool { return s.State == leeway.Unknown && s.Doubted }) || all[len(all)-1].State == leeway.Unknown {
		return false
	}
	r.Session = t.workingSession(who, *r)
	return r.Session != ""
}

// takeAhead returns what came of a request if it was read ahead. A write makes all of that
// old; a login changes only what its user reads, in a session that nothing was read in before.
func (t *run) takeAhead(r exchange.Request) (answered, bool) {
	if r.Endpoint.Method() != http.MethodGet {
		if r.Endpoint != rules.Login {
			t.ahead = nil
		}
		return answered{}, false
	}
	a, there := t.ahead[asRead(r)]
	delete(t.ahead, asRead(r))
	return a, there
}
