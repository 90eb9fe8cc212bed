package play

import (
	"context"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// recorder hashes the requests to a target, in their order. Each takes a time of its own, below the pause
// between concurrent requests: in a synctest bubble all of them arrive in the same order each time.
type recorder struct {
	Target
	mu   sync.Mutex
	sum  hash.Hash64
	sent int
}

func newRecorder(t Target) *recorder { return &recorder{Target: t, sum: fnv.New64a()} }

func (r *recorder) Do(ctx context.Context, request exchange.Request) (exchange.Response, error) {
	const longest = 1 << 16 // nanoseconds
	line, err := json.Marshal(request)
	if err != nil {
		return exchange.Response{}, err
	}
	one := fnv.New32a()
	one.Write(line)
	time.Sleep(1 + time.Duration(one.Sum32()%longest))
	r.mu.Lock()
	r.sent++
	r.sum.Write(append(line, '\n'))
	r.mu.Unlock()
	return r.Target.Do(ctx, request)
}

// String returns how many requests were sent, and their hash.
func (r *recorder) String() string { return fmt.Sprintf("%d requests %016x", r.sent, r.sum.Sum64()) }

// asleep waits in the time of the bubble.
func asleep(_ context.Context, d time.Duration) error {
	time.Sleep(max(d, 1))
	return nil
}

// goldenTraces are what the stories of some seeds send, and what they are estimated to. A change here is a change
// of what stories do: a refactoring makes none.
func goldenTraces() map[string]string {
	return map[string]string{
		"plain stories of seed 0":                     "13831 requests 0bf06cec7cb762ba, estimated {Writes:3194 Reads:12724 Deletes:1700}",
		"deep stories of seed 0":                      "21558 requests a120437df7a9cea2, estimated {Writes:4881 Reads:19628 Deletes:2177}",
		"two applications' stories of seed 0":         "816 requests 0f9d1087ac48dd7d, estimated {Writes:177 Reads:866 Deletes:52}",
		"plain stories of seed 1":                     "13442 requests dc6fe447cffb6e08, estimated {Writes:3172 Reads:12668 Deletes:1682}",
		"deep stories of seed 1":                      "22196 requests fab73be748b5fe45, estimated {Writes:4891 Reads:19613 Deletes:2172}",
		"two applications' stories of seed 1":         "852 requests e1bcb8530efe677c, estimated {Writes:172 Reads:860 Deletes:56}",
		"plain stories of seed 2":                     "12540 requests 29a831608ea0a9f1, estimated {Writes:3156 Reads:12666 Deletes:1712}",
		"deep stories of seed 2":                      "21322 requests 5b7efb29e85b7d13, estimated {Writes:4893 Reads:19592 Deletes:2183}",
		"two applications' stories of seed 2":         "782 requests e40a0d3f26d509be, estimated {Writes:177 Reads:851 Deletes:54}",
		"the second change is not in feeds":           "2754 requests ae86596391c0d102; feed.update-visible of 6 operations; feed.update-visible of 17 operations",
		"deleted users log in":                        "1581 requests 44b1bb973dece7cf; sessions.deleted-user of 1 operations; sessions.deleted-user of 1 operations; sessions.deleted-user of 1 operations",
		"the former name finds a renamed user":        "2537 requests 1dc84762ef24642f; search.non-match-excluded of 3 operations; search.non-match-excluded of 8 operations",
		"the followed can end a follow":               "3828 requests e8f3d5c632671d80; connections.delete.removes of 4 operations; connections.delete.only-own of 4 operations; feed.unfollow of 4 operations; connections.delete.only-own of 4 operations; feed.unfollow of 4 operations; connections.delete.only-own of 3 operations; connections.delete.removes of 3 operations",
		"logout keeps the session when there are two": "4628 requests d9da6bf8d35453ea; sessions.logout.destroys of 3 operations; sessions.logout.destroys of 16 operations",
		"a purge misses who followed again":           "4361 requests fcc3dde2ce68f1a2; feed.purge.followers of 5 operations; feed.purge.followers of 5 operations; feed.purge.followers of 5 operations",
		"probes":                                      "453 requests 0a2f2db7375d9134",
	}
}

// golden is a group of stories whose trace is kept.
type golden struct {
	name    string
	dialect dialect
	choices leeway.Choices
	stories []story.Story
}

// goldenStories are the stories of some seeds, for targets with choices that are known and that are not.
func goldenStories() []golden {
	var all []golden
	for seed := range uint64(3) {
		d := randomDialect(rand.New(rand.NewPCG(seed, 1)))
		choices := d.choices()
		switch seed {
		case 0:
			d, choices = dialect{}, dialect{}.choices()
		case 2:
			choices = leeway.Choices{Defaults: choices.Defaults, Hidden: choices.Hidden} // nothing else is known
		}
		plain := draw.Plain(seed, choices)[len(draw.Sizes())-1:] // of the combined ones the smallest
		plain = append(plain, draw.Combined(seed, choices, draw.Sizes()[seed]))
		if seed == 1 {
			for i := range plain {
				plain[i] = body.SentValues{}.Refresh(plain[i])
			}
		}
		name := func(kind string) string { return fmt.Sprintf("%s stories of seed %d", kind, seed) }
		all = append(all, golden{name("plain"), d, choices, plain}, golden{name("deep"), d, choices, draw.Deep(seed)},
			golden{name("two applications'"), d, choices, draw.Applications(seed)})
	}
	return all
}

// TestStoriesSendTheSameRequests plays stories, and compares what they send with what they sent before: a share
// of them, with TRACES=all each.
func TestStoriesSendTheSameRequests(t *testing.T) {
	for i, g := range goldenStories() {
		const share = 4
		if i%share != 0 && os.Getenv("TRACES") != "all" {
			continue
		}
		r, estimated := newRecorder(nil), story.Cost{}
		synctest.Test(t, func(t *testing.T) {
			for _, s := range g.stories {
				estimated = estimated.Plus(s.Cost())
				r.Target = newFakePair(g.dialect, g.dialect, "")
				if _, err := NewPlayer(r, Options{Choices: g.choices, SecondChoices: g.choices, Pause: asleep}).Play(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
		})
		checkTrace(t, g.name, fmt.Sprintf("%s, estimated %+v", r, estimated))
	}
}

// TestFindingsSendTheSameRequests plays stories on faulty targets, confirms and shrinks what they show, and
// compares what that sends with what it sent before.
func TestFindingsSendTheSameRequests(t *testing.T) {
	for i, fault := range []string{"the second change is not in feeds", "deleted users log in", "the former name finds a renamed user",
		"the followed can end a follow", "logout keeps the session when there are two", "a purge misses who followed again"} {
		const share = 3
		if i%share != 0 && os.Getenv("TRACES") != "all" {
			continue
		}
		target, found := newFakePair(dialect{}, dialect{}, ""), ""
		target.apps[0].fault = fault
		r := newRecorder(target)
		synctest.Test(t, func(t *testing.T) {
			const times, plays = 2, 60
			p := NewPlayer(r, Options{Choices: dialect{}.choices(), Pause: asleep})
			for _, s := range []story.Story{draw.Combined(7, p.options.Choices, draw.Sizes()[0]), draw.Purges(7, 100)[0], draw.Random(7, 60, 4)} {
				o, err := p.Play(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range o.Differences {
					f, err := p.Confirm(t.Context(), s, d, times, plays)
					if err != nil {
						t.Fatal(err)
					}
					found += fmt.Sprintf("; %s of %d operations", f.Rule, len(f.Story.Ops))
				}
			}
		})
		checkTrace(t, fault, r.String()+found)
	}
}

// TestProbesSendTheSameRequests finds out what targets do where the contract is silent.
func TestProbesSendTheSameRequests(t *testing.T) {
	r := newRecorder(nil)
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(12) {
			r.Target = newFake(randomDialect(rand.New(rand.NewPCG(seed, 1))), "")
			if _, _, err := NewPlayer(r, Options{Pause: asleep}).ProbeChoices(t.Context(), leeway.Choices{}); err != nil {
				t.Fatal(err)
			}
		}
	})
	checkTrace(t, "probes", r.String())
}

func checkTrace(t *testing.T, name, got string) {
	t.Helper()
	if want := goldenTraces()[name]; got != want {
		t.Errorf("%s:\n%q: %q,\nwas %q", name, name, got, want)
	}
}
