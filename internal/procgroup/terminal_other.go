//go:build !linux

package procgroup

import "os/exec"

// terminal is nothing here: a command in the background cannot read from the terminal.
type terminal struct{}

func lend(*exec.Cmd) *terminal { return nil }

func (t *terminal) takeBack() {}
