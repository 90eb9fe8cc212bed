package conformance

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/onsi/gomega/types"
	"github.com/socialfeed/conform/conformance/internal/wire"
)

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
	t.recallSince, t.recalled = &since, false
	defer func() { t.recallSince = nil }()
	value = valueOf(read)
	return value, t.recalled
}

// recall is the exchange whose answer stands for that of a request, nil where it is to be sent.
func (t *T) recall(req *http.Request) *wire.Exchange {
	if t.recallSince == nil || req.Method != http.MethodGet {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range slices.Backward(t.exchanged) {
		switch {
		case x.Method != http.MethodGet || x.Started().Before(t.wrote) || x.Started().Before(*t.recallSince):
			return nil
		case x.Err == nil && x.Status == http.StatusOK && !x.Cut() && x.URL.String() == req.URL.String() && maps.EqualFunc(x.Header, req.Header, slices.Equal):
			t.recalled = true
			return x
		}
	}
	return nil
}
