package play

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/exchange"
)

// busy is a target that counts how many reads it is sent at once.
type busy struct {
	*fake
	reading, most atomic.Int32
}

func (b *busy) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	if r.Endpoint.Method() == http.MethodGet {
		n := b.reading.Add(1)
		defer b.reading.Add(-1)
		for most := b.most.Load(); n > most && !b.most.CompareAndSwap(most, n); most = b.most.Load() {
		}
		runtime.Gosched()
	}
	return b.fake.Do(ctx, r)
}

// TestReadsAtOnceShowTheSame compares what is found by reads that are sent one after the other
// with what is found by some at once.
func TestReadsAtOnceShowTheSame(t *testing.T) {
	const atOnce = 6
	var most int32
	for _, fault := range []string{"", "the follows end after five", "a third session opens nothing"} {
		for _, d := range []dialect{{}, {single: true, updateEnds: true, logoutAll: true}} {
			s := draw.Combined(7, d.choices(), draw.Sizes()[0])
			for i := range s.Ops {
				s.Ops[i].AtOnce = false // which of two comes first is open
			}
			inTurn := played(t, newFake(d, fault), s, d.choices())
			target := &busy{fake: newFake(d, fault)}
			together, err := NewPlayer(target, Options{Choices: d.choices(), Pause: noPause, ReadsAtOnce: atOnce}).Play(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, target.most.Load())
			same := slices.EqualFunc(inTurn.Differences, together.Differences, func(a, b blame.Difference) bool { return a.String() == b.String() && a.Step == b.Step })
			if !same || !slices.Equal(inTurn.Log, together.Log) {
				t.Errorf("%q, dialect %+v: one after the other %v, at once %v", fault, d, inTurn.Differences, together.Differences)
			}
			if n := together.Requests - inTurn.Requests; n < 0 || n > inTurn.Requests/10 {
				t.Errorf("%q: %d requests at once, %d one after the other", fault, together.Requests, inTurn.Requests)
			}
			for _, difference := range together.Differences {
				if len(difference.Evidence) == 0 {
					t.Errorf("%q: no evidence for %s", fault, difference)
				}
			}
		}
	}
	if most < 2 || most > atOnce {
		t.Errorf("%d reads at once, want up to %d", most, atOnce)
	}
}
