package conformance

import (
	"maps"
	"net/http"
)

// withhold keeps out of a run's result what any of its processes knows to be a
// secret: a target that tells one user of another tells it across processes, each
// of which only knows its own.
func (all *Result) withhold(target Target) {
	r := newRedactor(target)
	for secret, placeholder := range all.Secrets {
		r.learn(secret, placeholder)
	}
	all.Secrets = nil
	for i := range all.Checks {
		c := &all.Checks[i].CheckReport
		c.Message, c.Expected, c.Actual = r.text(c.Message), r.text(c.Expected), r.text(c.Actual)
		r.again(c.Exchanges)
	}
	r.again(all.Exchanges)
}

// again redacts exchanges that another redactor let through.
func (r *redactor) again(exchanges []Exchange) {
	for i := range exchanges {
		x := &exchanges[i]
		x.Error, x.Curl = r.text(x.Error), r.text(x.Curl)
		x.Request.URL, x.Request.Body = r.text(x.Request.URL), r.text(x.Request.Body)
		r.headersAgain(x.Request.Headers)
		if x.Response != nil {
			x.Response.Body = r.text(x.Response.Body)
			r.headersAgain(x.Response.Headers)
		}
	}
}

func (r *redactor) headersAgain(h http.Header) {
	for _, values := range h {
		for i := range values {
			values[i] = r.text(values[i])
		}
	}
}

// learned are the secrets so far, each with its placeholder.
func (r *redactor) learned() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.secrets)
}
