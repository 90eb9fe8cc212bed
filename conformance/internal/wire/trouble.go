package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// Trouble says in plain words why no response came.
func Trouble(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return interrupted
	case errors.Is(err, ErrDeepUp):
		return "the time for drawn stories was up (--deep)"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrTimeUp):
		return timeUp
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case strings.Contains(text, "connection reset"):
		return "the target reset the connection"
	case strings.Contains(text, "stream error"), strings.Contains(text, "GOAWAY"), strings.Contains(text, "client connection lost"):
		return "the target closed the connection, or its stream, before its answer was complete (" + text + ")"
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

// Why a run ended before all was judged.
const (
	interrupted = "the run was interrupted"
	timeUp      = "the run's time was up (--timeout)"
)

var (
	// ErrInterrupted is the cause where a person or a signal ended the run.
	ErrInterrupted = errors.New("interrupted")
	// ErrTimeUp is the cause where the run's own time was up.
	ErrTimeUp = errors.New("the run's time is up")
	// ErrDeepUp is the cause where only the time for drawn stories was up.
	ErrDeepUp = fmt.Errorf("for drawn stories alone: %w", ErrTimeUp)
)
