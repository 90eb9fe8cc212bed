//go:build unix

package restarts

import "syscall"

// Supported returns why processes cannot be stopped, killed and paused here, nil where they can.
func Supported() error { return nil }

// Pause halts the process.
func (c *Command) Pause() error {
	c.group.Signal(syscall.SIGSTOP)
	return nil
}

// Resume lets the process go on.
func (c *Command) Resume() error {
	c.group.Signal(syscall.SIGCONT)
	return nil
}
