package restarts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/socialfeed/conform/internal/procgroup"
)

// Command is a process that a command starts, with all that it starts.
type Command struct {
	New    func() *exec.Cmd // the command, not started
	Target Target           // which answers once it is up
	Wait   time.Duration    // how long it may take to answer, or to end after Stop

	mu    sync.Mutex
	group *procgroup.Group // nil where it does not run
}

// running is the process, nil where it does not run.
func (c *Command) running() *procgroup.Group {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.group
}

func (c *Command) set(g *procgroup.Group) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.group = g
}

// Close kills the process where it runs.
func (c *Command) Close() {
	if g := c.running(); g != nil {
		g.Signal(syscall.SIGKILL)
	}
}

// Start starts the command where it does not run, and waits until it answers. A command that ends
// by itself is started again until the wait is over: the address of the one before may not be free
// yet.
func (c *Command) Start(ctx context.Context) error {
	const again = 500 * time.Millisecond
	waiting, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	for {
		group := c.running()
		if group == nil {
			var err error
			if group, err = procgroup.Start(c.New()); err != nil {
				return err
			}
			c.set(group)
		}
		err := c.answers(waiting, group)
		if err == nil || waiting.Err() != nil {
			return err
		}
		pause(waiting, again)
	}
}

// answers waits until the process answers, whatever it says, or has ended.
func (c *Command) answers(ctx context.Context, group *procgroup.Group) error {
	const between = 5 * time.Millisecond
	for {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.Target.BaseURL, "/")+"/versions", nil)
		if err != nil {
			return errors.New("the base URL is not a valid URL")
		}
		q.Header.Set("User-Agent", c.Target.UserAgent)
		response, err := c.Target.Client.Do(q)
		if err == nil {
			response.Body.Close()
			return nil
		}
		select {
		case <-group.Ended():
			why := group.Err()
			group.End()
			c.set(nil)
			return fmt.Errorf("it ended by itself: %w", orEnd(why))
		case <-ctx.Done():
			return fmt.Errorf("it did not answer for %s", c.Wait)
		case <-time.After(between):
		}
	}
}

func orEnd(err error) error {
	if err == nil {
		return errors.New("exit code 0")
	}
	return err
}

// End stops or kills the process. What has not ended when the wait is over is killed.
func (c *Command) End(ctx context.Context, s Signal) error {
	group := c.running()
	if group == nil {
		return nil
	}
	number := syscall.SIGKILL
	if s == Stop {
		number = syscall.SIGTERM
	}
	ending, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	group.Signal(number)
	group.Settle(ending)
	group.End()
	c.set(nil)
	return ctx.Err()
}
