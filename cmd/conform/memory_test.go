//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// mostMemory is what the judge may take, in KiB, whatever a target sends.
const mostMemory = 200 << 10

// memoryVariable tells a copy of the test binary to run its arguments, and into which file to
// write how much memory that took.
const memoryVariable = "TESTED_MEMORY"

// measured has a command be started by a small process of its own: it would count as its own what
// the one that starts it holds, which is a lot where that is the tests with all their targets. What
// is returned is the most that the command held, in KiB, once it is over.
func measured(t *testing.T, cmd *exec.Cmd) (used func() int64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "memory")
	cmd.Args = append([]string{self, cmd.Path}, cmd.Args[1:]...)
	cmd.Path, cmd.Env = self, append(cmd.Env, memoryVariable+"="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return func() int64 {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		most, err := strconv.ParseInt(string(content), 10, 64)
		if err != nil || most == 0 {
			t.Fatalf("the memory is not known: %q, %v", content, err)
		}
		return most
	}
}

// measure runs the program's arguments, writes the most that they held, in KiB, and returns
// their exit code.
func measure(path string) int {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" { // which counts in bytes
		most >>= 10
	}
	if err := os.WriteFile(path, []byte(strconv.FormatInt(most, 10)), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

// TestMemoryIsThatOfTheCommand sees that a command which needs little is not charged with what
// this process holds.
func TestMemoryIsThatOfTheCommand(t *testing.T) {
	const held, little = 128 << 20, 64 << 10 // bytes, KiB: the copy of this binary takes half of that by itself
	much := []byte(strings.Repeat("x", held))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "exit 3")
	used := measured(t, cmd)
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the shell ended with %v", err)
	}
	if most := used(); most > little {
		t.Errorf("a shell took %d KiB", most)
	}
	runtime.KeepAlive(much)
}
