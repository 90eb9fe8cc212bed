//go:build !unix

package restarts

import "errors"

// Supported returns why processes cannot be stopped, killed and paused here, nil where they can.
func Supported() error { return errNoSignals() }

// Pause halts the process.
func (c *Command) Pause() error { return errNoSignals() }

// Resume lets the process go on.
func (c *Command) Resume() error { return errNoSignals() }

func errNoSignals() error {
	return errors.New("this system has no signals to stop, kill and pause a process by")
}
