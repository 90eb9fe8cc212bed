package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver/control/journal"
)

const (
	// logDelay is how long a line of the log waits for others to be written with it.
	logDelay = 50 * time.Millisecond
	// mostWaiting and mostWaitingBytes bound the entries that wait to be written. A part of so many is
	// written at once.
	mostWaiting      = 8192
	mostWaitingBytes = journal.MaxBytes
	partWaiting      = 4
	// logPatience bounds how long the end of the server waits for the log.
	logPatience = 2 * time.Second
)

// requestLog writes a line for each request, many at once and beside the requests. If what it writes to
// is slower than the requests, it drops lines and counts them. A nil log writes nothing.
type requestLog struct {
	out    io.Writer
	append func([]byte, *journal.Entry) []byte

	mu      sync.Mutex
	waiting []*journal.Entry
	size    int // of these
	dropped int
	started bool
	closed  bool

	wake  chan struct{} // something waits
	full  chan struct{} // much waits
	ended chan struct{}
}

// newRequestLog makes a log of a form; nil for off. It begins with the first entry, and close ends it.
func newRequestLog(form string, out io.Writer) *requestLog {
	appendLine := map[string]func([]byte, *journal.Entry) []byte{"requests": appendText, "json": appendJSON}[form]
	if appendLine == nil {
		return nil
	}
	return &requestLog{out: out, append: appendLine, wake: make(chan struct{}, 1), full: make(chan struct{}, 1), ended: make(chan struct{})}
}

func appendText(b []byte, e *journal.Entry) []byte { return append(e.AppendLine(b), '\n') }

func appendJSON(b []byte, e *journal.Entry) []byte {
	line, err := json.Marshal(e.View())
	if err != nil {
		line = []byte(`{"error":"an entry could not be encoded"}`)
	}
	return append(append(b, line...), '\n')
}

// add has an entry written soon. It never waits.
func (l *requestLog) add(e *journal.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.waiting) >= mostWaiting || l.size >= mostWaitingBytes {
		l.dropped++
		return
	}
	if !l.started {
		l.started = true
		go l.run()
	}
	l.waiting, l.size = append(l.waiting, e), l.size+e.Size()
	if len(l.waiting) == 1 {
		notify(l.wake)
	}
	if len(l.waiting) >= mostWaiting/partWaiting || l.size >= mostWaitingBytes/partWaiting {
		notify(l.full)
	}
}

// notify makes sure that a channel of one place has something in it.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run writes until the log is closed.
func (l *requestLog) run() {
	defer close(l.ended)
	var entries []*journal.Entry
	var lines []byte
	timer := time.NewTimer(logDelay)
	defer timer.Stop()
	for closed := false; !closed; {
		<-l.wake
		timer.Reset(logDelay)
		select {
		case <-timer.C:
		case <-l.full:
		}
		entries, closed = l.take(entries)
		lines = l.write(entries, lines)
		clear(entries) // the journal bounds what is kept of them
	}
}

// take returns what waits, and gives its memory for what comes.
func (l *requestLog) take(empty []*journal.Entry) (entries []*journal.Entry, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries, l.waiting, l.size = l.waiting, empty[:0], 0
	return entries, l.closed
}

// write writes a line for each entry, by large parts. It returns the memory that it was given.
func (l *requestLog) write(entries []*journal.Entry, lines []byte) []byte {
	const part = 64 << 10
	lines = lines[:0]
	for i, e := range entries {
		if lines = l.append(lines, e); len(lines) < part && i < len(entries)-1 {
			continue
		}
		_, _ = l.out.Write(lines) // there is nobody left to tell
		lines = lines[:0]
	}
	return lines
}

// close writes what waits, and says how many lines were dropped. It does not wait longer than the context.
func (l *requestLog) close(ctx context.Context) {
	if l == nil {
		return
	}
	l.mu.Lock()
	started, dropped := l.started, l.dropped
	l.closed = true
	notify(l.wake)
	notify(l.full)
	l.mu.Unlock()
	if !started {
		return
	}
	select {
	case <-l.ended:
	case <-ctx.Done():
		return // what it writes to takes nothing
	}
	if dropped > 0 {
		fmt.Fprintf(l.out, "refserver: --log: %d lines were dropped, since what they are written to was slower than the requests\n", dropped)
	}
}
