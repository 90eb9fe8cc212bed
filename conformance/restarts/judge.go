package restarts

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// The rules that stories with restarts judge.
const (
	Deleted         = "restarts.deleted"
	EndedSessions   = "restarts.ended-sessions"
	IDs             = "restarts.ids"
	WholeUser       = "restarts.whole-user"
	WholeEvent      = "restarts.whole-event"
	WholeConnection = "restarts.whole-connection"
	Order           = "restarts.order"
	Paused          = "restarts.pause"
	Serves          = "restarts.serves"

	// Choices.
	AfterKill = "restarts.after-kill"
	AfterStop = "restarts.after-stop"
	Sessions  = "restarts.sessions"
)

// Rules lists the rules that are broken or kept.
func Rules() []string {
	return []string{Deleted, EndedSessions, IDs, WholeUser, WholeEvent, WholeConnection, Order, Paused, Serves}
}

// Finding is a rule that a story shows to be broken.
type Finding struct {
	Rule             string
	Expected, Actual string
	Timeline         []string
	Story            Story

	wrong     []mismatch // what a script looks at
	recording recording
}

// Kept is what outlived a restart, the least first.
type Kept int

// What may be kept.
const (
	Nothing      Kept = iota + 1
	Earlier           // all but the latest writes
	Acknowledged      // what was answered
	Everything        // also what was not answered yet
)

func (k Kept) String() string {
	return map[Kept]string{
		Nothing: "nothing", Earlier: "all but the latest writes", Acknowledged: "what was acknowledged", Everything: "everything",
	}[k]
}

// survival is what outlived one restart.
type survival struct {
	signal  Signal
	kept    Kept
	early   bool // the user who was there before is there
	session bool // with the session of then
}

// candidate is a state that the target may be in.
type candidate struct {
	state  state
	writes int  // how many of the history it holds
	more   bool // and the write that got no answer
}

// lawful lists the states that a target may be in, the one with the most writes first. After a
// pause all is there that was.
func (p *player) lawful(s Signal) []candidate {
	state := p.base
	all := []candidate{{state: state}}
	for n, w := range p.history {
		state = state.after(w)
		all = append(all, candidate{state: state, writes: n + 1})
	}
	if p.uncertain != nil {
		all = append(all, candidate{state: state.after(*p.uncertain), writes: len(p.history), more: true})
	}
	slices.Reverse(all)
	if s == Pause || s == "" {
		all = slices.DeleteFunc(all, func(c candidate) bool { return c.writes < len(p.history) })
	}
	return all
}

// mismatch is a view that shows something else than a state has.
type mismatch struct {
	fact           fact
	expected, seen string
}

// against is what the views show otherwise than a state has it.
func (p *player) against(s state, o observed) []mismatch {
	var all []mismatch
	for f, expected := range s.facts(p.known) {
		if seen := o.facts[f]; seen != expected && !p.ignored[f.view] {
			all = append(all, mismatch{f, expected, seen})
		}
	}
	slices.SortFunc(all, mismatch.compare)
	return all
}

// judge reads everything after a signal, as often as views may lag, and goes on from the state that
// it finds, or ends the play with what it found.
func (p *player) judge(ctx context.Context, signal Signal) error {
	if p.found != nil {
		return nil
	}
	began := time.Now()
	for {
		o, unread := p.observe(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		over := time.Since(began) > p.target.Settle
		if unread == nil {
			if match, found := p.match(signal, o); found && (over || p.sure(match)) {
				p.goOn(signal, match, o)
				return nil
			}
		}
		if over {
			p.found = p.blame(signal, o, unread)
			return nil
		}
		if unread == nil {
			p.lag = time.Since(began)
		}
		const between = 100 * time.Millisecond
		pause(ctx, between)
	}
}

// match is the lawful state that the views show.
func (p *player) match(signal Signal, o observed) (candidate, bool) {
	for _, c := range p.lawful(signal) {
		if len(p.against(c.state, o)) == 0 {
			return c, true
		}
	}
	return candidate{}, false
}

// sure reports whether a state that matches is the target's, and not one that is left since views lag:
// logging in does not.
func (p *player) sure(c candidate) bool {
	if c.writes < len(p.history) {
		return c.state.empty()
	}
	if c.more || p.uncertain == nil || p.lag == 0 {
		return true
	}
	return slices.Contains([]Kind{Create, Login, Logout, Update, Delete}, p.uncertain.kind)
}

// goOn takes the state as the one from which the target goes on. After a pause it goes on from the
// same as before.
func (p *player) goOn(signal Signal, c candidate, o observed) {
	p.log = append(p.log, logged{text: p.describe(c)})
	if signal != Stop && signal != Kill {
		return
	}
	kept := Acknowledged
	switch {
	case c.state.empty() && !o.early:
		kept = Nothing
		p.known.forget()
	case c.writes < len(p.history):
		kept = Earlier
	case c.more:
		kept = Everything
	}
	if kept != Nothing {
		p.giveID("user", o.readerID, fmt.Sprintf("the reading user %d", p.reads))
	}
	p.survived = append(p.survived, survival{signal, kept, o.early, o.session})
	p.leaveUnseen(c.state)
	p.base, p.history, p.uncertain = c.state, nil, nil
	p.fillSlots()
}

// leaveUnseen takes out of a state the events that were written since the start before and that no one
// who is there has had in the feed: whether they are there shows only later.
func (p *player) leaveUnseen(s state) {
	writes := p.history
	if p.uncertain != nil {
		writes = append(slices.Clone(writes), *p.uncertain)
	}
	before := p.base
	for _, w := range writes {
		after := before.after(w)
		if w.kind == Post || w.kind == Edit || w.kind == Remove {
			e, exists := after.events[w.event]
			if !exists {
				e = before.events[w.event]
			}
			p.known.unseen[w.event] = !slices.ContainsFunc(e.seenBy, func(r int) bool { return s.has(r) })
		}
		before = after
	}
	for n := range s.events {
		if p.known.unseen[n] {
			delete(s.events, n)
		}
	}
}

// fillSlots leaves only users in slots who are there, and gives a slot to those whose deletion was lost.
func (p *player) fillSlots() {
	for slot, u := range p.slots {
		if _, exists := p.base.users[u]; !exists {
			p.slots[slot] = 0
		}
	}
	for _, u := range slices.Sorted(maps.Keys(p.base.users)) {
		if free := slices.Index(p.slots[:], 0); free >= 0 && !slices.Contains(p.slots[:], u) {
			p.slots[free] = u
		}
	}
}

// forget drops all ids: a target that kept nothing may give them again.
func (k *known) forget() {
	clear(k.ids)
	for _, u := range k.users {
		u.id, u.token, u.session = "", "", 0
	}
	for _, e := range k.events {
		e.id = ""
	}
}

// describe says which lawful state the target is in.
func (p *player) describe(c candidate) string {
	text := fmt.Sprintf("the state after write %d of %d", c.writes, len(p.history))
	if p.uncertain == nil {
		return text
	}
	if c.more {
		return text + ", with the one that got no answer"
	}
	return text + ", without the one that got no answer"
}
