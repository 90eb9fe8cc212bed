package play

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// shaky is a target that loses an event from one feed in `every`.
type shaky struct {
	*fake
	feeds, every int
}

func (s *shaky) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	answer, err := s.fake.Do(ctx, r)
	if list, ok := answer.Body.([]any); ok && r.Endpoint == rules.Feed && len(list) > 0 {
		if s.feeds++; s.feeds%s.every == 0 {
			answer.Body = list[1:]
		}
	}
	return answer, err
}

// TestUnstableDifferencesAreNotStable checks that a difference that does not show each time is no failure, and
// that one that does is confirmed with a short story.
func TestUnstableDifferencesAreNotStable(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and a minute with the race detector: it runs without it")
	}
	story := draw.Purges(3, 100)[0]
	for every, stable := range map[int]bool{1: true, 61: false} {
		target := &shaky{fake: newFake(dialect{}, ""), every: every}
		p := NewPlayer(target, Options{Choices: dialect{}.choices(), Pause: noPause})
		var found []blame.Difference
		for range 8 {
			o, err := p.Play(t.Context(), story)
			if err != nil {
				t.Fatal(err)
			}
			if found = o.Differences; len(found) > 0 {
				break
			}
		}
		if len(found) == 0 {
			t.Fatalf("every %d: no difference", every)
		}
		const times, plays = 3, 80 // as many as a run allows
		f, err := p.Confirm(t.Context(), story, found[0], times, plays)
		if err != nil {
			t.Fatal(err)
		}
		if f.Stable != stable {
			t.Errorf("every %d: stable is %v after %d of %d", every, f.Stable, f.Seen, times)
		}
		if stable && (len(f.Story.Ops) > 8 || len(f.Log) == 0 || len(f.Evidence) == 0) {
			t.Errorf("the story is told as %q, with %d pieces of evidence", f.Log, len(f.Evidence))
		}
	}
}

// TestShrinkingKeepsToItsRoom checks that a difference is shrunk and confirmed within what can
// be sent without a wait if that suffices, and confirmed if it does not.
func TestShrinkingKeepsToItsRoom(t *testing.T) {
	s := draw.Purges(3, 100)[0]
	for room, wantShort := range map[int]bool{1000: true, 0: false} {
		target := &writing{Target: &shaky{fake: newFake(dialect{}, ""), every: 1}}
		p := NewPlayer(target, Options{Choices: dialect{}.choices(), Pause: noPause})
		before := 0
		f := confirmed(t, p, s, func() {
			before = target.writes
			p.options.Room = func() story.Cost {
				left := room - target.writes + before
				return story.Cost{Writes: left, Reads: left, Deletes: left}
			}
		})
		if short := len(f.Story.Ops) < 10; !f.Stable || short != wantShort {
			t.Errorf("room for %d: stable %v, and %d operations", room, f.Stable, len(f.Story.Ops))
		}
		if sent := target.writes - before; wantShort && sent > room {
			t.Errorf("room for %d, and %d writes", room, sent)
		}
	}
}

// TestShrinkingHasItsTimeAfterAWait checks that what a confirmation waits for at first, such as
// the target's next minute, takes nothing of the time in which the story is shortened.
func TestShrinkingHasItsTimeAfterAWait(t *testing.T) {
	for allowed, wantShort := range map[time.Duration]bool{5 * time.Second: true, time.Nanosecond: false} {
		synctest.Test(t, func(t *testing.T) {
			target := &slowAtFirst{Target: &shaky{fake: newFake(dialect{}, ""), every: 1}}
			p := NewPlayer(target, Options{Choices: dialect{}.choices(), Pause: noPause, ShrinkFor: allowed})
			f := confirmed(t, p, draw.Purges(3, 100)[0], func() { target.wait = time.Minute })
			if short := len(f.Story.Ops) < 10; !f.Stable || short != wantShort {
				t.Errorf("%s for shortening: stable %v, and %d operations", allowed, f.Stable, len(f.Story.Ops))
			}
		})
	}
}

// confirmed confirms the first difference that a story shows, after a preparation.
func confirmed(t *testing.T, p *Player, story story.Story, prepare func()) Finding {
	t.Helper()
	o, err := p.Play(t.Context(), story)
	if err != nil || len(o.Differences) == 0 {
		t.Fatalf("%v, %v", o.Differences, err)
	}
	prepare()
	const times, plays = 3, 80 // as many as a run allows
	f, err := p.Confirm(t.Context(), story, o.Differences[0], times, plays)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// slowAtFirst is a target on which the next request waits, and each one takes a while.
type slowAtFirst struct {
	Target
	wait time.Duration
}

func (s *slowAtFirst) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	const each = time.Microsecond
	time.Sleep(s.wait + each)
	s.wait = 0
	return s.Target.Do(ctx, r)
}

// writing counts the requests that write.
type writing struct {
	Target
	writes int
}

func (c *writing) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	if m := r.Endpoint.Method(); m == "POST" || m == "PUT" {
		c.writes++
	}
	return c.Target.Do(ctx, r)
}

