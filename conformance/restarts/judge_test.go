package restarts

import (
	"fmt"
	"slices"
	"testing"
)

// views are what a target shows that is in a state.
func views(s state, k *known) observed {
	o := observed{facts: map[fact]string{}}
	for f, value := range s.facts(k) {
		o.facts[f] = value
	}
	return o
}

// three is a player with three users who follow each other, and what is written then.
func three(t *testing.T, writes ...write) *player {
	t.Helper()
	p := newPlayer(Target{}, nil)
	for u := 1; u <= 3; u++ {
		p.known.users[u] = &user{name: fmt.Sprint("u", u)}
		p.known.open(u, fmt.Sprint("token", u))
		p.base = p.base.after(write{kind: Create, user: u, value: "v0"})
	}
	for u := 1; u <= 3; u++ {
		for other := 1; other <= 3; other++ {
			if u != other {
				p.base = p.base.after(write{kind: Follow, user: u, other: other})
			}
		}
	}
	for _, w := range writes {
		if w.kind == Post {
			p.known.events[w.event] = &posted{owner: w.user, marker: fmt.Sprint("e", w.event)}
		}
		p.history = append(p.history, w)
	}
	return p
}

// some are writes of several kinds.
func some() []write {
	return []write{
		{kind: Post, user: 1, event: 1, value: "v1"}, {kind: Update, user: 2, value: "v2"}, {kind: Unfollow, user: 2, other: 3},
		{kind: Post, user: 2, event: 2, value: "v3"}, {kind: Edit, user: 1, event: 1, value: "v4"}, {kind: Logout, user: 3, session: 3},
		{kind: Remove, user: 2, event: 2}, {kind: Delete, user: 3}, {kind: Post, user: 1, event: 3, value: "v5"},
	}
}

// TestEveryPrefixIsLawful takes each state that the writes went through, with and without the write that
// got no answer.
func TestEveryPrefixIsLawful(t *testing.T) {
	t.Parallel()
	writes := some()
	for n := range len(writes) + 1 {
		p := three(t, writes...)
		s := p.base
		for _, w := range writes[:n] {
			s = s.after(w)
		}
		if c, found := p.match(Kill, views(s, p.known)); !found || c.writes != n && len(p.against(s, views(c.state, p.known))) > 0 {
			t.Errorf("after %d writes: %+v", n, c)
		}
	}
	p := three(t, writes...)
	p.uncertain = &write{kind: Delete, user: 2}
	if c, found := p.match(Kill, views(p.now().after(*p.uncertain), p.known)); !found || !c.more {
		t.Errorf("with the write that got no answer: %+v", c)
	}
}

// TestWritesLostInTheMiddleAreBlamed leaves out one write and keeps those that came after it.
func TestWritesLostInTheMiddleAreBlamed(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: Order, 1: Order, 4: Order, 5: EndedSessions, 6: Deleted, 7: Deleted} {
		writes := some()
		if n == 5 || n == 7 { // what the user's deletion hides
			writes[7] = write{kind: Post, user: 1, event: 4, value: "v9"}
			if n == 7 {
				writes[7] = write{kind: Delete, user: 3}
			}
		}
		p := three(t, writes...)
		s := p.base
		for i, w := range writes {
			if i != n {
				s = s.after(w)
			}
		}
		o := views(s, p.known)
		if n == 5 {
			o.facts[fact{sessionServes, 3, 0}] = there
		}
		if c, found := p.match(Kill, o); found {
			t.Errorf("without write %d it is lawful as the state after %d", n+1, c.writes)
			continue
		}
		if f := p.blame(Kill, o, nil); f.Rule != want {
			t.Errorf("without write %d %s is blamed, want %s: %s", n+1, f.Rule, want, f.Actual)
		}
	}
}

