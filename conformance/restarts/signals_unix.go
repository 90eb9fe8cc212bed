//go:build unix

package restarts

import (
	"errors"
	"syscall"
)

// Supported returns why processes cannot be stopped, killed and paused here, nil where they can.
func Supported() error { return nil }

// Pause halts the process.
func (c *Command) Pause() error {
	return c.send(syscall.SIGSTOP)
}

// Resume lets the process go on.
func (c *Command) Resume() error {
	return c.send(syscall.SIGCONT)
}

func (c *Command) send(s syscall.Signal) error {
	g := c.running()
	if g == nil {
		return errors.New("the target does not run")
	}
	g.Signal(s)
	return nil
}
