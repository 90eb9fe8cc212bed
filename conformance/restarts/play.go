package restarts

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Process is the target as a process that stories stop and start.
type Process interface {
	// Start starts the process, which does not run, and waits until it answers.
	Start(context.Context) error
	// End sends the signal Stop or Kill, and waits for the end of the process.
	End(context.Context, Signal) error
	// Pause halts the process, and Resume lets it go on.
	Pause() error
	Resume() error
}

// pauseFor is for how long a pause halts the process.
const pauseFor = 300 * time.Millisecond

// player plays one story.
type player struct {
	target     Target
	process    Process
	numericIDs bool          // the target takes no strings as user_to_id
	ignored    map[view]bool // those that show something else also without a restart
	calm       bool          // the story has no restart
	restarted  bool          // there was one before the story
	early      *user         // who was there long before the story
	lag        time.Duration // that views were seen to have

	run       string // what the names of this play's users have in common
	known     *known
	base      state // what the target held after its latest start
	history   []write
	uncertain *write // the one without an answer, nil for none
	slots     [slots]int
	values    int
	starts    int
	sent      map[string]int // requests, by method
	reads     int            // how often everything was read
	log       []logged
	found     *Finding // at which the play ended, nil for none
	survived  []survival
}

// logged is a line of the timeline: a request, or what was done to the process.
type logged struct {
	write  *write
	inside *Interruption // during the write, nil for none
	signal Signal        // "" for a write
	start  bool
	opened int // the session that the write opened, 0 for none
	text   string
}

func newPlayer(t Target, p Process) *player {
	return &player{target: t, process: p, ignored: map[view]bool{}, run: "r" + strings.ToLower(rand.Text()[:10]), known: newKnown(), base: newState(), sent: map[string]int{}}
}

// refusedError is an operation that the target did not carry out.
type refusedError struct {
	kind   Kind
	answer answer
	starts int // of the target before it
}

func (e refusedError) Error() string {
	return fmt.Sprintf("to %s was answered with %s", e.kind, e.answer)
}

// play plays a story. What it found is in found; an error is why it was broken off.
func (p *player) play(ctx context.Context, s Story) error {
	if err := p.prepare(ctx); err != nil {
		return err
	}
	for _, step := range s.Steps {
		if err := p.step(ctx, step); err != nil || p.found != nil {
			return err
		}
		if step.Interrupt == nil {
			continue
		}
		if err := p.prepare(ctx); err != nil {
			return err
		}
	}
	if p.calm {
		return p.judge(ctx, "")
	}
	return nil
}

// now is what the target holds, as far as it has answered.
func (p *player) now() state {
	s := p.base
	for _, w := range p.history {
		s = s.after(w)
	}
	return s
}

// prepare sees that each slot has a user with a session, who follows the others.
func (p *player) prepare(ctx context.Context) error {
	for slot := range p.slots {
		if p.slots[slot] != 0 {
			continue
		}
		if err := p.write(ctx, p.creation(slot)); err != nil || p.found != nil {
			return err
		}
	}
	for _, u := range p.slots {
		for _, other := range p.slots {
			if u == other || p.now().links[link{u, other}] {
				continue
			}
			if err := p.write(ctx, write{kind: Follow, user: u, other: other}); err != nil || p.found != nil {
				return err
			}
		}
	}
	return nil
}

// step does what a step says.
func (p *player) step(ctx context.Context, s Step) error {
	w, possible := p.plan(s)
	cut := s.Interrupt
	switch {
	case possible && cut != nil && cut.Inside:
		if err := p.writeDuring(ctx, w, *cut); err != nil {
			return err
		}
	case possible:
		if err := p.write(ctx, w); err != nil {
			return err
		}
	}
	if cut == nil {
		return nil
	}
	if !possible || !cut.Inside {
		if err := p.signal(ctx, cut.Signal); err != nil {
			return err
		}
		p.log = append(p.log, logged{signal: cut.Signal})
	}
	if cut.Signal != Pause {
		if err := p.start(ctx); err != nil {
			return err
		}
	}
	return p.judge(ctx, cut.Signal)
}

// signal does to the process what a signal does.
func (p *player) signal(ctx context.Context, s Signal) error {
	if s != Pause {
		err := p.process.End(ctx, s)
		p.target.Client.CloseIdleConnections()
		return err
	}
	if err := p.process.Pause(); err != nil {
		return err
	}
	pause(ctx, pauseFor)
	return p.process.Resume()
}

// start starts the process again.
func (p *player) start(ctx context.Context) error {
	p.starts++
	p.log = append(p.log, logged{start: true})
	if err := p.process.Start(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.found = &Finding{Rule: Serves, Expected: "the same command starts the target again", Actual: err.Error()}
	}
	return nil
}

// cleanUp deletes the users that are left.
func (p *player) cleanUp(ctx context.Context) {
	for _, u := range slices.Sorted(maps.Keys(p.now().users)) {
		if p.known.users[u].token == "" {
			continue
		}
		_ = p.call(ctx, p.requestOf(write{kind: Delete, user: u})) // what cannot be deleted stays
	}
}
