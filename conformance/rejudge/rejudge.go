// Package rejudge judges again what a report has stored, without the target: as far as its
// exchanges show what the present judge decides by.
package rejudge

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// reach is whether a stored check can be judged again.
type reach int

const (
	out    reach = iota // what decides it is not stored
	stands              // it still fails
	gone                // it does not fail any more
)

// Report judges the failures of a report again, puts what comes out into it, and adds what the present
// judge finds in the stored exchanges beside them.
func Report(r *result.Report, tool result.Tool) {
	again := &result.JudgedAgain{Tool: tool}
	base := ""
	if u, err := url.Parse(r.Target.BaseURL); err == nil {
		base = u.Path
	}
	for rule, c := range r.EachCheck() {
		if status := statusOf(c); status != result.Fail && status != result.Warn {
			continue
		}
		again.Failures++
		switch judge(rule, c, base, len(r.Exchanges) > 0) {
		case stands:
			again.Stand++
		case gone:
			again.NoLonger++
		}
	}
	again.Found = find(r, base)
	r.JudgedAgain = again
	r.Summarize()
}

// statusOf is how a check came out before it was waived.
func statusOf(c *result.Check) result.Status {
	if c.Waived != nil {
		return c.Waived.Status
	}
	return c.Status
}

// judge judges a failure again. All says that the report has all exchanges of the run.
func judge(rule *result.Rule, c *result.Check, base string, all bool) reach {
	if slices.ContainsFunc(c.Exchanges, func(x result.Exchange) bool { return !whole(x) }) || len(c.Exchanges) == 0 {
		return out
	}
	if c.Seen == 0 {
		return judgeStatus(rule, c, base)
	}
	monitor := newMonitor()
	for i := range c.Exchanges {
		for _, v := range monitor.See(stored(&c.Exchanges[i]).Wire(base)) {
			if v.Rule == rule.ID {
				return stands
			}
		}
	}
	if hidden(rule.ID) {
		return out
	}
	c.Waived, c.Status, c.Message = nil, result.Pass, "judged again: its exchanges keep the rule"
	if more := c.Broken - len(c.Exchanges); more > 0 && !all {
		c.Status, c.Message = result.Error, fmt.Sprintf("judged again: the stored exchanges keep the rule; %d more that broke it are not stored", more)
	}
	c.Broken = 0
	return gone
}

// judgeStatus judges a check of a scenario again that one status decided: of the rule that stands for
// an endpoint working at all. What decides any other is what the scenario did before.
func judgeStatus(rule *result.Rule, c *result.Check, base string) reach {
	x := c.Decisive()
	at, err := result.EndpointNamed(c.Endpoint)
	switch {
	case err != nil, x == nil, c.Reproduction == nil || len(c.Reproduction.Passing) == 0:
		return out
	case rule.ID != at.BlockingRule() || stored(x).Endpoint(base) != at:
		return out
	case x.Response.Status != at.Success():
		return stands
	}
	c.Waived, c.Status, c.Message = nil, result.Pass, "judged again: the contract's status came"
	return gone
}

// find adds the violations that stored exchanges show where the report tells none, and counts them.
func find(r *result.Report, base string) (found int) {
	monitor := newMonitor()
	for _, x := range exchangesOf(r) {
		if whole(x) && !weather(x.Response.Status) {
			monitor.See(stored(&x).Wire(base))
		}
	}
	for _, o := range monitor.Outcomes() {
		i := slices.IndexFunc(r.Rules, func(rule result.Rule) bool { return rule.ID == o.Rule })
		if o.Broken == 0 || hidden(o.Rule) || i < 0 || r.Rules[i].Message != "" || told(r.Rules[i], o.At.String()) {
			continue
		}
		found++
		check := result.Check{Endpoint: o.At.String(), Status: result.Fail, Expected: o.Expected, Actual: o.Problem,
			Message: "judged again: " + o.Problem, Seen: o.Seen, Broken: o.Broken, Exchanges: []result.Exchange{}}
		if r.Rules[i].Level == rules.Should || o.Status == result.Warn {
			check.Status = result.Warn
		}
		r.Rules[i].Checks = append(r.Rules[i].Checks, check)
	}
	return found
}

// told reports whether a rule has a failure at an endpoint, or one that was judged again.
func told(rule result.Rule, endpoint string) bool {
	return slices.ContainsFunc(rule.Checks, func(c result.Check) bool {
		return c.Endpoint == endpoint && (statusOf(&c) == result.Fail || statusOf(&c) == result.Warn)
	})
}

// exchangesOf are all exchanges that the report has, each once.
func exchangesOf(r *result.Report) []result.Exchange {
	if len(r.Exchanges) > 0 {
		return r.Exchanges
	}
	var all []result.Exchange
	seen := map[string]bool{}
	for _, c := range r.EachCheck() {
		for _, x := range c.Exchanges {
			if key := x.StartedAt.String() + x.Request.Method + x.Request.URL; !seen[key] {
				seen[key] = true
				all = append(all, x)
			}
		}
	}
	return all
}

// stored is a stored exchange as the judge knows one.
func stored(x *result.Exchange) *clients.Exchange {
	back := &clients.Exchange{Start: x.StartedAt, End: x.StartedAt, Method: x.Request.Method, Header: x.Request.Headers,
		Body: []byte(x.Request.Body), BodySize: len(x.Request.Body), RespHeader: http.Header{}}
	if u, err := url.Parse(x.Request.URL); err == nil {
		back.Scheme, back.Host, back.Target = u.Scheme, u.Host, u.RequestURI()
	}
	if x.Response != nil {
		back.Status, back.RespHeader = x.Response.Status, x.Response.Headers
		back.RespBody, back.RespSize = []byte(x.Response.Body), len(x.Response.Body)
	}
	return back
}

// whole reports whether a stored exchange has its response in full.
func whole(x result.Exchange) bool {
	return x.Response != nil && !strings.Contains(x.Response.Body, "… (cut at ") && x.Response.Headers.Get("X-Left-Out") == ""
}

// hidden reports whether what breaks a rule is hidden in a report, or not stored: secrets, and bytes
// that are no text.
func hidden(rule string) bool {
	return slices.Contains([]string{"transport.utf8", "users.password-hidden", "errors.no-secret-echo", "errors.no-content-empty"}, rule)
}

// weather reports whether a status is what a lawful service, or what stands before it, may answer at any
// time.
func weather(status int) bool {
	return slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, status)
}

// newMonitor judges without knowing the passwords, which a report does not have.
func newMonitor() *passive.Monitor {
	return passive.NewMonitor("no password of anybody " + rand.Text())
}
