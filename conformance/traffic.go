package conformance

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// checkTraffic passes the exchanges of a scenario to the model's traffic checker, and collects
// the users that others can reuse.
func (r *run) checkTraffic(t *T) {
	if t.repeated || t.lostAnswer {
		return // what was written is not known
	}
	all := slices.Clone(t.exchanged)
	slices.SortStableFunc(all, func(a, b *wire.Exchange) int { return a.Started().Compare(b.Started()) })
	sightings := make([]traffic.Observation, 0, len(all))
	for _, x := range all {
		app, session, _ := wire.CredentialsOf(x.Header)
		s := traffic.Observation{Endpoint: x.Endpoint, App: app, Session: session, From: x.Started(), To: x.Started().Add(x.Took),
			Response: exchange.Response{Status: x.Status, Evidence: x}, Doubtful: x.Err != nil || x.Status >= 500 || x.Status/100 == 2 && unread(x)}
		s.ID = lastPiece(x.URL)
		s.Sent, _ = x.Sent()
		s.Detailed, s.Usual = x.URL.Query().Get("withUserDetails") == "true", usual(x)
		if x.Err == nil {
			s.Body, _ = x.Value()
		}
		sightings = append(sightings, s)
	}
	wrong := slices.ContainsFunc(t.checks, func(c *Check) bool {
		return c.status != result.Pass && c.status != result.Observed && c.status != result.Skipped
	})
	for _, a := range r.traffic.Observe(sightings, !wrong) {
		if l, ok := t.reusableOf(a); ok {
			t.forReuse = append(t.forReuse, l)
		}
	}
}

// unread reports whether the body of a response is no longer there to be read, or was not read to its end.
func unread(x *wire.Exchange) bool {
	_, err := x.Value()
	return err != nil && x.Cut() || x.Partial()
}

// usual reports whether a request with a body is as the contract asks for, whatever its body.
func usual(x *wire.Exchange) bool {
	further := x.URL.Query()
	further.Del("withUserDetails")
	return x.Header.Get("Content-Type") == "application/json" && x.Header.Get("User-Agent") != "" && len(further) == 0
}

// judgeTraffic makes checks of what was shown otherwise than it was written, unless a scenario
// has found that already.
func (r *run) judgeTraffic() {
	broken := r.brokenRules()
	d := &drawing{run: r, obstacles: r.obstacles()}
	everywhere := d.blockers(nil)
	for _, difference := range r.traffic.Differences() {
		place, known := r.placeOf(difference)
		if difference.At == rules.Login && r.Lagged() > 0 {
			continue // a user who is not there yet does not log in
		}
		if r.Lagged() > 0 && (difference.Stale || r.mayBeLate(difference)) {
			continue // the scenarios, which wait, judge it
		}
		if !known || broken[place.Rule] != nil || !r.selected.Includes(place.Rule, place.At) {
			continue
		}
		c := drawnCheck(nil, place, difference)
		if c.t = r.plays.named(c.deciding.Scenario); c.t == nil {
			continue
		}
		blockers := everywhere
		if len(blockers) == 0 {
			blockers = rulesAt(d.obstacles, place.At)
		}
		if r.overshadowed(place.Rule, blockers) {
			continue
		}
		if len(blockers) > 0 {
			c.end(&outcome{status: result.Blocked, blockedBy: blockers[0], message: fmt.Sprintf("shown otherwise than it was written, probably because of the broken rule: expected %s; got %s", difference.Expected, difference.Actual)})
		} else {
			c.end(&outcome{status: result.Fail, expected: difference.Expected, actual: difference.Actual})
		}
		r.plays.addCheck(c.t, c, r.failuresAmong(c))
		r.stopAtFailures()
	}
}

// mayBeLate reports whether a difference was read within the settle time after the write that it contradicts.
func (r *run) mayBeLate(d blame.Difference) bool {
	exchanges := exchangesOf(d)
	if len(exchanges) == 0 {
		return false
	}
	wrote, read := exchanges[0], exchanges[len(exchanges)-1]
	return wrote != read && read.Started().Sub(wrote.Started().Add(wrote.Took)) < r.config.Settle
}

// overshadowed reports whether a broken must rule may be why another rule was seen broken
// outside of its scenarios. That is then recorded for a note and judged no further: whether
// it is seen at all depends on what comes up in a run.
func (r *run) overshadowed(rule string, by []string) bool {
	i := slices.IndexFunc(by, func(id string) bool { return r.level(id) == rules.Must })
	if i < 0 {
		return false
	}
	r.overshadow(rule, by[i])
	return true
}

// rulesAt returns the broken rules of an endpoint, in the order of their ids.
func rulesAt(broken map[string][]rules.Endpoint, at rules.Endpoint) []string {
	var all []string
	for rule, places := range broken {
		if slices.Contains(places, at) {
			all = append(all, rule)
		}
	}
	slices.Sort(all)
	return all
}

// placeOf returns the rule and endpoint under which a difference is recorded, and whether checks
// judge that rule.
func (r *run) placeOf(d blame.Difference) (rules.Place, bool) {
	rule, known := r.catalogue.Rule(d.Rule)
	if !known || rule.Passive {
		return rules.Place{}, false
	}
	if !slices.Contains(rule.Places(), d.At) {
		return rules.Place{Rule: rule.ID, At: rule.Places()[0]}, true
	}
	return rules.Place{Rule: rule.ID, At: d.At}, true
}
