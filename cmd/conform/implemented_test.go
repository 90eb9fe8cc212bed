package main

import (
	"net/http"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// halfBuilt is a good server of which only some endpoints are there: at the others
// it answers as it does where the contract has none.
func halfBuilt(t *testing.T, there ...rules.Endpoint) http.Handler {
	t.Helper()
	whole := reference(t, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at := rules.EndpointOf(r.Method, r.URL.Path); at != rules.NoEndpoint && !slices.Contains(there, at) {
			r.URL.Path = "/0.2/nothing-here"
		}
		whole.ServeHTTP(w, r)
	})
}

// TestHalfBuilt tells of each endpoint that is not implemented once, blocks what
// rests on it, and neither blames nor praises anything else for it.
func TestHalfBuilt(t *testing.T) {
	t.Parallel()
	there := []rules.Endpoint{rules.CreateUser, rules.Login, rules.GetMe, rules.DeleteMe}
	o := judged(t, servePlain(t, halfBuilt(t, there...))...)
	o.wants(t, exitNonConformant)
	if n := o.report.Summary.Endpoints; n == nil || n.Implemented != len(there) || n.Missing != 22-len(there) || n.Of != 22 {
		t.Errorf("implemented: %+v", n)
	}
	fewRequests(t, o.report.Summary.Requests) // what is not there is not waited for again and again
	told := map[rules.Endpoint]int{}
	for _, rule := range o.report.Rules {
		for _, c := range rule.Checks {
			at, _ := result.EndpointNamed(c.Endpoint)
			absent := at != rules.NoEndpoint && !slices.Contains(there, at)
			switch {
			case c.Status == result.Fail && absent && rule.ID == at.BlockingRule():
				told[at]++
			case c.Status == result.Fail, c.Status == result.Warn, absent && (c.Status == result.Pass || c.Status == result.Observed):
				t.Errorf("%s %s at %q: %s", c.Status, rule.ID, c.Endpoint, c.Message)
			}
		}
	}
	for _, e := range o.report.Endpoints {
		at := rules.Endpoint(e.Number)
		if absent := !slices.Contains(there, at); e.Missing() != absent || absent != (told[at] == 1) {
			t.Errorf("%s: missing %t, told %d times", at, e.Missing(), told[at])
		}
	}
}

// TestNotImplementedBy sees each of the ways in which a server says that it has no
// such endpoint, and none where it has one that only fails.
func TestNotImplementedBy(t *testing.T) {
	t.Parallel()
	for status, missing := range map[int]bool{404: true, 405: true, 501: true, 400: false, 403: false, 500: false} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			whole := reference(t, nil)
			o := judged(t, append(servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if rules.EndpointOf(r.Method, r.URL.Path) != rules.SearchUsers {
					whole.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_, _ = w.Write([]byte(`{"errors":[{"code":1,"message":"no"}]}`)) // a client that left needs none
			})), "--part", "search")...)
			o.wants(t, exitNonConformant)
			if told := o.report.Endpoints[rules.SearchUsers-1].Missing(); told != missing {
				t.Errorf("told as missing: %t", told)
			}
		})
	}
}
