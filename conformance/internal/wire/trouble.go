package wire

import (
	"context"
	"errors"
	"strings"
	"syscall"
)

// Trouble says in plain words why no response came.
func Trouble(err error) string {
	text := err.Error()
	var limit TimeUpError
	switch {
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return interrupted
	case errors.As(err, &limit):
		return limit.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "the run's time was up"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case strings.Contains(text, "connection reset"):
		return "the target reset the connection"
	case strings.Contains(text, "use of closed network connection"): // which the library has noticed first
		return "the connection was lost"
	case strings.Contains(text, "stream error"), strings.Contains(text, "GOAWAY"), strings.Contains(text, "client connection lost"):
		return "the target closed the connection, or its stream, before its answer was complete (" + text + ")"
	case strings.Contains(text, "malformed HTTP"):
		return "what came is not the beginning of an answer (" + text + "): a server that does not read the whole body of a request takes the rest of it for the next request on the connection"
	case strings.HasSuffix(text, "EOF"):
		return "the target closed the connection before its answer was complete (" + text + ")"
	}
	return text
}

// Lost reports whether an answer was lost on its way, or came too late, and another
// time may not be.
func Lost(err error) bool {
	return connectionLost(err) || errors.As(err, new(intermediaryError)) || errors.As(err, new(slowError))
}

// Late reports whether a request was not answered to the end within its limit.
func Late(err error) bool { return errors.As(err, new(slowError)) }

const interrupted = "the run was interrupted"

// ErrInterrupted is the cause where a person or a signal ended the run.
var ErrInterrupted = errors.New("interrupted")

// TimeUpError is the cause where a limit of time ended the run, or a part of it.
type TimeUpError struct {
	Of      string // whose time it was, such as "the run's time"
	Setting string // what sets it, as the reader calls it
}

// Error says whose time was up.
func (e TimeUpError) Error() string { return e.Of + " was up (" + e.Setting + ")" }
