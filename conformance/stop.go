package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// stop ends a check, or what is left of a scenario, with an outcome. It travels
// as a panic through the assertion library and the scenario's own code, and is
// caught by the engine alone.
type stop struct {
	status           Status
	expected, actual string // of a failure
	message          string
	blockedBy        string
	evidence         []*exchange // of an arrangement that did not work
}

// text is the outcome in one line.
func (s stop) text() string {
	if s.expected != "" {
		return "expected " + s.expected + "; got " + s.actual
	}
	return s.message
}

// catch turns a panic of the scenario into a stop. A panic that is none of ours
// is a defect of the suite: it costs the scenario its verdict, not the run.
func catch(recovered any) *stop {
	switch p := recovered.(type) {
	case nil:
		return nil
	case stop:
		return &p
	default:
		return &stop{status: Error, message: fmt.Sprintf("the suite itself is at fault: %v", p)}
	}
}

// unjudged is the stop for what went wrong on the wire.
func unjudged(err error) stop {
	return stop{status: Error, message: "could not judge: " + wireTrouble(err)}
}

// wireTrouble says in plain words why no response came.
func wireTrouble(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return interrupted
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, errOverall):
		return timeUp
	case strings.Contains(text, "connection refused"):
		return "the connection was refused"
	case strings.Contains(text, "connection reset"):
		return "the target reset the connection"
	case strings.HasSuffix(text, "EOF"):
		return "the target closed the connection before its answer was complete (" + text + ")"
	}
	return text
}

// Why a run ended before all was judged.
const (
	interrupted = "the run was interrupted"
	timeUp      = "the run's time was up (--timeout)"
)

// outOfTime tells of a run whose time was up what its processes, which were
// interrupted then, could only tell as that.
func (all *Result) outOfTime() {
	all.EndedBy = strings.ReplaceAll(all.EndedBy, interrupted, timeUp)
	for i := range all.Checks {
		all.Checks[i].Message = strings.ReplaceAll(all.Checks[i].Message, interrupted, timeUp)
	}
}

var (
	errInterrupted = errors.New("interrupted")
	errOverall     = errors.New("the run's time is up")
)
