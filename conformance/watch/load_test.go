package watch

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/internal/testkit"
)

// sums add up the hashes of bodies, in whatever order they come.
type sums struct{ sent, received atomic.Uint64 }

func sumOf(data []byte) uint64 {
	sum := sha256.Sum256(data)
	return uint64(sum[0])<<32 | uint64(sum[1])<<24 | uint64(sum[2])<<16 | uint64(sum[3])<<8 | uint64(sum[4])
}

// TestManyExchanges sends exchanges through a plain reverse proxy and through one
// that watches: bodies are the same on both sides, and memory stays what it is.
// WATCH_EXCHANGES says how many; the ratio of the rates is told, that of the median
// round, and held from 100,000 on.
func TestManyExchanges(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("WATCH_EXCHANGES"))
	if err != nil {
		n = 1000
	}
	var up, down sums
	observer := NewObserver(Catalogue(), clients.Options{HTTP: true})
	observer.Remember(Memory{AllTraffic: true})
	queue := NewQueue(func(x *clients.Exchange) { observer.See(x) })
	watching, plain := proxies(t, eventService(&up, &down), queue.Put)

	send(t, plain, n/10, &up, &down) // warmed up
	send(t, watching, n/10, &up, &down)
	before := heap()
	var slow, fast, slowCPU, fastCPU time.Duration
	const rounds = 20 // by turns, so that what else runs on the machine slows both
	ratios := make([]float64, rounds)
	for i := range ratios {
		began := testkit.CPUTime()
		watched := send(t, watching, n/rounds, &up, &down)
		between := testkit.CPUTime()
		direct := send(t, plain, n/rounds, &up, &down)
		slowCPU, fastCPU = slowCPU+between-began, fastCPU+testkit.CPUTime()-between
		slow, fast, ratios[i] = slow+watched, fast+direct, direct.Seconds()/watched.Seconds()
	}
	queue.Close()
	after := heap()
	if judged, _ := observer.client.Requests(); judged["POST"] != n/10+n/rounds*rounds {
		t.Errorf("judged were %v", judged)
	}
	if up.sent.Load() != up.received.Load() || down.sent.Load() != down.received.Load() {
		t.Error("a body was altered")
	}
	slices.Sort(ratios)
	ratio := ratios[rounds/2]
	t.Logf("%d exchanges: %.0f/s watched, %.0f/s plain, median ratio %.2f (by processor time %.2f); heap %.1f MiB before, %.1f MiB after",
		n, float64(n)/slow.Seconds(), float64(n)/fast.Seconds(), ratio, fastCPU.Seconds()/max(slowCPU.Seconds(), 1e-9), before, after)
	if n >= 100_000 && ratio < 0.7 {
		t.Errorf("the ratio is %.2f", ratio)
	}
	if after > before+32 {
		t.Errorf("memory grew from %.1f to %.1f MiB", before, after)
	}
}

// eventService answers that an event was created, and adds up what it receives and sends.
func eventService(up, down *sums) http.Handler {
	var ids atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		up.received.Add(sumOf(body))
		w.Header().Set("Content-Type", "application/json")
		answer := fmt.Appendf(nil, `{"id":%d,"user_id":%d,"verb":"liked","enabled":true,"created_at":"2026-01-02T12:00:00Z","updated_at":"2026-01-02T12:00:00Z"}`, ids.Add(1), len(body))
		down.sent.Add(sumOf(answer))
		_, _ = w.Write(answer)
	})
}

// proxies puts two proxies before a service, one that watches and a plain one, and returns
// their addresses.
func proxies(t *testing.T, service http.Handler, see func(*clients.Exchange)) (watching, plain string) {
	t.Helper()
	where, transport := upstream(t, service)
	arrivals := NewArrivals(false)
	recording := httptest.NewUnstartedServer(NewRecorder(Proxy(where, transport), arrivals, see))
	recording.Listener = arrivals.Listener(recording.Listener)
	recording.Start()
	t.Cleanup(recording.Close)
	direct := httptest.NewServer(&httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(where) }})
	t.Cleanup(direct.Close)
	return recording.URL, direct.URL
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// send sends so many requests and tells how long they took.
func send(t *testing.T, base string, n int, up, down *sums) time.Duration {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var next atomic.Int64
	var workers sync.WaitGroup
	began := time.Now()
	for range 8 {
		workers.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				body := fmt.Appendf(nil, `{"verb":"liked","metadata":{"n":"%d"}}`, i)
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/0.2/user/events", bytes.NewReader(body))
				r.SetBasicAuth("app-token-0123456789", fmt.Sprintf("session-%09d", i%1000))
				r.Header.Set("User-Agent", "feedreader/1.0")
				r.Header.Set("Accept", "application/json")
				r.Header.Set("Content-Type", "application/json")
				up.sent.Add(sumOf(body))
				response, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				answer, _ := io.ReadAll(response.Body)
				response.Body.Close()
				down.received.Add(sumOf(answer))
			}
		})
	}
	workers.Wait()
	return time.Since(began)
}
