package conformance

import (
	"net/http"

	"github.com/socialfeed/conform/conformance/internal/wire"
)

// send sends a request of the scenario over the wire, marked with the scenario and rule.
func (t *T) send(req *http.Request, body []byte, patient bool) *wire.Exchange {
	t.run.writeDown(req, body)
	if !t.run.config.NoHeaders {
		req = req.WithContext(wire.WithMarker(req.Context(), t.marker()))
	}
	return t.run.wire.Send(req, body, patient)
}

// marker names the scenario, and the rule that is being judged.
func (t *T) marker() string {
	if t.current == nil {
		return t.scenario.text
	}
	return t.scenario.text + "; rule " + t.current.rule
}
