package wire

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestCategories(t *testing.T) {
	for method, want := range map[string]category{
		"GET": querying, "POST": writing, "PUT": writing, "DELETE": deleting,
		"OPTIONS": uncounted, "PATCH": uncounted, "HEAD": uncounted, "": uncounted,
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

func TestLimiterKeepsTheRateInAnyMinute(t *testing.T) {
	for _, rate := range []int{1, 7, 60} {
		for _, step := range []time.Duration{0, 130 * time.Millisecond, 2 * time.Second, 59 * time.Second} {
			l := &Limiter{PerMinute: rate}
			now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			var sent []time.Time
			for len(sent) < 4*rate {
				if wait, _ := l.reserve(writing, now); wait > 0 {
					if wait > time.Minute {
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

// TestRoomIsWhatGoesWithoutAWait sends as much as the limiter says that there is room for.
func TestRoomIsWhatGoesWithoutAWait(t *testing.T) {
	l := &Limiter{PerMinute: 5}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l.reserve(writing, now)
	now = now.Add(20 * time.Second)
	for range l.Room("PUT", now) {
		if wait, _ := l.reserve(writing, now); wait > 0 {
			t.Errorf("a wait of %s", wait)
		}
	}
	for at, want := range map[time.Duration]int{0: 0, 39 * time.Second: 0, 40 * time.Second: 1, time.Minute: 5} {
		if got := l.Room("POST", now.Add(at)); got != want {
			t.Errorf("room for %d after %s, want %d", got, at, want)
		}
	}
	if got := l.Room("GET", now); got != 5 {
		t.Errorf("room for %d reads, want 5", got)
	}
	l.pauseUntil(querying, now.Add(time.Second))
	if got := l.Room("GET", now); got != 0 {
		t.Errorf("room for %d reads while the target asks for a pause", got)
	}
	if got := (&Limiter{}).Room("GET", now); got < 1000 {
		t.Errorf("room for %d reads where nothing limits them", got)
	}
}

func TestLimiterCountsCategoriesApart(t *testing.T) {
	l := &Limiter{PerMinute: 2}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []category{querying, writing, deleting} {
		for i, want := range []time.Duration{0, 0, time.Minute} {
			if got, _ := l.reserve(c, now); got != want {
				t.Errorf("request %d of category %d waits %s, want %s", i, c, got, want)
			}
		}
	}
	for range 10 {
		if got, _ := l.reserve(uncounted, now); got != 0 {
			t.Errorf("what is not counted waits %s", got)
		}
	}
	for range 10 {
		if got, _ := (&Limiter{}).reserve(writing, now); got != 0 {
			t.Errorf("without a rate, waits %s", got)
		}
	}
}

// However unevenly several scenarios send, together they keep the rate.
func TestLimiterKeepsTheRateOfMany(t *testing.T) {
	for _, rate := range []int{3, 60, 600} {
		synctest.Test(t, func(t *testing.T) {
			shared := &Limiter{PerMinute: rate}
			var mu sync.Mutex
			var sent []time.Time
			var senders sync.WaitGroup
			for i := range 4 {
				idle := []time.Duration{0, 100 * time.Millisecond, 61 * time.Second, 1900 * time.Millisecond}
				senders.Go(func() {
					for n := range rate {
						if err := (&Wire{limiter: shared}).pace(t.Context(), querying); err != nil {
							t.Error(err)
						}
						mu.Lock()
						sent = append(sent, time.Now())
						mu.Unlock()
						time.Sleep(idle[(n/7+i)%len(idle)])
					}
				})
			}
			senders.Wait()
			if most := mostInAMinute(sent); most > rate || len(sent) != 4*rate {
				t.Errorf("%d in a minute, with %d allowed", most, rate)
			}
		})
	}
}

// A low rate is a slow one, and not a wait before the very first request.
func TestLimiterLetsTheFirstRequestThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := (&Wire{limiter: &Limiter{PerMinute: 2}}).pace(t.Context(), writing); err != nil || time.Since(start) > 0 {
			t.Errorf("the first request waits %s: %v", time.Since(start), err)
		}
	})
}

func TestLimiterHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Limiter{PerMinute: 1000}
		start := time.Now()
		l.pauseUntil(writing, start.Add(10*time.Second))
		l.pauseUntil(writing, start.Add(3*time.Second)) // the longer one stands
		for _, step := range []struct {
			c    category
			want time.Duration
		}{{querying, 0}, {uncounted, 0}, {writing, 10 * time.Second}, {writing, 10 * time.Second}} {
			if err := (&Wire{limiter: l}).pace(t.Context(), step.c); err != nil || time.Since(start) != step.want {
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
		l := &Limiter{PerMinute: 5}
		l.pauseUntil(querying, time.Now().Add(time.Hour))
		start := time.Now()
		if err := (&Wire{limiter: l}).pace(ctx, querying); !errors.Is(err, reason) || time.Since(start) != time.Second {
			t.Errorf("a hold ended with %v after %s", err, time.Since(start))
		}
		if err := Pause(ctx, time.Hour); !errors.Is(err, reason) {
			t.Errorf("a pause ended with %v", err)
		}
		if err := (&Wire{limiter: l}).pace(ctx, deleting); err == nil {
			t.Error("a request may be sent after the end")
		}
	})
}

// A limiter that was lifted lets all pass until the target asks for a pause, and keeps the
// rate again after it.
func TestALiftedLimiterEndsAtTheFirstPause(t *testing.T) {
	l := &Limiter{PerMinute: 1}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l.Lift()
	for range 10 {
		if wait, _ := l.reserve(writing, now); wait > 0 {
			t.Fatalf("a wait of %s where nothing limits", wait)
		}
	}
	now = now.Add(time.Second)
	l.pauseUntil(querying, now)
	if wait, _ := l.reserve(writing, now); wait > 0 {
		t.Errorf("a wait of %s for the first request of another category", wait)
	}
	if wait, _ := l.reserve(writing, now); wait <= 0 {
		t.Error("the rate is not kept after a pause")
	}
}
