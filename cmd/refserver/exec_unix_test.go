//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProgram is the command as a program.
func asProgram(t *testing.T) string {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// beside is refserver exec with a command that has a child of its own, which writes its number and then
// the signals that it gets to a file.
type beside struct {
	cmd  *exec.Cmd
	temp string // where it puts temporary files
	log  string
	errs bytes.Buffer
}

// runBeside starts it. Both the command and its child go on after each signal, unless then is exit.
func runBeside(t *testing.T, binary, then string) *beside {
	t.Helper()
	b := &beside{temp: t.TempDir(), log: filepath.Join(t.TempDir(), "log")}
	child := `for s in TERM HUP INT; do trap "echo $s >>\"$LOG\"; ` + then + `" $s; done; echo $$ >>"$LOG"; while :; do sleep 0.05; done`
	b.cmd = exec.CommandContext(t.Context(), binary, "exec", "--", "sh", "-c", `trap : TERM HUP INT; sh -c "$CHILD"; echo over`)
	if then == "" {
		b.cmd.Args[len(b.cmd.Args)-1] = `trap : TERM HUP INT; sh -c "$CHILD"; while :; do sleep 0.05; done`
	}
	b.cmd.Env = append(os.Environ(), "TMPDIR="+b.temp, "LOG="+b.log, "CHILD="+child)
	b.cmd.Stderr = &b.errs
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b.lines(t, 1)
	return b
}

// lines waits for so many lines of the child.
func (b *beside) lines(t *testing.T, n int) []string {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(b.log)
		if lines := strings.Fields(string(text)); err == nil && len(lines) >= n && strings.HasSuffix(string(text), "\n") {
			return lines
		}
		if time.Now().After(end) {
			t.Fatalf("the child's lines: %q (%v); %s", text, err, b.errs.String())
		}
	}
}

func (b *beside) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := b.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// ends waits for the end, and checks that nothing is left behind.
func (b *beside) ends(t *testing.T) (code int) {
	t.Helper()
	var ended *exec.ExitError
	if err := b.cmd.Wait(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	left, err := os.ReadDir(b.temp)
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files that are left: %v (%v)", left, err)
	}
	pid, err := strconv.Atoi(b.lines(t, 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); runs(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it is the test's
			t.Fatal("the command's child runs on")
		}
	}
	return b.cmd.ProcessState.ExitCode()
}

// runs reports whether a process runs, and is not only remembered by the system.
func runs(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

func TestSignalsReachTheCommandsChildren(t *testing.T) {
	binary := asProgram(t)
	for name, s := range map[string]syscall.Signal{"TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := runBeside(t, binary, "exit")
			b.signal(t, s)
			code := b.ends(t)
			if lines := b.lines(t, 2); lines[1] != name {
				t.Errorf("the child got %v", lines[1:])
			}
			if code != 128+int(s) {
				t.Errorf("exit %d: %s", code, b.errs.String())
			}
		})
	}
}

// TestSecondInterruptHastensTheEnd interrupts a command that goes on.
func TestSecondInterruptHastensTheEnd(t *testing.T) {
	b := runBeside(t, asProgram(t), "")
	b.signal(t, syscall.SIGINT)
	b.lines(t, 2)
	began := time.Now()
	b.signal(t, syscall.SIGINT)
	code := b.ends(t)
	if lines := b.lines(t, 3); strings.Join(lines[1:], " ") != "INT INT" {
		t.Errorf("the child got %v", lines[1:])
	}
	if took := time.Since(began); code != 128+int(syscall.SIGKILL) || took > 8*time.Second { // without the second one it is 10 s
		t.Errorf("exit %d after %s: %s", code, took, b.errs.String())
	}
}

// TestNothingIsLeftBehind ends what a command leaves running when it ends by itself.
func TestNothingIsLeftBehind(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.CommandContext(t.Context(), asProgram(t), "exec", "--", "sh", "-c", `sleep 600 & echo $! >"$LOG"; exit 3`)
	cmd.Env = append(os.Environ(), "LOG="+log)
	var ended *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &ended) || ended.ExitCode() != 3 {
		t.Errorf("%v", err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || runs(pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it is the test's
		t.Errorf("process %s runs on (%v)", text, err)
	}
}
