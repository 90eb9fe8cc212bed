//go:build unix

package main

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestWaitsAreTold has a target ask for patience: that is told while it happens,
// and counted afterwards.
func TestWaitsAreTold(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	var asked atomic.Int64
	o := judged(t, append(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%150 == 0 {
			refuse(w, http.StatusTooManyRequests)
			return
		}
		good.ServeHTTP(w, r)
	})), "--rule", "users.*")...)
	o.wants(t, exitConformant)
	if !strings.Contains(o.stderr, "waiting: 429 from the target, waiting for its limit: 1s") {
		t.Errorf("stderr says %q", o.stderr)
	}
	w := o.report.Weather
	if w == nil || int64(w.Throttled) != asked.Load()/150 || w.WaitedMS < 900 {
		t.Errorf("counted are %+v, of %d requests", w, asked.Load())
	}
	if !strings.Contains(o.stdout, "× 429, waited") {
		t.Errorf("the report does not tell of it: %.500s", o.stdout)
	}
}

// TestTheTimeOfARunHolds has targets that keep a run from coming to its end.
func TestTheTimeOfARunHolds(t *testing.T) {
	t.Parallel()
	for name, hinder := range map[string]func(http.ResponseWriter, *http.Request){
		"by asking for patience": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"by silence": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // without reading, a server does not notice that the judge hung up
			<-r.Context().Done()
			panic(http.ErrAbortHandler) // returning would answer 200
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good := reference(t, nil)
			var asked atomic.Int64
			target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) > someWay {
					hinder(w, r)
					return
				}
				good.ServeHTTP(w, r)
			}))
			const limit, overrun = 4 * time.Second, 15 * time.Second // far from the minutes of clean-up, however slow the machine
			began := time.Now()
			o := judged(t, append(target, "--timeout", limit.String())...)
			o.wants(t, exitNoVerdict)
			cutShort(t, o, "the run's time was up")
			if took := time.Duration(o.report.DurationMS) * time.Millisecond; took > limit+overrun {
				t.Errorf("took %s (%s with the process), with %s allowed", took, time.Since(began), limit)
			}
			if o.report.WatchedMS == 0 && strings.Contains(o.stdout, "re-checked after") {
				t.Error("the report tells of a watch that never was")
			}
		})
	}
}
