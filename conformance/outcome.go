package conformance

import (
	"errors"
	"fmt"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// outcome is how a check, or the rest of a scenario, ends. It is a panic, since it has to pass
// through the assertion library and the scenario's own code; outcomeOf alone recovers it.
type outcome struct {
	status           result.Status
	expected, actual string   // of a failure, or of what blocks
	passing          []string // the statuses that pass, where one that does not is the failure
	field            string   // the header field that alone shows a failure
	message          string
	blockedBy        string
	blockedAt        rules.Endpoint
	unanswered       bool             // what blocks is a request that the target left without a complete answer
	evidence         []*wire.Exchange // of an arrangement that did not work
	step             *wire.Exchange   // the arrangement itself, nil where the last answer looked at shows it
}

// text is the outcome in one line.
func (o outcome) text() string {
	if o.expected != "" && o.status != result.Blocked {
		return Mismatch{o.expected, o.actual}.String()
	}
	return o.message
}

// outcomeOf runs a part of a scenario and returns the outcome that ended it, nil where it
// came to its end. A panic that is no outcome is a defect of the suite: it costs the scenario
// its verdict, not the run.
func outcomeOf(part func()) (ended *outcome) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case outcome:
			ended = &p
		default:
			ended = &outcome{status: result.Error, message: fmt.Sprintf("a defect of the suite: %v", p)}
		}
	}()
	part()
	return nil
}

// excuse keeps a target from being blamed for the judge's own doing, or for what nobody knows:
// a request that was sent a second time, since the connection ended without an answer,
// may have been carried out twice, and one whose answer was lost may have been carried out.
func (t *T) excuse(ended *outcome) *outcome {
	if ended == nil || ended.unanswered || ended.status == result.Pass || ended.status == result.Skipped || ended.status == result.Error {
		return ended
	}
	switch {
	case t.repeated:
		return &outcome{status: result.Error, evidence: ended.evidence,
			message: "could not judge: a connection closed without a response, and the request that was sent again may have been carried out twice"}
	case t.lostWrite == nil:
		return ended
	case t.lostWrite.LeftUnanswered():
		blocked := unjudged(exchangeError{t.lostWrite})
		blocked.message += ", and an earlier request to it may have been carried out"
		return &blocked
	}
	return &outcome{status: result.Error, evidence: ended.evidence,
		message: "could not judge: a connection was lost within the answer to an earlier request, which may have been carried out"}
}

// unjudged is the outcome for what went wrong on the wire. Where the target left a request to an
// endpoint without a complete answer, the rule that stands for the endpoint blocks what needed it.
func unjudged(err error) outcome {
	trouble := wire.Trouble(err)
	if failed, ok := errors.AsType[exchangeError](err); ok && failed.exchange.LeftUnanswered() {
		at := failed.exchange.Endpoint
		return outcome{status: result.Blocked, blockedBy: at.BlockingRule(), blockedAt: at, unanswered: true,
			message: fmt.Sprintf("needs %s: %s", at, trouble), evidence: []*wire.Exchange{failed.exchange}}
	}
	return outcome{status: result.Error, message: couldNotJudge + trouble}
}

const couldNotJudge = "could not judge: "

// exchangeError is why an exchange has no answer.
type exchangeError struct{ exchange *wire.Exchange }

func (e exchangeError) Error() string { return e.exchange.Err.Error() }

func (e exchangeError) Unwrap() error { return e.exchange.Err }
