package procgroup

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"

	"golang.org/x/sys/unix"
)

// terminal is the terminal that a group is lent when it asks for it. Until then Ctrl-C comes to this
// program, which passes it on; from then on it comes to the group.
type terminal struct {
	fd    int
	group int
	lent  bool
	done  chan struct{}
}

// lend watches a command that may read from the terminal. A background process that does is stopped
// by the system: it then gets the terminal and goes on, as by a shell's fg. It is nil where the
// command's input is not a terminal, or one that is not this program's to lend.
func lend(cmd *exec.Cmd) *terminal {
	input, isFile := cmd.Stdin.(*os.File)
	if !isFile || input == nil {
		return nil
	}
	fd := int(input.Fd())
	if front, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err != nil || front != unix.Getpgrp() {
		return nil
	}
	t := &terminal{fd: fd, group: cmd.Process.Pid, done: make(chan struct{})}
	go t.watch()
	return t
}

// stopped is the code of a child that was stopped, CLD_STOPPED in C.
const stopped = 5

// watch ends with the command, whose end is left for others to wait for.
func (t *terminal) watch() {
	defer close(t.done)
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, t.group, &info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || info.Code != stopped { // it has ended
			return
		}
		t.lent = true
		t.give(t.group)
		_ = unix.Kill(-t.group, unix.SIGCONT)
	}
}

// takeBack waits for the end of the command, and gives the terminal back to this program's group.
func (t *terminal) takeBack() {
	if t == nil {
		return
	}
	if <-t.done; t.lent {
		t.give(unix.Getpgrp())
	}
}

// give makes a group the one in front.
func (t *terminal) give(group int) {
	if !signal.Ignored(unix.SIGTTOU) {
		signal.Ignore(unix.SIGTTOU) // which would stop this program for doing it from behind
		defer signal.Reset(unix.SIGTTOU)
	}
	// A terminal that is gone needs no owner.
	_ = unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, group)
}