// TestHalvesAreBlamed hides or shows a thing in one of its views.
func TestHalvesAreBlamed(t *testing.T) {
	t.Parallel()
	for want, half := range map[string]fact{
		WholeUser: {canLogIn, 1, 0}, WholeConnection: {inFollows, 1, 2}, WholeEvent: {inFeed, 1, 2},
	} {
		p := three(t, write{kind: Post, user: 1, event: 1, value: "v1"}, write{kind: Update, user: 3, value: "v2"})
		o := views(p.now(), p.known)
		o.facts[half] = ""
		if f := p.blame(Kill, o, nil); f.Rule != want {
			t.Errorf("%s is blamed, want %s: %s", f.Rule, want, f.Actual)
		}
	}
}

// TestEventsThatNoFeedShowsAreNotJudged posts an event that nobody reads: that it outlived a restart, or
// not, is no loss of what was written before.
func TestEventsThatNoFeedShowsAreNotJudged(t *testing.T) {
	t.Parallel()
	p := three(t, write{kind: Unfollow, user: 2, other: 1}, write{kind: Unfollow, user: 3, other: 1}, write{kind: Post, user: 1, event: 1, value: "v1"})
	c, found := p.match(Kill, views(p.now(), p.known))
	if !found {
		t.Fatal("no state matches")
	}
	p.goOn(Kill, c, observed{early: true})
	o := views(p.now(), p.known)
	o.facts[fact{inFeed, 1, 2}] = "v1" // who follows again sees it
	if _, found := p.match(Kill, o); !found || len(p.base.events) > 0 {
		t.Error("an event is judged that no feed had")
	}
}

// TestDrawnStoriesCoverEachKindAndSignal counts what a round of stories does.
func TestDrawnStoriesCoverEachKindAndSignal(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	n := 0
	draw(1, func(s Story) bool {
		for i, step := range s.Steps {
			if c := step.Interrupt; c != nil && c.Inside {
				seen[fmt.Sprint(step.Do, c.Signal, " inside")] = true
			} else if c != nil && i > 0 {
				seen[fmt.Sprint(s.Steps[i-1].Do, c.Signal)] = true
			}
		}
		n++
		return n < len(common())+len(further())
	})
	for _, kind := range kinds() {
		for _, what := range []string{fmt.Sprint(kind, Kill, " inside"), fmt.Sprint(kind, Stop, " inside"), fmt.Sprint(kind, Pause, " inside"), fmt.Sprint(kind, Kill), fmt.Sprint(kind, Stop)} {
			if !seen[what] {
				t.Errorf("no story has %s", what)
			}
		}
	}
}

// TestSmallerStoriesLackOneThing holds what the shrinker tries.
func TestSmallerStoriesLackOneThing(t *testing.T) {
	t.Parallel()
	s := Story{[]Step{{Do: Post}, {Do: Edit, Interrupt: &Interruption{Signal: Kill, Inside: true}}}}
	all := slices.Collect(s.smaller)
	if len(all) != 4 || len(all[0].Steps) != 1 || all[2].Steps[1].Interrupt != nil || all[3].Steps[1].Interrupt.Inside || !s.Steps[1].Interrupt.Inside {
		t.Errorf("%+v", all)
	}
}

// TestWhoKeepsNothingMayGiveIDsAgain deletes all users before a kill: that the target kept nothing is told by
// the user who was there before the story.
func TestWhoKeepsNothingMayGiveIDsAgain(t *testing.T) {
	t.Parallel()
	for _, early := range []bool{false, true} {
		p := three(t, write{kind: Delete, user: 1}, write{kind: Delete, user: 2}, write{kind: Delete, user: 3})
		p.giveID("user", "1", userName(1))
		p.starts++
		c, found := p.match(Kill, views(p.now(), p.known))
		if !found {
			t.Fatal("no state matches")
		}
		p.goOn(Kill, c, observed{early: early})
		p.giveID("user", "1", userName(4))
		if blamed := p.found != nil; blamed != early {
			t.Errorf("where the user of before is there: %v, blamed is: %v", early, blamed)
		}
	}
}
