package conformance

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// call is one request of a scenario. The request's context carries it to the
// transport, which hands back the exchange in it.
type call struct {
	sender   *Actor        // whose session is renewed when the target ends it, nil for nobody's
	unpaced  bool          // a 429 or 503 is an answer, not a call for patience
	recalled *recollection // whose answers may be read once more, nil where the request is to be sent
	exchange *wire.Exchange
}

type callKey struct{}

// newCall makes a call and the context of its request. How it is sent depends on what it is made
// within: T knows that, since a reading, as Gomega calls it, takes no parameters.
func (t *T) newCall(sender *Actor) (context.Context, *call) {
	c := &call{sender: sender, unpaced: t.unpaced, recalled: t.recalled}
	return context.WithValue(t.ctx, callKey{}, c), c
}

// transport is a scenario's way to the wire, for httpexpect and the typed client.
type transport struct{ t *T }

// RoundTrip sends the request and records its exchange.
func (tp transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t := tp.t
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("reading the request's body: %w", err)
		}
	}
	sent, ours := req.Context().Value(callKey{}).(*call)
	if !ours {
		return nil, fmt.Errorf("%s %s was not sent by the scenario", req.Method, req.URL.Path)
	}
	if cause := t.run.ended(req.Context()); cause != nil {
		return nil, cause
	}
	x := t.recall(sent.recalled, req)
	if x == nil {
		x = t.send(req, body, !sent.unpaced)
		t.observe(x)
		if replayed := t.renewed(sent, req, body, x); replayed != nil {
			x = replayed
		}
	}
	t.addEvidence(x) // after what the renewal took: it is the answer, and the latest one
	sent.exchange = x
	if x.Err != nil {
		return nil, exchangeError{x}
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status)), StatusCode: x.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: x.RespHeader.Clone(), Body: io.NopCloser(bytes.NewReader(x.RespBody)),
		ContentLength: int64(len(x.RespBody)), Request: req,
	}, nil
}

// renewed repeats a request under a new session when the target has ended an
// actor's session by itself, which it may: how long one lives is not in the
// contract. It returns nil when that is not what happened.
func (t *T) renewed(sent *call, req *http.Request, body []byte, x *wire.Exchange) *wire.Exchange {
	a := sent.sender
	if a == nil || x.Err != nil || x.Status != http.StatusUnauthorized || a.sessionEnded() {
		return nil
	}
	probe, answered := t.exchange(http.MethodGet, rules.GetMe.Path(), a, nil)
	if !answered {
		return t.lost(x)
	}
	if probe.Status != http.StatusUnauthorized {
		return nil // the session lives: the refusal is the endpoint's own
	}
	token := t.run.login.logIn(a)
	if token == "" && x.Lost != nil { // the first sending may have given the user another name, or another password
		t.mu.Lock()
		defer t.mu.Unlock()
		t.lostAnswer = true
		return x.WithError(x.Lost)
	}
	if token == "" {
		return t.lost(x)
	}
	a.setToken(token)
	again := req.Clone(req.Context())
	again.Header.Set("Authorization", a.authorization())
	replay := t.send(again, body, !sent.unpaced)
	t.observe(replay)
	return replay
}

// lost is the exchange as unjudged, where one of those after it, which were to explain it,
// got no answer; nil where all did.
func (t *T) lost(x *wire.Exchange) *wire.Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, later := range t.exchanged[slices.Index(t.exchanged, x)+1:] {
		if later.Err != nil {
			return x.WithError(later.Err)
		}
	}
	return nil
}

// record observes an exchange and files it as evidence.
func (t *T) record(x *wire.Exchange) {
	t.observe(x)
	t.addEvidence(x)
}

// observe records what an exchange shows and shows it to the passive rules. The exchange
// joins the others last: after that another request may drop its body to save memory.
func (t *T) observe(x *wire.Exchange) {
	x.Scenario = t.scenario.text
	t.recordAccounts(x)
	t.run.observe(t.ctx, x, !t.unjudged)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.transcript.Add(x)
	t.repeated = t.repeated || x.Repeated
	t.lostAnswer = t.lostAnswer || wire.Lost(x.Err)
	if t.lostWrite == nil && wire.Lost(x.Err) && x.Method != http.MethodGet {
		t.lostWrite = x
	}
	t.exchanged = append(t.exchanged, x)
	if x.Method != http.MethodGet {
		t.wrote = time.Now()
	}
	t.lighten()
}

// maxHeld is how much a scenario holds of long bodies, in bytes, beside the latest ones.
const maxHeld = 1 << 20

// lighten lets go of the oldest long bodies, where the scenario holds too much. It is
// called with the lock held.
func (t *T) lighten() {
	const latest = 1 // which nobody has read yet
	held := 0
	for _, x := range t.exchanged {
		held += x.Weight()
	}
	for _, x := range t.exchanged[:len(t.exchanged)-latest] {
		if held > maxHeld && x.Weight() > 0 {
			held -= x.Weight()
			x.Shrink()
		}
	}
}

// addEvidence files an exchange under what is being judged or arranged.
func (t *T) addEvidence(x *wire.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	evidence := t.evidence()
	*evidence = append(*evidence, x)
	t.lastUsed = x
}

// lookedAt is the exchange that was made or read last, nil where there is none.
func (t *T) lookedAt() *wire.Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastUsed
}

// latest is the exchange that was filed last, nil where there is none.
func (t *T) latest() *wire.Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	if all := *t.evidence(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// evidence is where the exchanges of the check being judged are, or those of the
// arranging outside of one.
func (t *T) evidence() *[]*wire.Exchange {
	if t.current != nil {
		return &t.current.exchanges
	}
	return &t.arranged
}

// send sends a request of the scenario over the wire, marked with the scenario and rule.
func (t *T) send(req *http.Request, body []byte, patient bool) *wire.Exchange {
	t.run.writeDown(req, body)
	return t.run.wire.Send(t.run.marked(req, t.marker()), body, patient)
}

// marked has a request say what it is for, unless requests are to have no such headers.
func (r *run) marked(req *http.Request, why string) *http.Request {
	if r.config.NoHeaders {
		return req
	}
	return req.WithContext(wire.WithMarker(req.Context(), why))
}

// marker names the scenario, and the rule that is being judged.
func (t *T) marker() string {
	if t.current == nil {
		return t.scenario.text
	}
	return t.scenario.text + "; rule " + t.current.rule
}
