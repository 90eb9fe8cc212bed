//go:build !unix

package main

import "os/exec"

// ownGroup does nothing if there are no process groups.
func ownGroup(*exec.Cmd) {}

// endGroup ends the server. That it may have ended already is not an error.
func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// killGroup ends the server.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
