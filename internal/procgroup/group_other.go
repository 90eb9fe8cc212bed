//go:build !unix

package procgroup

import (
	"os/exec"
	"syscall"
)

func separate(*exec.Cmd) {}

// send ends the command: other signals cannot be sent. An interrupt of the console has
// reached it already.
func send(cmd *exec.Cmd, s syscall.Signal) {
	if s != syscall.SIGINT {
		kill(cmd)
	}
}

// kill ends the command, which may have ended already.
func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// alive is asked after the end of the command.
func alive(*exec.Cmd) bool { return false }
