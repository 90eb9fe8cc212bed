package control

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/seed"
)

// TestClockStopsBeforeYear10000: times have four digits for the year, and the clock never goes back.
func TestClockStopsBeforeYear10000(t *testing.T) {
	t.Parallel()
	var running, standing Clock
	standing.set(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	for _, clock := range []*Clock{&running, &standing} {
		before, refused := clock.Now(), 0
		for range 40 {
			if err := clock.Advance(math.MaxInt64); err != nil {
				refused++
			}
			now := clock.Now()
			if now.Before(before) || now.Year() > 9999 {
				t.Fatalf("from %s to %s", before, now)
			}
			before = now
		}
		if refused == 0 || before.Year() < 9700 {
			t.Errorf("%d advances were refused, and it is %s", refused, before)
		}
		if err := clock.Freeze(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
			t.Error("it stands in the year 10000")
		}
	}
	if err := (Settings{Clock: latest().Add(time.Second)}).Validate(); err == nil {
		t.Error("a world begins later than a clock goes")
	}
}

func newBounded(t *testing.T, options refserver.Options) *World {
	t.Helper()
	options.AppTokens = []string{"app"}
	fake, err := New(Options{Server: options})
	if err != nil {
		t.Fatal(err)
	}
	return fake.Default()
}

func TestMemoryBoundHoldsForSeedsAndImports(t *testing.T) {
	t.Parallel()
	world := newBounded(t, refserver.Options{MaxMemory: 1 << 10})
	data, err := seed.Parse("demo:users=3,events=3")
	if err != nil {
		t.Fatal(err)
	}
	if err := world.Seed(t.Context(), data); !errors.Is(err, refserver.ErrNoMemory) {
		t.Errorf("seeding: %v", err)
	}
	if err := world.Import(t.Context(), strings.NewReader(`{"format":"refserver.world/v1","state":{}}`)); !errors.Is(err, refserver.ErrNoMemory) {
		t.Errorf("importing: %v", err)
	}
}

func TestImportsAreWholeOrRefused(t *testing.T) {
	t.Parallel()
	world := newBounded(t, refserver.Options{})
	const user = `"Users":[{"App":1,"ID":1,"UserName":"ann"}],"LastUser":1`
	for text, says := range map[string]string{
		`{"format":"refserver.world/v1","state":{` + user + `}}`:                                                           "",
		`{"format":"refserver.world/v1","state":{` + user + `,"Connections":[{"App":1,"From":1,"To":1,"Type":"follow"}]}}`: "Connections[0]: user 1 is connected to itself",
		`{"format":"refserver.world/v1","state":{` + user + `,"Peoples":[]}}`:                                              "Peoples",
		`{"format":"refserver.world/v1","state":{` + user + `}} {}`:                                                        "after its end",
		`{"format":"refserver.world/v1","state":{"LastUser":18446744073709551615}}`:                                        "LastUser",
	} {
		err := world.Import(context.Background(), strings.NewReader(text))
		if (says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}
