package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/socialfeed/conform/refserver/twin"
)

// report makes the report of the run.
func (t *testsRun) report(s *clientSettings, began time.Time, ended string) *result.Report {
	r := s.reportOf(result.Target{BaseURL: "client: " + commandShown(t.command)}, began)
	r.Schema, r.Rules = result.Schema, t.rulesBroken()
	r.Summary.Requests = t.requests
	r.Client = &result.Client{Command: commandShown(t.command), Flags: t.flags}
	for _, p := range t.plays {
		r.Client.Runs = append(r.Client.Runs, result.ClientRun{
			Surrounding: p.name, Flags: p.flags(), Exit: p.code, Requests: p.requests, DurationMS: p.took.Milliseconds()})
	}
	b := &result.Breaches{Met: len(t.tried), NotMet: t.unmet, Untried: t.untried, MinScore: s.breaches.minScore}
	for _, tried := range t.tried {
		if tried.Status == result.Pass {
			b.Noticed++
		}
		if _, earlier := t.earlier[tried.Scenario]; earlier {
			b.Earlier++
		}
	}
	r.SetBreaches(b)
	if len(t.untried) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("there was no time for %d more breaches: a larger --budget, or --baseline with this report, tries them", len(t.untried)))
	}
	if b.NotMet > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d faults changed no answer to the tests when they were there, and do not count", b.NotMet))
	}
	if len(t.disturbed) > 0 {
		r.Notes = append(r.Notes, "the tests fail beside themselves on the sound service, and so were run one at a time")
	}
	if ended != "" {
		r.End(ended, result.EndedEarly)
	}
	return r
}

// check is the breach as a check: it passes where the tests failed.
func (p play) check(f faults.Fault) result.Check {
	deciding := 1
	c := result.Check{Endpoint: p.breach.endpoint, Scenario: f.Name, Status: result.Pass, Message: "noticed: " + f.Summary, Exchanges: []result.Exchange{}}
	if p.red() {
		return c
	}
	c.Status, c.Message = result.Warn, "the tests pass while "+f.Summary
	c.Exchanges, c.Deciding = []result.Exchange{p.breach.sound, p.breach.got}, &deciding
	if deltas := result.Deltas(p.breach.sound.Response, p.breach.got.Response); len(deltas) > 0 {
		c.Expected, c.Actual = deltas[0].Assertion(), deltas[0].Opposite()+" ("+f.Summary+")"
	}
	return c
}

// exchangeOf is the exchange of a difference with one of its answers, as it was recorded.
func exchangeOf(d *twin.Difference, a twin.Answer) *clients.Exchange {
	return &clients.Exchange{
		Start: d.Start, End: d.Start, Scheme: "https", Host: d.Host, Method: d.Method, Target: d.Target, Header: d.Header, Body: d.Body, BodySize: len(d.Body),
		Status: a.Status, RespHeader: cloned(a.Header), RespBody: a.Body, RespSize: len(a.Body),
	}
}

func cloned(h http.Header) http.Header {
	if h == nil {
		return http.Header{}
	}
	return h.Clone()
}

// shown is a difference without its secrets.
func (f *fake) shown(d *twin.Difference) *breach {
	got := exchangeOf(d, d.Got)
	all := f.judge.Show([]*clients.Exchange{exchangeOf(d, d.Sound), got})
	return &breach{endpoint: got.Endpoint("").String(), sound: all[0], got: all[1]}
}
