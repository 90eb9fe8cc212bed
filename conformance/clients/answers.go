package clients

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Habits are the requests that clients repeat although nothing was refused: after a refusal
// such a request is no retry. Judges of one client may share them.
type Habits struct {
	mu   sync.Mutex
	seen *bounded[digest, bool]
}

// NewHabits returns empty habits.
func NewHabits() *Habits { return &Habits{seen: newBounded[digest, bool](20_000)} }

func (h *Habits) add(intent digest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen.put(intent, true)
}

func (h *Habits) has(intent digest) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.seen.get(intent)
	return ok
}

// answers are the latest answers of the service, against which the next requests are judged.
type answers struct {
	skew   time.Duration
	habits *Habits
	last   *bounded[digest, *Exchange] // by the whole request
	latest *bounded[digest, digest]    // the last request of an owner
	closed *bounded[digest, *Exchange] // the last 429 of a lane
	looked *bounded[digest, time.Time] // when an application last began to look
}

func newAnswers(skew time.Duration, habits *Habits) *answers {
	const most = 4096
	return &answers{
		skew: skew, habits: habits, last: newBounded[digest, *Exchange](most), latest: newBounded[digest, digest](most),
		closed: newBounded[digest, *Exchange](most), looked: newBounded[digest, time.Time](most),
	}
}

func (a *answers) record(r *request) {
	before, known := a.last.get(r.same)
	if known && (before.succeeded() || r.Start.Before(before.End)) { // asked again, or at the same time
		a.habits.add(r.intent())
	}
	seen := r.light()
	if r.succeeded() { // a success starts no retry
		seen = &Exchange{Number: r.Number, Start: r.Start, End: r.End, Conn: r.Conn, Status: r.Status}
	}
	a.last.put(r.same, seen)
	a.latest.put(r.owner, r.same)
	if r.Status == http.StatusTooManyRequests {
		a.closed.put(r.lane, seen)
	}
	if r.looks() {
		if latest, _ := a.looked.get(r.application()); r.Start.After(latest) { // a slow request may end after a later one
			a.looked.put(r.application(), r.Start)
		}
	}
}

// looks reports whether the request reads what an earlier write may have changed: how a
// client checks before it retries a write.
func (r *request) looks() bool { return r.Method == http.MethodGet || r.endpoint == rules.Login }

// application identifies the requests that may check on each other's writes: one user's
// request may check on another's.
func (r *request) application() digest { return digestOf(r.auth.app, r.Client) }

// repeats is an earlier exchange of the same request that got the status; nil where there is
// none, or where the client may not have had the answer yet.
func (a *answers) repeats(r *request, status int) *Exchange {
	before, known := a.last.get(r.same)
	if !known || before.Status != status || !a.after(before, r.Exchange) {
		return nil
	}
	return before
}

// after reports whether the answer was complete before the request was sent. Requests sent
// in parallel with a slow one arrive while it is being answered.
func (a *answers) after(before, r *Exchange) bool {
	return follows(before, r, a.skew) || !r.Start.Before(before.End) && before.Took() >= held
}

const (
	held       = 100 * time.Millisecond // during an answer that took so long, parallel requests arrive
	atOnce     = 50 * time.Millisecond  // a client that repeats sooner did not wait
	repetition = 10 * time.Second       // a later repetition is no retry
	checking   = time.Minute            // as repetition, for a write
)

// found is a violation unless the request turns out to be a habit.
func (a *answers) found(r *request, before *Exchange, text string) finding {
	f, intent := violation("%s (request %d)", text, before.Number), r.intent()
	f.before = []*Exchange{before}
	f.doubt = func() bool { return a.habits.has(intent) }
	return f
}

func (a *answers) waits503(r *request) finding {
	before := a.repeats(r, http.StatusServiceUnavailable)
	if before == nil {
		return finding{relevant: r.Status == http.StatusServiceUnavailable}
	}
	if gap := r.Start.Sub(before.End); gap < atOnce {
		return a.found(r, before, "the request is repeated "+rounded(gap)+" after a 503")
	}
	return kept
}

func (a *answers) waits429(r *request) finding {
	before, known := a.closed.get(r.lane)
	if !known {
		return finding{relevant: r.Status == http.StatusTooManyRequests}
	}
	gap, wait := r.Start.Sub(before.End), retryAfter(before.RespHeader, before.End)
	switch same := a.repeats(r, http.StatusTooManyRequests); {
	case wait > 0 && gap < wait && (same != nil || follows(before, r.Exchange, a.skew)):
		f := a.found(r, before, "the next request of the category came "+rounded(gap)+" after a 429 with Retry-After: "+
			before.RespHeader.Get("Retry-After"))
		if follows(before, r.Exchange, a.skew) { // a repeated request is no excuse: the client was asked to wait
			f.doubt = nil
		}
		return f
	case wait == 0 && same != nil && gap < atOnce:
		return a.found(r, before, "the request is repeated "+rounded(gap)+" after a 429")
	}
	return finding{relevant: r.Status == http.StatusTooManyRequests}
}

// retryAfter is how long the service asks to wait, with an allowance for clocks and the
// network; 0 without a Retry-After.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const slack = 100 * time.Millisecond
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds)*time.Second - slack
	}
	if date, err := http.ParseTime(value); err == nil { // whole seconds, by the service's clock
		if sent, err := http.ParseTime(h.Get("Date")); err == nil {
			now = sent
		}
		return max(0, date.Sub(now)-time.Second-slack)
	}
	return 0
}

func (a *answers) checks504(r *request) finding {
	if !r.writes() || r.endpoint == rules.Login || r.endpoint == rules.NoEndpoint {
		return finding{}
	}
	before := a.repeats(r, http.StatusGatewayTimeout)
	if before == nil || r.Start.Sub(before.End) >= checking {
		return finding{relevant: r.Status == http.StatusGatewayTimeout}
	}
	if looked, ok := a.looked.get(r.application()); ok && !looked.Before(before.Start) {
		return kept
	}
	return a.found(r, before, "the write is repeated after a 504 without a look at what became of it")
}

func (a *answers) noRetry4xx(r *request) finding {
	if latest, _ := a.latest.get(r.owner); latest == r.same {
		before, _ := a.last.get(r.same)
		if before != nil && refusal(before.Status) && a.after(before, r.Exchange) && r.Start.Sub(before.End) < repetition {
			return a.found(r, before, "the request is repeated unchanged after a "+strconv.Itoa(before.Status))
		}
	}
	return finding{relevant: refusal(r.Status)}
}

// refusal is a status after which the same request gets the same answer.
func refusal(status int) bool {
	switch status {
	case 401, 403, 404, 405, 406, 409, 415, 422:
		return true
	}
	return false
}

// rounded is a time with as many digits as a reader needs.
func rounded(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
