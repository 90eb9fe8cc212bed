// Package procgroup runs a command with all the processes that it starts, and ends them together.
//
// A command gets a process group of its own. A process that leaves the group, such as a daemon with
// a session of its own, is no longer the group's. Without process groups in the system, only the
// command itself is ended.
package procgroup

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// outputWait is how long the output of a command is read after its end, where a process that it
// left behind keeps the output open.
const outputWait = time.Second

// look is how often a group is looked at until it is empty: the system tells of children alone.
const look = 10 * time.Millisecond

// Group is a running command and the processes that it started.
type Group struct {
	cmd      *exec.Cmd
	terminal *terminal
	ended    chan struct{}
	err      error
}

// Start starts the command in a group of its own. The caller must call End.
func Start(cmd *exec.Cmd) (*Group, error) {
	separate(cmd)
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = outputWait
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &Group{cmd: cmd, terminal: lend(cmd), ended: make(chan struct{})}
	go func() {
		g.err = cmd.Wait()
		close(g.ended)
	}()
	return g, nil
}

// Ended is closed when the command has ended. Processes that it started may go on.
func (g *Group) Ended() <-chan struct{} { return g.ended }

// Err waits for the end of the command, and returns what exec.Cmd.Wait does.
func (g *Group) Err() error {
	<-g.ended
	return g.err
}

// Signal sends a signal to every process of the group. None may be left: that is not an error.
func (g *Group) Signal(s syscall.Signal) { send(g.cmd, s) }

// Settle waits until no process of the group is left, or until the context ends, and reports
// whether none is left.
func (g *Group) Settle(ctx context.Context) bool {
	tick := time.NewTicker(look)
	defer tick.Stop()
	ended := g.ended
	for {
		select {
		case <-ended:
			if !alive(g.cmd) {
				return true
			}
			ended = nil // from here on by looking
		case <-tick.C:
			if ended == nil && !alive(g.cmd) {
				return true
			}
		case <-ctx.Done():
			return false
		}
	}
}

// End kills what is left of the group, waits for the end of the command, and takes the terminal
// back where the group has it.
func (g *Group) End() {
	kill(g.cmd)
	<-g.ended
	g.terminal.takeBack()
}
