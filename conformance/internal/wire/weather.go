package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/result"
)

// weather counts what a lawful service, or the network before it, did to the run.
type weather struct {
	mu        sync.Mutex
	counts    result.Weather
	waiting   int           // requests that wait now
	since     time.Time     // when the first of them began to
	waited    time.Duration // in which at least one request waited
	announced time.Time     // the end of the latest wait that was reported
}

// Weather is what there was of it up to now.
func (w *Wire) Weather() result.Weather {
	w.weather.mu.Lock()
	defer w.weather.mu.Unlock()
	counts := w.weather.counts
	counts.WaitedMS = w.weather.waited.Milliseconds()
	return counts
}

// count counts an answer that was not the service's last word.
func (w *weather) count(x *Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case x.Status == http.StatusTooManyRequests:
		w.counts.Throttled++
	case x.fromIntermediary():
		w.counts.Intermediary++
	default:
		w.counts.Unavailable++
	}
}

func (w *weather) countRepeat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts.Repeated++
}

// wordyWait is the shortest wait that is reported to OnWait.
const wordyWait = 500 * time.Millisecond

// begin begins a wait and reports whether to announce it: a wait that holds back many requests is
// announced once.
func (w *weather) begin(d time.Duration) (announce bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.waiting++; w.waiting == 1 {
		w.since = now
	}
	if d < wordyWait || now.Before(w.announced) {
		return false
	}
	w.announced = now.Add(d)
	return true
}

func (w *weather) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting--; w.waiting == 0 {
		w.waited += time.Since(w.since)
	}
}

// intermediaryError reports an answer that was not the service's.
type intermediaryError struct {
	status    int
	mediaType string
}

func (e intermediaryError) Error() string {
	return fmt.Sprintf("an intermediary answered in the target's place: %d (%s)", e.status, cmp.Or(e.mediaType, "no content type"))
}

// fromIntermediary reports whether an answer is a gateway's, who could not get one
// from the service: it has a status of gateways, and is no JSON, in which the service
// itself says everything.
func (x *Exchange) fromIntermediary() bool {
	switch x.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return false
	}
	mediaType, _, _ := mime.ParseMediaType(x.RespHeader.Get("Content-Type"))
	if mediaType == "application/json" || len(bytes.TrimSpace(x.RespBody)) == 0 {
		return false
	}
	_, err := jsonvalue.Decode(x.RespBody)
	return err != nil
}

// retryAfter reads how long a response asks to wait: seconds or an HTTP date,
// the fallback where it does not say.
func retryAfter(h http.Header, now time.Time, fallback time.Duration) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<30 {
		return max(time.Duration(seconds)*time.Second, initialBackoff)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), initialBackoff)
	}
	return fallback
}
