package conformance

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	"github.com/socialfeed/conform/conformance/await"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Eventually judges a condition that may take until the settle time to hold: feeds, lists and
// search may lag. Read is a function without parameters that reads one value, as Gomega's
// Eventually takes it; it is called until the matcher is content with the value. Only the latest
// reading stays as evidence. For the first one, an answer that the scenario got to the same GET
// since it last wrote is enough: to force a new request use T.Send.
func (c *Check) Eventually(read any, condition types.GomegaMatcher) {
	settle := c.t.run.config.Settle
	if m := c.t.eventually(settle, time.Time{}, read, condition); m != (Mismatch{}) {
		c.Fail(m.Expected, fmt.Sprintf("%s, still after %s", m.Actual, settle))
	}
}

// EventuallyStays is Eventually, with one more reading when the hold time is over: what was
// deleted must not come back. Nothing else in the scenario may bring it back.
func (c *Check) EventuallyStays(read any, condition types.GomegaMatcher) {
	if !c.t.scenario.early {
		panic("a scenario that judges by EventuallyStays is declared with ScenarioWithRecheck")
	}
	c.Eventually(read, condition)
	if c.recheck == nil {
		c.recheck = &recheck{}
	}
	c.recheck.since = time.Now()
	c.recheck.readings = append(c.recheck.readings, reading{read, condition})
}

// Require waits, until the settle time, for a condition that later checks need. If it does not
// come to hold, they are blocked by the given rule.
func (t *T) Require(rule string, read any, condition types.GomegaMatcher) {
	t.mustKnow(rule) // at once, not only where the condition does not hold
	if m := t.eventually(t.run.PatienceFor(rule, t.run.config.Settle), time.Time{}, read, condition); m != (Mismatch{}) {
		t.run.GiveUp(rule)
		t.blockBy(outcome{status: result.Blocked, blockedBy: rule, expected: m.Expected, actual: m.Actual, message: "needs " + m.Expected + "; got " + m.Actual}, nil)
	}
}

// SendSettled sends as Send does, and again while the answer is a 404, until the settle time after
// the scenario's latest write is over: a replica may not know a new user yet. An endpoint
// that once stayed at 404 for that long, and never succeeded, is not waited for again.
func (t *T) SendSettled(as Credentials, to rules.Endpoint, with ...With) *Answer {
	answer, late := t.sendUntil(func(a *Answer) bool {
		return a.exchange.Status != http.StatusNotFound || !t.run.answers.MayAppear(to)
	}, as, to, with)
	if late && !t.looking {
		t.run.recordTimeout(t.ctx, to)
	}
	return answer
}

// SendUntil sends as Send does, and again until the answer is settled or the settle time after the
// scenario's latest write is over: what is read may lag. Only the latest answer stays as evidence.
func (t *T) SendUntil(isSettled func(*Answer) bool, as Credentials, to rules.Endpoint, with ...With) *Answer {
	answer, _ := t.sendUntil(isSettled, as, to, with)
	return answer
}

// sendUntil is SendUntil, and reports whether the answer was not settled though it was asked for when
// the settle time was over.
func (t *T) sendUntil(isSettled func(*Answer) bool, as Credentials, to rules.Endpoint, with []With) (answer *Answer, late bool) {
	began := time.Now()
	answer = t.sendTo(as, to.Method(), to.Path(), to, with)
	if isSettled(answer) {
		return answer, false
	}
	t.mu.Lock()
	until := t.wrote.Add(t.run.config.Settle)
	t.mu.Unlock()
	evidence := t.evidence()
	before := len(*evidence)
	t.awaitLag()
	start := time.Now()
	for pause := await.Next(0); !isSettled(answer); pause = await.Next(pause) {
		if began.After(until) {
			return answer, true
		}
		if wire.Pause(t.ctx, min(pause, max(0, time.Until(until)))) != nil {
			panic(unjudged(context.Cause(t.ctx)))
		}
		*evidence = (*evidence)[:before]
		began = time.Now()
		if answer = t.sendTo(as, to.Method(), to.Path(), to, with); isSettled(answer) {
			t.run.RecordLag(began.Sub(start))
		}
	}
	return answer, false
}

// eventually has Gomega read until the condition holds or the time is up, and
// returns how the latest value differed. Answers since the given time may count as the
// first reading. An outcome that is raised while reading, such as blocked, passes through
// Gomega as a panic.
func (t *T) eventually(most time.Duration, since time.Time, read any, condition types.GomegaMatcher) Mismatch {
	evidence := t.evidence()
	before := len(*evidence)
	t.awaitLag()
	start := time.Now()
	began := start // a reading may take long, and may show the state at its beginning
	first := true
	readNext := func() any {
		*evidence = (*evidence)[:before]
		began = time.Now()
		if first {
			first = false
			return t.readOnce(since, read, condition)
		}
		return valueOf(read)
	}
	paced := &pacedMatcher{GomegaMatcher: condition}
	var failure string
	g := gomega.NewGomega(func(message string, _ ...int) { failure = message })
	switch {
	case g.Eventually(readNext).WithContext(t.ctx).WithTimeout(most).Should(paced):
	case t.ctx.Err() != nil:
		panic(unjudged(context.Cause(t.ctx)))
	case paced.latest == Mismatch{}:
		panic(failure)
	case began.Sub(start) < most:
		paced.latest = mismatchOf(condition, readNext())
	}
	if paced.latest == (Mismatch{}) && began.Sub(start) >= await.Shortest {
		t.run.RecordLag(began.Sub(start))
	}
	return paced.latest
}

// awaitLag waits, on a target that was seen to lag, until the latest write may be visible:
// reading earlier costs requests and proves nothing.
func (t *T) awaitLag() {
	t.mu.Lock()
	wrote := t.wrote
	t.mu.Unlock()
	if left := await.Lag(t.run.Lagged(), wrote); left > 0 {
		_ = wire.Pause(t.ctx, left) // where the run has ended, the reading says so
	}
}

// valueOf reads a value.
func valueOf(read any) any { return reflect.ValueOf(read).Call(nil)[0].Interface() }

// pacedMatcher signals Gomega when to read again, and keeps the latest mismatch.
type pacedMatcher struct {
	types.GomegaMatcher
	pause  time.Duration // the latest one, 0 before the first
	latest Mismatch
}

// Match asks the matcher; where it does not match, it signals Gomega when to read again.
func (p *pacedMatcher) Match(actual any) (bool, error) {
	if p.latest = mismatchOf(p.GomegaMatcher, actual); p.latest == (Mismatch{}) {
		return true, nil
	}
	p.pause = await.Next(p.pause)
	return false, gomega.TryAgainAfter(p.pause)
}
