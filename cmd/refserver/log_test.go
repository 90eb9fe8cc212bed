package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/redact"
	"github.com/socialfeed/conform/refserver/control/journal"
)

// logged is an entry of the journal whose answer has so many bytes.
func logged(t *testing.T, secrets *journal.Secrets, path string, answer int) *journal.Entry {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	e := &journal.Entry{World: "default", Method: r.Method, Status: http.StatusOK}
	body := journal.Body{Kept: bytes.Repeat([]byte("x"), answer), Size: int64(answer)}
	e.Record(r, journal.Tokens{}, secrets, &journal.Labels{}, journal.Body{}, body)
	return e
}

// gatedWriter takes nothing until it is opened.
type gatedWriter struct {
	open chan struct{}
	bytes.Buffer
}

func (w *gatedWriter) Write(p []byte) (int, error) {
	<-w.open
	return w.Buffer.Write(p)
}

// TestSlowLogsHoldNoRequestUp has a log written to what takes nothing for a while. Entries beyond its bounds
// are dropped, the rest is written in order, and what was dropped is told.
func TestSlowLogsHoldNoRequestUp(t *testing.T) {
	for name, c := range map[string]struct{ answer, most, sent int }{
		"many":  {0, 2*mostWaiting + 1, 2*mostWaiting + 100},
		"large": {journal.MaxBody, 2*mostWaitingBytes/journal.MaxBody + 1, 2000},
	} {
		t.Run(name, func(t *testing.T) {
			out := &gatedWriter{open: make(chan struct{})}
			log := newRequestLog("requests", out)
			secrets := journal.NewSecrets(redact.New())
			for n := range c.sent {
				log.add(logged(t, secrets, fmt.Sprint("/", n), c.answer))
			}
			close(out.open)
			log.close(t.Context())
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			last := lines[len(lines)-1]
			if lines = lines[:len(lines)-1]; len(lines) > c.most || last != fmt.Sprintf("refserver: --log: %d lines were dropped, since what they are written to was slower than the requests", c.sent-len(lines)) {
				t.Errorf("%d lines, and %q", len(lines), last)
			}
			for n, line := range lines[:len(lines)/4] {
				if !strings.Contains(line, fmt.Sprintf(" GET /%d 200 ", n)) {
					t.Fatalf("line %d is %q", n, line)
				}
			}
		})
	}
}

// TestLogsThatTakeNothingEndWithTheServer gives up what cannot be written.
func TestLogsThatTakeNothingEndWithTheServer(t *testing.T) {
	out := &gatedWriter{open: make(chan struct{})}
	log := newRequestLog("json", out)
	log.add(logged(t, journal.NewSecrets(redact.New()), "/", 0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	log.close(ctx)
	close(out.open)
	<-log.ended
}
