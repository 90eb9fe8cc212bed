package conformance

import (
	"net/http"

	"github.com/socialfeed/conform/conformance/internal/wire"
)

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
