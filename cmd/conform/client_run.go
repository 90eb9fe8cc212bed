package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver/child"
)

// clientRun runs a client's tests in one surrounding after another.
type clientRun struct {
	command   []string
	timeout   time.Duration // of each
	worlds    string        // the prefix of app tokens that open a world of their own
	catalogue *rules.Catalogue
	identity  *identity
	habits    *clients.Habits
	flags     []string // of the run, to judge again by
	std       streams
	line      *progress
	jobs      int  // how many surroundings are run at the same time
	of        int  // of the surroundings
	keepsActs bool // what the client does in each surrounding
	ended     atomic.Int64
	beside    sync.RWMutex // what is run alone holds it for itself

	clientResults
}

// clientResults are the results of the runs of a client's tests.
type clientResults struct {
	plays     []play
	checks    []result.CheckResult
	requests  map[string]int
	ignored   int
	tolerated map[string][]verdict // by rule
	disturbed []string             // surroundings in which the tests failed beside others, and passed alone
}

func newClientResults() clientResults {
	return clientResults{requests: map[string]int{}, tolerated: map[string][]verdict{}}
}

// add adds what others have shown.
func (r *clientResults) add(o clientResults) {
	r.plays = append(r.plays, o.plays...)
	r.checks = append(r.checks, o.checks...)
	for method, n := range o.requests {
		r.requests[method] += n
	}
	r.ignored += o.ignored
	r.disturbed = append(r.disturbed, o.disturbed...)
	for rule, verdicts := range o.tolerated {
		r.tolerated[rule] = append(r.tolerated[rule], verdicts...)
	}
}

// surroundingRun runs the tests in one surrounding, and as often as its verdict needs.
type surroundingRun struct {
	*clientRun
	clientResults
	alone bool // nothing else is run at the same time
}

func (c *clientRun) in() *surroundingRun {
	return &surroundingRun{clientRun: c, clientResults: newClientResults(), alone: c.jobs == 1}
}

// play is one run of the client's tests, in one surrounding.
type play struct {
	surrounding
	code     int
	took     time.Duration
	requests int
	met      []part
	evidence []result.Exchange // the client's last exchanges, where its tests failed
	breach   *breach           // the first exchange in which a breach showed, nil where none did
	acts     *acts             // what the client did, nil if it was not kept
}

// breach is an exchange in which the server broke the contract.
type breach struct {
	endpoint   string          // method and path, "" for none of the contract's
	sound, got result.Exchange // what a sound server would have answered, and what was answered
}

// said is how the play came out.
func (p play) said() string {
	switch {
	case p.surrounding.breach && p.breach == nil:
		return "not met"
	case p.surrounding.breach && p.red():
		return "noticed"
	case p.surrounding.breach:
		return "UNSEEN"
	case p.red():
		return fmt.Sprintf("RED (exit %d)", p.code)
	}
	return "green"
}

// verdict is the outcome of a play for a rule of tolerance.
type verdict struct {
	part     part
	status   result.Status
	message  string
	evidence []result.Exchange
}

func (p play) red() bool { return p.code != 0 }

// play runs the command in a surrounding and records the results.
func (c *surroundingRun) play(ctx context.Context, s surrounding) (play, error) {
	if c.alone {
		c.beside.Lock()
		defer c.beside.Unlock()
	} else {
		c.beside.RLock()
		defer c.beside.RUnlock()
	}
	if ctx.Err() != nil {
		return play{}, errInterrupted
	}
	f, err := c.startFake(ctx, s)
	if err != nil {
		return play{}, fmt.Errorf("starting the fake for %s: %w", s.name, err)
	}
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	began := time.Now()
	const most = 40
	output := lastLines{most: most, secrets: []string{f.service.AppToken, f.service.ControlToken}}
	writer := io.Writer(&output)
	var stdin io.Reader // of the first run alone
	if s.name == plainSurrounding {
		writer, stdin = io.MultiWriter(&output, c.std.err), os.Stdin
	}
	code, err := child.Command{Args: c.command, Stdin: stdin, Stdout: writer, Stderr: writer}.Run(bounded, f.service)
	stopped := f.stop()
	switch {
	case ctx.Err() != nil: // what its requests broke is known anyway
		c.takeRequests(f, s.name)
		return play{}, errInterrupted
	case err != nil:
		return play{}, fmt.Errorf("running the client's tests: %w", err)
	case stopped != nil:
		return play{}, fmt.Errorf("stopping the fake: %w", stopped)
	}
	p := play{surrounding: s, code: code, took: time.Since(began), requests: f.requests}
	for _, part := range s.parts {
		if f.meets(part) {
			p.met = append(p.met, part)
		}
	}
	p.acts = f.acts
	if f.differs != nil {
		p.breach = f.shown(f.differs)
	}
	if p.red() && !s.breach {
		p.evidence = f.judge.Show(f.last)
		if s.name != plainSurrounding {
			fmt.Fprintf(c.std.err, "--- the end of what the command said in %s\n%s---\n", s.name, output.text())
		}
	}
	c.take(f, p)
	return p, nil
}

func (c *surroundingRun) take(f *fake, p play) {
	c.plays = append(c.plays, p)
	c.takeRequests(f, p.name)
	c.line.say(fmt.Sprintf("%d of %d, %s: %s, %d requests, %s", min(int(c.ended.Load())+1, c.of), c.of, p.name, p.said(), p.requests, p.took.Round(100*time.Millisecond)))
}

// takeRequests records what the requests in a surrounding broke.
func (c *surroundingRun) takeRequests(f *fake, surrounding string) {
	c.checks = append(c.checks, f.judge.Results(surrounding)...)
	judged, ignored := f.judge.Requests()
	for method, n := range judged {
		c.requests[method] += n
	}
	c.ignored += ignored
}
