package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/socialfeed/conform/internal/testkit"
)

// turnsVariable says how many turns of requests each measurement takes; the ordinary run takes few.
const turnsVariable = "REFSERVER_SPEED_TURNS"

// TestDefaultServerKeepsUpWithBareHTTP measures the server as the command starts it, its journal, its log
// and its limits included, in turns with net/http that sends the same bytes encoded beforehand. The
// limits are of the processors' time within the run and of allocations, never of the clock. A ratio below its limit
// is measured again, since other work on the machine disturbs the caches of one side more than the other's.
func TestDefaultServerKeepsUpWithBareHTTP(t *testing.T) {
	turns := testkit.Number(t, turnsVariable, 5)
	const turn, attempts = 1000, 3
	server := startForSpeed(t)
	var table strings.Builder
	columns := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "request\treq/CPU-s\tbare\tof bare\tof bare, without the client\tallocs\tbare\tbytes\tbare")
	for _, a := range allAsked() {
		request := a.raw(server.Session)
		served := testkit.NewLoad(t, testkit.Meter(server.Bare), server.Served, request, a.Status)
		bare := testkit.NewLoad(t, testkit.Meter(server.Bare), server.Bare, request, a.Status)
		ratio := testkit.TakeTurns(turns, turn, served, bare)
		for attempt := 1; attempt < attempts && ratio.ByCPU < a.LeastOfBare; attempt++ {
			ratio = testkit.TakeTurns(turns, turn, served, bare)
		}
		fmt.Fprintf(columns, "%s\t%.0f\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\n", a.Name, served.PerCPUSecond(), bare.PerCPUSecond(),
			ratio.ByCPU, ratio.ByServer, served.Allocs(), bare.Allocs(), served.Bytes(), bare.Bytes())
		if ratio.ByCPU < a.LeastOfBare {
			t.Errorf("%s: %.2f of bare net/http by the processors' time, at least %.2f is wanted", a.Name, ratio.ByCPU, a.LeastOfBare)
		}
	}
	columns.Flush()
	t.Logf("\n%s", table.String())
}

// TestDefaultServerAllocatesLittle counts what a request takes of the heap within the handler of a server
// as the command starts it, its log included.
func TestDefaultServerAllocatesLittle(t *testing.T) {
	const runs = 500
	var set settings
	p := program{io.Discard, io.Discard, t.Context()}
	if err := p.commandWith(&set).ParseFlags([]string{"--http", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--rate-limit", "1000000000", "--app-token", speedToken}); err != nil {
		t.Fatal(err)
	}
	s, err := p.start(t.Context(), &set)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		s.log.close(t.Context())
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}()
	client := speedClient{base: "http://127.0.0.1", send: func(r *http.Request) (*http.Response, error) {
		r.Header.Set("User-Agent", "speed/1")
		r.RequestURI = r.URL.RequestURI()
		answer := httptest.NewRecorder()
		s.fake.ServeHTTP(answer, r)
		return answer.Result(), nil
	}}
	session, err := client.fill()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range allAsked() {
		request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(a.raw(session))))
		if err != nil {
			t.Fatal(err)
		}
		body, answer := strings.NewReader(""), &answerDropped{header: http.Header{}}
		request.Body = io.NopCloser(body)
		serve := func() {
			body.Reset(a.Body)
			clear(answer.header)
			s.fake.ServeHTTP(answer, request)
		}
		allocs, bytes := medianOfHeap(runs, serve)
		t.Logf("%s: %d allocations, %d bytes", a.Name, allocs, bytes)
		if answer.status != a.Status || allocs > a.MostAllocs || bytes > a.MostBytes {
			t.Errorf("%s: status %d, %d allocations and %d bytes, %d and %d are allowed", a.Name, answer.status, allocs, bytes, a.MostAllocs, a.MostBytes)
		}
	}
}

// medianOfHeap returns how many allocations and bytes f takes of the heap: the medians over many runs,
// since a pool that the collector emptied, or that the race detector does without, makes some runs dear.
func medianOfHeap(runs int, f func()) (allocs, bytes uint64) {
	manyAllocs, manyBytes := make([]uint64, runs), make([]uint64, runs)
	var before, after runtime.MemStats
	for i := range runs {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		manyAllocs[i], manyBytes[i] = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	}
	slices.Sort(manyAllocs)
	slices.Sort(manyBytes)
	return manyAllocs[runs/2], manyBytes[runs/2]
}

// answerDropped takes an answer and keeps its status alone.
type answerDropped struct {
	header http.Header
	status int
}

func (w *answerDropped) Header() http.Header         { return w.header }
func (w *answerDropped) Write(p []byte) (int, error) { return len(p), nil }
func (w *answerDropped) WriteHeader(status int)      { w.status = status }
