//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps a terminal's interrupt from reaching the child directly: the
// parent tells it to stop, once.
func ownGroup(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func interrupt(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
