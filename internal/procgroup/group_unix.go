//go:build unix

package procgroup

import (
	"errors"
	"os/exec"
	"syscall"
)

// separate gives a command that is not started yet a process group of its own.
func separate(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// send sends a signal to the group, which may be empty already.
func send(cmd *exec.Cmd, s syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, s) }

func kill(cmd *exec.Cmd) { send(cmd, syscall.SIGKILL) }

// alive reports whether the group has a process.
func alive(cmd *exec.Cmd) bool {
	return !errors.Is(syscall.Kill(-cmd.Process.Pid, 0), syscall.ESRCH)
}
