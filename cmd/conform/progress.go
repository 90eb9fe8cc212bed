package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/socialfeed/conform/conformance"
)

// progress tells how far the run is: a live line on a terminal, a plain line now
// and then elsewhere.
type progress struct {
	out   io.Writer
	live  bool
	quiet bool

	mu    sync.Mutex
	shown time.Time
	dirty bool // a live line stands and must be cleared
}

func newProgress(out io.Writer, quiet bool) *progress {
	file, ok := out.(*os.File)
	return &progress{out: out, quiet: quiet, live: ok && term.IsTerminal(int(file.Fd())), shown: time.Now()}
}

const (
	liveEvery  = 60 * time.Millisecond
	plainEvery = 5 * time.Second
)

func (p *progress) tell(now conformance.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	every := plainEvery
	if p.live {
		every = liveEvery
	}
	if p.quiet || time.Since(p.shown) < every {
		return
	}
	p.shown = time.Now()
	text := fmt.Sprintf("%d of %d scenarios", now.Done, now.Of)
	if now.Failed > 0 {
		text += fmt.Sprintf(", %d checks failed", now.Failed)
	}
	if now.WaitingToHold {
		text += ", watching that what is gone stays gone"
	} else {
		text += ": " + now.Scenario
	}
	if p.live {
		fmt.Fprintf(p.out, "\r\x1b[K%.*s", liveWidth, text)
		p.dirty = true
		return
	}
	fmt.Fprintln(p.out, text)
}

// liveWidth keeps the live line on one line of a narrow terminal.
const liveWidth = 78

// say tells something once.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet {
		return
	}
	p.clear()
	fmt.Fprintln(p.out, text)
}

// done takes the live line away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.dirty {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.dirty = false
	}
}
