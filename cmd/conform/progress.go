package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	pretty "github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/clean"
	"golang.org/x/term"
)

// progress shows how far the run is: a live line on a terminal, otherwise a plain line from
// time to time.
type progress struct {
	out   io.Writer
	live  bool
	quiet bool
	file  *os.File // the terminal, if it is one

	mu    sync.Mutex
	shown time.Time
	dirty bool // a live line is shown and must be cleared
}

func newProgress(out io.Writer, quiet bool) *progress {
	file, ok := out.(*os.File)
	live := ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb"
	return &progress{out: out, quiet: quiet, live: live, file: file, shown: time.Now()}
}

const (
	liveEvery  = 60 * time.Millisecond
	plainEvery = 5 * time.Second
)

func (p *progress) tell(now conformance.Progress) {
	if now.Notice != "" {
		p.say(now.Notice)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	every := plainEvery
	if p.live {
		every = liveEvery
	}
	if p.quiet || now.Waiting == "" && time.Since(p.shown) < every {
		return
	}
	p.shown = time.Now()
	line := fmt.Sprintf("%d of %d scenarios", now.Done, now.Of)
	if now.Stories > 0 {
		line = fmt.Sprintf("%s left, %d stories, %d states and values covered", now.Left.Round(time.Second), now.Stories, now.Covered)
	}
	if now.Failed > 0 {
		line += fmt.Sprintf(", failed checks: %d", now.Failed)
	}
	if now.Waiting != "" {
		line += ", waiting: " + now.Waiting
	} else if now.WaitingToHold {
		line += ", re-checking deletions"
	} else {
		line += "; last: " + now.Scenario
	}
	if p.live {
		p.show(line)
		return
	}
	fmt.Fprintln(p.out, clean.Log(line))
}

// show puts the live line in the place of the one before.
func (p *progress) show(line string) {
	fmt.Fprint(p.out, "\r\x1b[K"+pretty.Snip(clean.Log(line), p.width(), "…"))
	p.dirty = true
}

// width is the number of columns for the live line: one less than the terminal has, since a
// full line makes some terminals begin another.
func (p *progress) width() int {
	const fallback = 79
	if columns, _, err := term.GetSize(int(p.file.Fd())); err == nil && columns > 1 {
		return columns - 1
	}
	return fallback
}

// wait says what is waited for: on a terminal until something else is shown, or done is called.
func (p *progress) wait(text string) {
	if !p.live {
		p.say(text)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quiet {
		p.show(text)
	}
}

// say prints a message once.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet {
		return
	}
	p.clear()
	fmt.Fprintln(p.out, clean.Log(text))
}

// done clears the live line.
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
