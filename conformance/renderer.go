package conformance

import (
	"net/http"

	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// renderer makes checks into what leaves the run, their secrets hidden. It comes last,
// when all secrets are known: an exchange that several checks show is redacted once.
type renderer struct {
	run    *run
	redact func(*wire.Exchange) result.Exchange
	known  map[*wire.Exchange]result.Exchange // that were redacted already

	withoutEvidence bool
}

func newRenderer(r *run) *renderer {
	return &renderer{run: r, redact: r.redactor.Exchanges(), known: map[*wire.Exchange]result.Exchange{}}
}

// learn adds the secrets that the answers name which are shown.
func (rd *renderer) learn() {
	learned := map[*wire.Exchange]bool{}
	add := func(all []*wire.Exchange) {
		for _, x := range all {
			if !learned[x] {
				learned[x] = true
				rd.run.redactor.LearnAnswer(x.RespHeader, x.RespBody)
			}
		}
	}
	for _, t := range rd.run.plays.counted {
		for _, c := range t.checks {
			if rd.shows(c.status) {
				add(c.evidence())
			}
		}
	}
	for _, o := range rd.run.monitor.Outcomes() {
		if o.Broken > 0 || rd.run.config.KeepEvidence {
			add(o.Evidence)
		}
	}
	add(rd.run.kept)
}

// shows reports whether a report shows the exchanges of a check with this outcome.
func (rd *renderer) shows(s result.Status) bool {
	return rd.run.config.KeepEvidence || s != result.Pass && s != result.Observed && s != result.Skipped
}

func (rd *renderer) exchange(x *wire.Exchange) result.Exchange {
	shown, known := rd.known[x]
	if !known {
		shown = rd.redact(x)
		rd.known[x] = shown
	}
	return shown
}

// played are the checks of the scenarios that are selected. An endpoint that is not implemented
// fails one check; all others that need the endpoint are blocked.
func (rd *renderer) played() []result.CheckResult {
	var all []result.CheckResult
	told := map[rules.Endpoint]bool{}
	r := rd.run
	for _, t := range r.plays.counted {
		for _, c := range t.checks {
			missing := r.missing.answers[c.endpoint] != nil && c.rule == c.endpoint.BlockingRule()
			switch {
			case !r.selected.Includes(c.rule, c.endpoint), missing && told[c.endpoint]:
			case missing:
				told[c.endpoint] = true
				check, own := r.missingCheck(c)
				transcript := r.missing.transcript
				if own {
					transcript = t.transcript
				}
				all = append(all, rd.check(check, t.scenario.text, transcript))
			default:
				all = append(all, rd.check(r.withoutMissing(c), t.scenario.text, t.transcript))
			}
		}
	}
	return all
}

// passive are the outcomes of the passive rules that are selected, and wanted.
func (rd *renderer) passive(wanted func(passive.Outcome) bool) []result.CheckResult {
	var all []result.CheckResult
	r := rd.run
	for _, o := range r.monitor.Outcomes() {
		missing := r.missing.answers[o.At] != nil // which is reported once
		if missing || !r.selected.Includes(o.Rule, o.At) || !wanted(o) {
			continue
		}
		c := &Check{rule: o.Rule, endpoint: o.At, status: result.Pass, exchanges: o.Evidence}
		if o.Broken > 0 {
			c.deciding = o.Evidence[len(o.Evidence)-1]
			c.conclude(r.level(o.Rule), &outcome{status: result.Fail, expected: o.Expected, actual: o.Problem})
		}
		if o.Status == result.Warn {
			c.status = result.Warn
		}
		var transcript wire.Transcript
		if t := r.plays.named(o.Scenario); t != nil {
			transcript = t.transcript
		}
		shown := rd.check(c, o.Scenario, transcript)
		shown.Seen, shown.Broken = o.Seen, o.Broken
		all = append(all, shown)
	}
	return all
}

// check is a check as a report shows it: with its evidence unless it passed.
func (rd *renderer) check(c *Check, scenario string, transcript wire.Transcript) result.CheckResult {
	message, expected, actual := rd.messages(c)
	j := result.CheckResult{Rule: c.rule, At: c.endpoint, Check: result.Check{
		Endpoint: c.endpoint.String(), Scenario: scenario, Drawn: c.drawn, Story: c.story, Status: c.status,
		Message: message, Expected: expected, Actual: actual,
		BlockedBy: c.blockedBy, BlockedAt: c.blockedAt.String(), Exchanges: []result.Exchange{},
	}}
	if rd.withoutEvidence || !rd.shows(c.status) {
		return j
	}
	for i, x := range c.evidence() {
		j.Exchanges = append(j.Exchanges, rd.exchange(x))
		if x == c.deciding {
			j.Deciding = &i
		}
	}
	if c.deciding != nil && (c.status == result.Fail || c.status == result.Warn || c.status == result.Error || c.status == result.Blocked && c.expected != "") {
		j.Reproduction = rd.run.redactor.Reproduction(transcript, c.deciding, rd.run.base.String(), c.expected)
		if j.Reproduction != nil {
			j.Reproduction.Passing, j.Reproduction.Answer.Field = c.passing, c.field
			rd.repeat(j.Reproduction, c.deciding.Method)
		}
	}
	return j
}

// repeat lets a reproduction repeat its deciding request where that only reads: a failure may show in
// one answer of several.
func (rd *renderer) repeat(r *result.Reproduction, method string) {
	if method != http.MethodGet {
		return
	}
	const behind = 3 // times as late as was seen: until then a right answer may be followed by a stale one
	r.Repeats = result.MostRepeats
	r.RepeatAfterMS = min(behind*rd.run.Lagged(), rd.run.config.Settle).Milliseconds()
}

// messages are the check's texts. The message mostly holds the other two.
func (rd *renderer) messages(c *Check) (message, expected, actual string) {
	redact := rd.run.redactor.Message
	expected, actual = redact(c.expected), redact(c.actual)
	switch c.message {
	case Mismatch{c.expected, c.actual}.String():
		return wire.Shortened(Mismatch{expected, actual}.String()), expected, actual
	case c.actual:
		return actual, expected, actual
	}
	return redact(c.message), expected, actual
}
