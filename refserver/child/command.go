package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/socialfeed/conform/internal/procgroup"
)

const (
	killWait  = 10 * time.Second // how long a command may go on after a signal before it is killed
	hurryWait = time.Second      // the same, after a second signal and for what the command leaves behind
)

// Command is a command line with the streams it reads and writes.
type Command struct {
	Args           []string // the program, then its arguments
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Hurry          context.Context // nil, or ends at a second signal to stop
}

// Interrupted is the cause of a context that a signal has ended.
type Interrupted struct{ By syscall.Signal }

func (i Interrupted) Error() string { return "ended by the signal: " + i.By.String() }

// signalOf is the signal that has ended a context, SIGTERM if it was none.
func signalOf(ctx context.Context) syscall.Signal {
	var interrupted Interrupted
	if errors.As(context.Cause(ctx), &interrupted) {
		return interrupted.By
	}
	return syscall.SIGTERM
}

// Run runs the command with the service in its environment, and returns its exit code,
// or 128 plus the number of the signal that ended it.
//
// The command and its children are one process group. When the context ends, the group gets the
// signal that ended it, and is killed after 10 s. When Hurry ends, the group gets the second
// signal, and is killed after 1 s. Children that outlive the command get SIGTERM, and are killed
// after 1 s, too.
func (c Command) Run(ctx context.Context, s Service) (int, error) {
	if ctx.Err() != nil {
		return 128 + int(signalOf(ctx)), nil
	}
	command := exec.Command(c.Args[0], c.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = c.Stdin, c.Stdout, c.Stderr
	command.Env = os.Environ()
	for _, v := range s.Variables() {
		command.Env = append(command.Env, v.Name+"="+v.Value)
	}
	group, err := procgroup.Start(command)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return 0, fmt.Errorf("there is no command %s: is it spelled right, and on the search path?", c.Args[0])
	case errors.Is(err, fs.ErrPermission):
		return 0, fmt.Errorf("%s cannot be executed: is it a program, and executable?", c.Args[0])
	case err != nil:
		return 0, err
	}
	select {
	case <-ctx.Done():
		c.stop(group, signalOf(ctx))
	case <-group.Ended():
		group.Signal(syscall.SIGTERM)
		settle(group, hurryWait)
	}
	group.End()
	return codeOf(ctx, group.Err())
}

// stop lets the group end by a signal, and by a second one if there is one.
func (c Command) stop(group *procgroup.Group, first syscall.Signal) {
	group.Signal(first)
	ctx, cancel := context.WithTimeout(context.Background(), killWait)
	defer cancel()
	if c.Hurry != nil {
		defer context.AfterFunc(c.Hurry, cancel)()
	}
	if group.Settle(ctx) || c.Hurry == nil || c.Hurry.Err() == nil {
		return
	}
	group.Signal(signalOf(c.Hurry))
	settle(group, hurryWait)
}

// settle waits until the group is empty, for so long at most.
func settle(group *procgroup.Group, most time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	group.Settle(ctx)
}

// codeOf is the exit code of a command that ended so.
func codeOf(ctx context.Context, err error) (int, error) {
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		if status, ok := ended.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return 128 + int(status.Signal()), nil
		}
		return ended.ExitCode(), nil
	case ctx.Err() != nil: // it exited with 0 after the signal
		return 128 + int(signalOf(ctx)), nil
	case errors.Is(err, exec.ErrWaitDelay): // it exited with 0, and left its output open
		return 0, nil
	}
	return 0, err
}
