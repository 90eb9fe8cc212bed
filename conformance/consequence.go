package conformance

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// consequence is the outcome of a check that failed by the answer of an endpoint that serves nobody:
// it is blocked by the rule that stands for that endpoint. Whatever else the answer seems to show, a
// valid request gets it, too. So is one that failed by a 401 in a session that a login gave to another
// user as well, who may have ended it. Other outcomes stay as they are.
func (t *T) consequence(c *Check, ended *outcome) *outcome {
	x := t.lookedAt()
	if ended == nil || ended.status != result.Fail || x == nil || x.Err != nil || x.Status < http.StatusBadRequest {
		return ended
	}
	if by := t.endedBy(x); by != "" && c.endpoint != rules.Login && c.endpoint != rules.CreateUser {
		at := rules.Login
		if by == rules.CreateUser.BlockingRule() {
			at = rules.CreateUser
		}
		return &outcome{status: result.Blocked, blockedBy: by, blockedAt: at, evidence: []*wire.Exchange{x},
			message: "needs a session that belongs to one user; this one was also given to another user"}
	}
	at := x.Endpoint
	if at == rules.NoEndpoint || c.rule == at.BlockingRule() || t.looking || t.run.serves(t, at) {
		return ended
	}
	return &outcome{status: result.Blocked, blockedBy: at.BlockingRule(), blockedAt: at, evidence: []*wire.Exchange{x},
		expected: fmt.Sprintf("success from %s", at), actual: x.Summary(),
		message: fmt.Sprintf("needs %s to serve a valid request; it answers %s", at, x.Summary())}
}

// endedBy is the rule of the login that gave the session of a refused exchange to a second user, who may have ended
// it; "" where none did.
func (t *T) endedBy(x *wire.Exchange) string {
	app, token, ok := wire.CredentialsOf(x.Header)
	if !ok || x.Status != http.StatusUnauthorized {
		return ""
	}
	return t.run.holders.SharedBy(accounts.Session{App: app, Token: token})
}

// endpointTrials are the valid requests to endpoints that had served nobody when a check failed by
// their answer.
type endpointTrials struct {
	mu    sync.Mutex
	tried map[rules.Endpoint]bool
}

// serves reports whether an endpoint has done what was asked of it, or does so now.
func (r *run) serves(t *T, at rules.Endpoint) bool {
	if r.answers.Served(at) {
		return true
	}
	r.trials.mu.Lock()
	defer r.trials.mu.Unlock()
	if r.trials.tried[at] || r.answers.Served(at) {
		return r.answers.Served(at)
	}
	if r.trials.tried == nil {
		r.trials.tried = map[rules.Endpoint]bool{}
	}
	r.trials.tried[at] = true
	trial := newT(t.ctx, r, &scenario{text: "whether an endpoint serves a valid request"})
	trial.unjudged, trial.looking = true, true
	defer r.discard(t.ctx, trial)
	newEndpointProbe(trial).probe(at)
	return r.answers.Served(at)
}
