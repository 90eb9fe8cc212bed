package conformance

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
)

func TestCategories(t *testing.T) {
	for method, want := range map[string]Category{
		"GET": Querying, "POST": Writing, "PUT": Writing, "DELETE": Deleting,
		"OPTIONS": Uncounted, "PATCH": Uncounted, "HEAD": Uncounted, "": Uncounted,
	} {
		if got := categoryOf(method); got != want {
			t.Errorf("%s counts as %d, want %d", method, got, want)
		}
	}
}

// mostInAMinute is the greatest number of the times that lie within any minute.
func mostInAMinute(times []time.Time) int {
	most, first := 0, 0
	for i, at := range times {
		for at.Sub(times[first]) >= time.Minute {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

func TestPacerKeepsTheRateInAnyMinute(t *testing.T) {
	for _, rate := range []int{1, 7, 60} {
		for _, step := range []time.Duration{0, 130 * time.Millisecond, 2 * time.Second, 59 * time.Second} {
			p := &pacer{perMinute: rate}
			now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			var sent []time.Time
			for len(sent) < 4*rate {
				if wait := p.reserve(Writing, 1, now); wait > 0 {
					if wait > time.Minute+leaveLasts {
						t.Fatalf("a wait of %s", wait)
					}
					now = now.Add(wait)
					continue
				}
				sent = append(sent, now)
				now = now.Add(step)
			}
			if most := mostInAMinute(sent); most > rate {
				t.Errorf("%d in a minute, with %d allowed and one every %s", most, rate, step)
			}
			if spent := sent[len(sent)-1].Sub(sent[0]); step == 0 && spent > 3*time.Minute+10*time.Second {
				t.Errorf("%d at %d a minute took %s", len(sent), rate, spent)
			}
		}
	}
}

func TestPacerCountsCategoriesApart(t *testing.T) {
	p := &pacer{perMinute: 2}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []Category{Querying, Writing, Deleting} {
		for i, want := range []time.Duration{0, 0, time.Minute + leaveLasts} {
			if got := p.reserve(c, 1, now); got != want {
				t.Errorf("request %d of category %d waits %s, want %s", i, c, got, want)
			}
		}
	}
	for range 10 {
		if got := p.reserve(Uncounted, 1, now); got != 0 {
			t.Errorf("what is not counted waits %s", got)
		}
	}
	for range 10 {
		if got := (&pacer{}).reserve(Writing, 1, now); got != 0 {
			t.Errorf("without a rate, waits %s", got)
		}
	}
}

// However unevenly several processes send, together they keep the rate.
func TestTurnstilesKeepTheRate(t *testing.T) {
	for _, rate := range []int{3, 60, 600} {
		synctest.Test(t, func(t *testing.T) {
			shared := &pacer{perMinute: rate}
			var mu sync.Mutex
			var sent []time.Time
			var processes sync.WaitGroup
			for i := range 4 {
				gate := newTurnstile(shared.permit, rate)
				idle := []time.Duration{0, 100 * time.Millisecond, 61 * time.Second, 1900 * time.Millisecond}
				processes.Go(func() {
					for n := range rate {
						if err := gate.pass(t.Context(), Querying); err != nil {
							t.Error(err)
						}
						mu.Lock()
						sent = append(sent, time.Now())
						mu.Unlock()
						time.Sleep(idle[(n/7+i)%len(idle)])
					}
				})
			}
			processes.Wait()
			if most := mostInAMinute(sent); most > rate || len(sent) != 4*rate {
				t.Errorf("%d in a minute, with %d allowed", most, rate)
			}
		})
	}
}

// A low rate is a slow one, and not a wait before the very first request.
func TestTurnstileLetsTheFirstRequestThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newTurnstile((&pacer{perMinute: 2}).permit, 2)
		start := time.Now()
		if err := gate.pass(t.Context(), Writing); err != nil || time.Since(start) > 0 {
			t.Errorf("the first request waits %s: %v", time.Since(start), err)
		}
	})
}

func TestTurnstileHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newTurnstile((&pacer{perMinute: 1000}).permit, 1000)
		start := time.Now()
		gate.hold(Writing, start.Add(10*time.Second))
		gate.hold(Writing, start.Add(3*time.Second)) // the longer one stands
		for _, step := range []struct {
			c    Category
			want time.Duration
		}{{Querying, 0}, {Uncounted, 0}, {Writing, 10 * time.Second}, {Writing, 10 * time.Second}} {
			if err := gate.pass(t.Context(), step.c); err != nil || time.Since(start) != step.want {
				t.Errorf("category %d passed after %s (%v), want %s", step.c, time.Since(start), err, step.want)
			}
		}
	})
}

func TestWaitsEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("the reason")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(reason) })
		gate := newTurnstile((&pacer{perMinute: 5}).permit, 5)
		gate.hold(Querying, time.Now().Add(time.Hour))
		start := time.Now()
		if err := gate.pass(ctx, Querying); !errors.Is(err, reason) || time.Since(start) != time.Second {
			t.Errorf("a hold ended with %v after %s", err, time.Since(start))
		}
		if err := pause(ctx, time.Hour); !errors.Is(err, reason) {
			t.Errorf("a pause ended with %v", err)
		}
		if err := gate.permit(ctx, Deleting, 1); err == nil {
			t.Error("leave is given after the end")
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const fallback = 700 * time.Millisecond
	for value, want := range map[string]time.Duration{
		"":                               fallback,
		"soon":                           fallback,
		"-5":                             fallback,
		"1.5":                            fallback,
		"99999999999999999999999":        fallback,
		"0":                              initialBackup,
		"1":                              time.Second,
		" 12 ":                           12 * time.Second,
		"120":                            2 * time.Minute,
		"Fri, 02 Jan 2026 03:04:08 GMT":  3 * time.Second,
		"Fri, 02 Jan 2026 03:04:05 GMT":  initialBackup,
		"Thu, 01 Jan 1970 00:00:00 GMT":  initialBackup,
		"Friday, 02-Jan-26 03:05:05 GMT": time.Minute,
	} {
		h := http.Header{}
		if value != "" {
			h.Set("Retry-After", value)
		}
		if got := retryAfter(h, now, fallback); got != want {
			t.Errorf("Retry-After: %q waits %s, want %s", value, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{"", "0", "-1", "1073741823", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0000 00:00:00 GMT"} {
		f.Add(value, int64(1767322800))
	}
	f.Fuzz(func(t *testing.T, value string, at int64) {
		now := time.Unix(at%(1<<40), 0)
		wait := retryAfter(http.Header{"Retry-After": {value}}, now, initialBackup)
		if wait < initialBackup {
			t.Errorf("Retry-After: %q waits %s", value, wait)
		}
		if strings.ContainsFunc(value, unicode.IsLetter) && !strings.Contains(value, ":") && wait != initialBackup {
			t.Errorf("Retry-After: %q, which says nothing, waits %s", value, wait)
		}
	})
}
