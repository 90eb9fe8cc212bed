package conformance

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/onsi/gomega/types"
	"github.com/socialfeed/conform/conformance/internal/wire"
)

// recollection lets the answers that a scenario got since some time stand for those of requests.
type recollection struct {
	since time.Time
	used  bool // one did
}

// readOnce reads a value for a condition. An answer that the scenario got to the same request
// since the given time, and since it last wrote, stands for the request's own where the
// condition holds for it. The requests that this saves are left for stories.
func (t *T) readOnce(since time.Time, read any, condition types.GomegaMatcher) any {
	evidence := t.evidence()
	before := len(*evidence)
	value, recalled := t.recalling(since, read)
	if !recalled || mismatchOf(condition, value) == (Mismatch{}) {
		return value
	}
	*evidence = (*evidence)[:before]
	return valueOf(read)
}

// recalling reads a value, and reports whether an answer was recalled for it. However the
// reading ends, what is sent after it is sent.
func (t *T) recalling(since time.Time, read any) (value any, recalled bool) {
	earlier := &recollection{since: since}
	t.recalled = earlier
	defer func() { t.recalled = nil }()
	value = valueOf(read)
	return value, earlier.used
}

// recall is the exchange whose answer stands for that of a request, nil where it is to be sent.
func (t *T) recall(earlier *recollection, req *http.Request) *wire.Exchange {
	if earlier == nil || req.Method != http.MethodGet {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range slices.Backward(t.exchanged) {
		switch {
		case x.Method != http.MethodGet || x.Started().Before(t.wrote) || x.Started().Before(earlier.since):
			return nil
		case x.Err == nil && x.Status == http.StatusOK && !x.Cut() && !x.Partial() && x.URL.String() == req.URL.String() && maps.EqualFunc(x.Header, req.Header, slices.Equal):
			earlier.used = true
			return x
		}
	}
	return nil
}
