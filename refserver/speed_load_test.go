package refserver_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// reportRate reports the rate, and that on two cores which the load has to itself.
func reportRate(b *testing.B, l *testkit.Load) {
	b.ReportMetric(l.PerSecond(), "req/s")
	b.ReportMetric(2*l.PerCPUSecond(), "req/s-on-2-cores")
}

// takeTurns lets two loads send in turns, and reports the ratio.
func takeTurns(b *testing.B, one, other *testkit.Load) {
	const turn = 2000
	ratio := testkit.TakeTurns(max(1, b.N/turn), turn, one, other)
	b.ReportMetric(ratio.ByClock, "of-other")
	b.ReportMetric(ratio.ByCPU, "of-other-by-CPU")
}

func rawRequest(method, path, session, body string) []byte {
	request, _ := http.NewRequest(method, "http://127.0.0.1"+path, nil)
	request.SetBasicAuth(appToken, session)
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: speed/1\r\nAccept: application/json\r\nAuthorization: %s\r\n", method, path, request.Header.Get("Authorization"))
	if body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(head + "\r\n" + body)
}
