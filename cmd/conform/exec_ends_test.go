//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// gone waits until a process has ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		state, err := exec.CommandContext(t.Context(), "ps", "-o", "stat=", "-p", pid).Output()
		if err != nil || strings.HasPrefix(string(state), "Z") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("process %s still runs: %s", pid, state)
		}
	}
}

// TestSignalsReachWhatExecStarted ends conform while its target, with a grandchild that ignores
// SIGTERM, is waited for: nothing of it is left, also where a second signal hastens the end.
func TestSignalsReachWhatExecStarted(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		first, second syscall.Signal // 0 for none
		code          int
	}{
		"SIGTERM":            {syscall.SIGTERM, 0, exitNoVerdict},
		"SIGHUP":             {syscall.SIGHUP, 0, exitNoVerdict},
		"SIGINT":             {syscall.SIGINT, 0, exitNoVerdict},
		"SIGINT, and again":  {syscall.SIGINT, syscall.SIGINT, 128 + int(syscall.SIGINT)},
		"SIGINT and SIGTERM": {syscall.SIGINT, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temporary, pids := t.TempDir(), filepath.Join(t.TempDir(), "pids")
			ended := filepath.Join(filepath.Dir(pids), "ended")
			cmd := command(t, "--wait", "1h", "--exec", `trap 'touch `+ended+`' TERM; sh -c 'trap "" TERM INT HUP; echo $$ >`+pids+`.new; mv `+pids+`.new `+pids+`; while :; do sleep 1; done' & while :; do wait; done`)
			cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
			var pid string
			o := finishWhile(t, cmd, func() {
				for pid == "" {
					content, _ := os.ReadFile(pids)
					if pid = strings.TrimSpace(string(content)); pid == "" {
						time.Sleep(20 * time.Millisecond)
					}
				}
				_ = cmd.Process.Signal(tc.first)
				for tc.second != 0 {
					if _, err := os.Stat(ended); err == nil { // it was told to end, and is waited for
						_ = cmd.Process.Signal(tc.second)
						return
					}
					time.Sleep(20 * time.Millisecond)
				}
			})
			if o.code != tc.code {
				t.Errorf("exit %d, want %d: %s", o.code, tc.code, o.stderr)
			}
			gone(t, pid)
			if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
				t.Errorf("left in the temporary folder: %v, %v", left, err)
			}
		})
	}
}
