//go:build unix

package procgroup_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/internal/procgroup"
)

// started starts a shell script, and returns the numbers of processes that it prints before the
// word ready.
func started(t *testing.T, script string) (group *procgroup.Group, pids []int, output *bufio.Reader) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	cmd := exec.Command("sh", "-c", script)
	cmd.Stdout = writer
	group, err = procgroup.Start(cmd)
	writer.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(group.End)
	output = bufio.NewReader(reader)
	for {
		line, err := output.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line == "ready\n" {
			return group, pids, output
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
}

// runs reports whether a process runs, and is not only remembered by the system.
func runs(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// TestSignalsReachGrandchildren has a grandchild tell of each signal that it gets, whose parent
// ends at the first one.
func TestSignalsReachGrandchildren(t *testing.T) {
	t.Parallel()
	group, _, output := started(t, `sh -c 'trap "echo TERM" TERM; trap "echo HUP" HUP; trap "echo INT" INT; echo ready; while :; do sleep 0.05; done' & wait`)
	for _, s := range []struct {
		signal syscall.Signal
		name   string
	}{{syscall.SIGTERM, "TERM\n"}, {syscall.SIGHUP, "HUP\n"}, {syscall.SIGTERM, "TERM\n"}} {
		group.Signal(s.signal)
		if line, err := output.ReadString('\n'); err != nil || line != s.name {
			t.Errorf("after %s the grandchild says %q (%v)", s.name, line, err)
		}
	}
	<-group.Ended()
	if group.Settle(within(t, 50*time.Millisecond)) {
		t.Error("the group is said to be empty while the grandchild runs")
	}
	group.End()
	if rest, err := io.ReadAll(output); err != nil || len(rest) > 0 {
		t.Errorf("the grandchild goes on: %q (%v)", rest, err)
	}
}

func TestEndKillsWhatIgnoresSignals(t *testing.T) {
	t.Parallel()
	group, pids, _ := started(t, `trap "" TERM INT HUP; sh -c 'echo $$; while :; do sleep 0.05; done' & echo $$; sleep 0.2; echo ready; wait`)
	group.Signal(syscall.SIGTERM)
	if group.Settle(within(t, 200*time.Millisecond)) {
		t.Error("what ignores a signal has ended by it")
	}
	group.End()
	var ended *exec.ExitError
	if err := group.Err(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("the command ended with %v", err)
	}
	if len(pids) != 2 {
		t.Fatalf("%d processes", len(pids))
	}
	for _, pid := range pids {
		for end := time.Now().Add(10 * time.Second); runs(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("process %d runs on", pid)
			}
		}
	}
}

func TestSettleTellsOfAnEmptyGroup(t *testing.T) {
	t.Parallel()
	group, _, _ := started(t, "echo ready; exit 3")
	if !group.Settle(within(t, time.Minute)) {
		t.Error("the group is not empty")
	}
	var ended *exec.ExitError
	if err := group.Err(); !errors.As(err, &ended) || ended.ExitCode() != 3 {
		t.Errorf("the command ended with %v", err)
	}
	if _, err := procgroup.Start(exec.Command("/nowhere/at/all")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
}
