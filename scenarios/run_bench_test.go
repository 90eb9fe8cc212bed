package scenarios_test

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// BenchmarkRun judges the reference server in this process, near and 50 ms away.
// The wait before deletions are re-checked is left out of it as far as it can be.
func BenchmarkRun(b *testing.B) {
	for name, delay := range map[string]time.Duration{"near": 0, "50ms away": 50 * time.Millisecond} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				judgeOnce(b, delay)
			}
		})
	}
}

func judgeOnce(b *testing.B, delay time.Duration) {
	b.Helper()
	server, err := refserver.New(refserver.Options{AppTokens: []string{"first", "second"}, RateLimit: -1})
	if err != nil {
		b.Fatal(err)
	}
	ts := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(delay)
		server.ServeHTTP(w, r)
	}))
	ts.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer ts.Close()
	report, err := conformance.Run(b.Context(), conformance.Config{
		Target: conformance.Target{BaseURL: ts.URL, AppToken: "first", SecondAppToken: "second",
			CACert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw})},
		Rate: 1_000_000, Hold: time.Millisecond,
	}, scenarios.Register)
	if err != nil {
		b.Fatal(err)
	}
	requests := 0
	for _, n := range report.Summary.Requests {
		requests += n
	}
	b.ReportMetric(float64(requests), "requests/op")
}