// TestWhatNeedsNoRestIsConfirmedWithout finds a difference in a story with rests and confirms
// it without: each rest takes seconds in a real run.
func TestWhatNeedsNoRestIsConfirmedWithout(t *testing.T) {
	d := dialect{}
	var waited time.Duration
	hold := 5 * time.Second
	options := Options{Choices: d.choices(), Hold: hold, Pause: func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}}
	f := newFake(d, "deleted users stay among followers of the followed")
	story := draw.AfterLongWait(1)
	o, err := NewPlayer(f, options).Play(t.Context(), story)
	if err != nil || len(o.Differences) == 0 {
		t.Fatalf("nothing shows: %v", err)
	}
	waited = 0
	finding, err := NewPlayer(f, options).Confirm(t.Context(), story, o.Differences[0], 3, 0)
	if err != nil || !finding.Stable {
		t.Fatalf("%s is not confirmed: %v", o.Differences[0], err)
	}
	if waited >= hold {
		t.Errorf("looking into it waited for %s", waited)
	}
}

// TestEarlierEventsAreBlamedWhereOnlyTheyAreMissing tells feeds that lack what was posted before
// a follow from feeds that lack an event whenever it was posted.
func TestEarlierEventsAreBlamedWhereOnlyTheyAreMissing(t *testing.T) {
	story := story.Story{Name: "a follow after an event", Slots: 2, Ops: []story.Op{{Kind: story.Post, Actor: 1}, {Kind: story.Follow, Actor: 0, Other: 1}}}
	for fault, want := range map[string]string{
		"events of before a follow are not in feeds": "feed.follow.earlier-events",
		"a user's first event is in no feed":         "feed.follow.new-events",
	} {
		p := NewPlayer(newFake(dialect{}, fault), Options{Choices: dialect{}.choices(), Pause: noPause})
		o, err := p.Play(t.Context(), story)
		if err != nil || len(o.Differences) == 0 {
			t.Fatalf("%s: %v, %v", fault, o, err)
		}
		const times, plays = 3, 80 // as many as a run allows
		f, err := p.Confirm(t.Context(), story, o.Differences[0], times, plays)
		if err != nil || !f.Stable || f.Rule != want {
			t.Errorf("%s: %s is blamed, stable %v, %v", fault, f.Rule, f.Stable, err)
		}
		if first := o.Differences[0].Rule; f.Rule != first && f.Seemed != first || f.Rule == first && f.Seemed != "" {
			t.Errorf("%s: %s first, then %s, which seemed %q", fault, first, f.Rule, f.Seemed)
		}
	}
}

// TestAWrongPurgeIsBlamedOnTheDeletion has a purge change feeds that nobody read before it: what is missing or too much
// is blamed on the rules of the purge, and a feed that lacks as much without a deletion is not.
func TestAWrongPurgeIsBlamedOnTheDeletion(t *testing.T) {
	story := story.Story{Name: "a deletion", Slots: 4, Ops: []story.Op{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Follow, Actor: 0, Other: 2}, {Kind: story.Follow, Actor: 0, Other: 3},
		{Kind: story.Post, Actor: 1}, {Kind: story.Post, Actor: 2}, {Kind: story.Post, Actor: 3}, {Kind: story.DeleteUser, Actor: 3}}}
	for fault, want := range map[string]string{
		"a purge takes everyone's events": "feed.purge.keeps-others",
		"a purge stores the events anew":  "feed.purge.followers",
		"a feed shows one user's events":  "feed.merge",
	} {
		p := NewPlayer(newFake(dialect{}, fault), Options{Choices: dialect{}.choices(), Pause: noPause})
		f := confirmed(t, p, story, func() {})
		at := rules.DeleteMe
		if want == "feed.merge" {
			at = rules.Feed
		}
		if !f.Stable || f.Rule != want || f.At != at {
			t.Errorf("%s: %s at %s is blamed, stable %v, after %s", fault, f.Rule, f.At, f.Stable, f.Story)
		}
	}
}

// TestShrinkingSendsInTurnWhatNeedsNoRace shrinks a story that shows its difference in any case, and
// one that needs its concurrent requests.
func TestShrinkingSendsInTurnWhatNeedsNoRace(t *testing.T) {
	s := story.Story{Slots: 2, Ops: []story.Op{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Follow, Actor: 0, Other: 1, AtOnce: true}, {Kind: story.Follow, Actor: 1, Other: 0}}}
	bothFollow := func(s story.Story) bool {
		return slices.ContainsFunc(s.Ops, func(o story.Op) bool { return o.Actor == 0 }) && slices.ContainsFunc(s.Ops, func(o story.Op) bool { return o.Actor == 1 })
	}
	if short := story.Shrink(s, 100, bothFollow); short.Concurrent() || len(short.Ops) != 2 {
		t.Errorf("shrunk to %s", short)
	}
	race := func(s story.Story) bool { return s.Concurrent() && bothFollow(s) }
	if short := story.Shrink(s, 100, race); !short.Concurrent() || len(short.Ops) != 2 {
		t.Errorf("a race is shrunk to %s", short)
	}
	if !s.Ops[1].AtOnce {
		t.Error("the story itself was changed")
	}
}

// TestRoomIsMadeBeforeEachPlay confirms a difference by a story whose repetitions take more than its first play:
// room is asked for before each of them.
func TestRoomIsMadeBeforeEachPlay(t *testing.T) {
	target := &writing{Target: &shaky{fake: newFake(dialect{}, ""), every: 1}}
	p := NewPlayer(target, Options{Choices: dialect{}.choices(), Pause: noPause, Room: func() story.Cost { return story.Cost{} }})
	room := 0
	f := confirmed(t, p, draw.Purges(3, 100)[0], func() {
		target.writes = 0
		p.options.MakeRoom = func(_ context.Context, cost story.Cost) { room += cost.Writes }
	})
	if !f.Stable || target.writes > room {
		t.Errorf("stable is %v; %d writes, and room for %d", f.Stable, target.writes, room)
	}
}
