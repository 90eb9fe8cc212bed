//go:build unix

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// midway tells when a number of requests have come by.
type midway struct {
	next    http.Handler
	after   int64
	reached chan struct{}

	asked atomic.Int64
}

// until makes one.
func until(after int64, next http.Handler) *midway {
	return &midway{next: next, after: after, reached: make(chan struct{})}
}

// ServeHTTP counts the request and passes it on.
func (m *midway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if m.asked.Add(1) == m.after {
		close(m.reached)
	}
	m.next.ServeHTTP(w, r)
}

const (
	aBit    = 5 * time.Millisecond // of delay, so that a run is not over at once
	someWay = 150                  // requests into a run
)

// TestInterruptedRunCleansUpAndReports stops a run in its middle, as a person
// and as a pipeline do.
func TestInterruptedRunCleansUpAndReports(t *testing.T) {
	t.Parallel()
	for _, jobs := range []string{"1", "8"} {
		for name, sig := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
			t.Run(name+" with "+jobs+" jobs", func(t *testing.T) {
				t.Parallel()
				good := reference(t, nil)
				target := until(someWay, slowed(aBit, good))
				path := filepath.Join(t.TempDir(), "report.json")
				cmd := command(t, append(serve(t, target), "--jobs", jobs, "--report", "json="+path)...)
				o := finishWhile(t, cmd, func() {
					<-target.reached
					cmd.Process.Signal(sig)
				})
				o.read(t, path)
				o.wants(t, exitNoVerdict)
				cutShort(t, o, "interrupted")
				empty(t, good)
			})
		}
	}
}

// cutShort sees that a report tells what was not judged, and why.
func cutShort(t *testing.T, o outcome, why string) {
	t.Helper()
	if o.report.Verdict != result.Incomplete || !strings.Contains(strings.Join(o.report.Notes, "\n"), why) {
		t.Errorf("verdict %s, notes %q, want %q there", o.report.Verdict, o.report.Notes, why)
	}
	count := o.report.Summary.Rules
	if count[result.Error] == 0 || count[result.Fail] > 0 {
		t.Errorf("the rules came out as %v: %v", count, o.troubles())
	}
	if !strings.Contains(o.stdout, "NO VERDICT") {
		t.Errorf("the report on stdout begins %.200q", o.stdout)
	}
}

// TestInterruptBeforeTheRun has a target that never answers at all.
func TestInterruptBeforeTheRun(t *testing.T) {
	t.Parallel()
	for name, more := range map[string][]string{"at first contact": nil, "while waiting": {"--wait", "1h"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{}, 1)
			target := raw(t, true, func(conn net.Conn, done <-chan struct{}) {
				asked <- struct{}{}
				mute(conn, done)
			})
			cmd := command(t, append(target, more...)...)
			o := finishWhile(t, cmd, func() {
				<-asked
				cmd.Process.Signal(os.Interrupt)
			})
			o.wants(t, exitNoVerdict)
			const most = 1
			o.fewLines(t, most)
			if !strings.Contains(o.stderr, "interrupted") {
				t.Errorf("stderr says %q", o.stderr)
			}
		})
	}
}

// TestDyingTargetIsTold has the target go away in the middle of a run.
func TestDyingTargetIsTold(t *testing.T) {
	t.Parallel()
	for _, jobs := range []string{"1", "8"} {
		t.Run(jobs+" jobs", func(t *testing.T) {
			t.Parallel()
			target := until(someWay, slowed(aBit, reference(t, nil)))
			server := httptest.NewUnstartedServer(target)
			server.Config.ErrorLog = silent()
			server.Start()
			t.Cleanup(server.Close)
			path := filepath.Join(t.TempDir(), "report.json")
			cmd := command(t, "--base-url", server.URL, "--allow-http", "--app-token", appToken, "--jobs", jobs, "--report", "json="+path)
			o := finishWhile(t, cmd, func() {
				<-target.reached
				server.Config.Close()
			})
			o.read(t, path)
			o.wants(t, exitNoVerdict)
			cutShort(t, o, "stopped answering")
		})
	}
}

// TestTargetThatDiesInADrawnStoryIsTold has the target go away when every scenario was played: what
// makes a server crash may be what a story found.
func TestTargetThatDiesInADrawnStoryIsTold(t *testing.T) {
	t.Parallel()
	for name, deep := range map[string][]string{"plain": nil, "deep": {"--deep=1m"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good := reference(t, nil)
			var dead atomic.Bool
			target := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.Header.Get("X-Conform-Scenario"), "a drawn story") {
					dead.Store(true)
				}
				if dead.Load() {
					panic(http.ErrAbortHandler)
				}
				good.ServeHTTP(w, r)
			})
			o := judged(t, append(append(serve(t, target), fast()...), deep...)...)
			o.wants(t, exitNoVerdict)
			if o.report.EndedBy == "" || o.report.Verdict != result.Incomplete || !strings.Contains(o.stdout, "NO VERDICT") {
				t.Errorf("verdict %s, ended by %q, on stdout %.200q", o.report.Verdict, o.report.EndedBy, o.stdout)
			}
			if count := o.report.Summary.Rules; count[result.Fail] > 0 {
				t.Errorf("the rules came out as %v: %v", count, o.troubles())
			}
		})
	}
}

// TestSecondInterruptEndsAtOnce has a target that hangs: a person who asks twice
// does not want to wait for the clean-up.
func TestSecondInterruptEndsAtOnce(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	hung := make(chan struct{}, 1000)
	done := make(chan struct{})
	target := until(someWay, nil)
	target.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-target.reached:
			hung <- struct{}{}
			<-done
		default:
			good.ServeHTTP(w, r)
		}
	})
	cmd := command(t, append(serve(t, target), "--jobs", "4", "--request-timeout", "5m")...)
	t.Cleanup(func() { close(done) })
	if o := finishWhile(t, cmd, func() {
		<-hung
		cmd.Process.Signal(os.Interrupt)
		<-hung // the clean-up has begun, and hangs as well
		for cmd.Process.Signal(os.Interrupt) == nil {
			select {
			case <-time.After(200 * time.Millisecond): // a signal may come before the first one was taken
			case <-t.Context().Done():
				return
			}
		}
	}); o.code != 128+int(syscall.SIGINT) {
		t.Errorf("exit %d: it went on cleaning up", o.code)
	}
}
