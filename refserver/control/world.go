package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/control/seed"
	"github.com/socialfeed/conform/refserver/control/weather"
	"github.com/socialfeed/conform/refserver/store"
	"github.com/socialfeed/conform/refserver/twin"
)

// World is one isolated state of the fake: its own users, clock, weather and dialect.
type World struct {
	Name  string
	Clock *Clock

	options  refserver.Options // the same under all settings
	appNames []string          // of the applications, as they are shown
	first    Settings          // restored by a reset
	sky      weather.Sky
	labels   journal.Labels
	touched  atomic.Int64 // when the last request came, in Unix nanoseconds of the machine's clock

	// gate is held in part by each request, and whole by a change of the world.
	gate     *semaphore.Weighted
	server   atomic.Pointer[refserver.Server]
	settings Settings
	keeper   refserver.Keeper // nil: the data ends with the world

	differs func(twin.Difference) // nil: no sound server is asked beside
	choices refserver.Choices     // of the server, and so of the sound one
	pair    *twin.Pair            // nil without differs
	clock   *twin.Clock           // likewise
}

const (
	gateWidth = 1 << 30
	// gateWait bounds how long a change waits for the requests under way.
	gateWait = 10 * time.Second
)

// errBusy reports that requests were under way for too long for a change.
var errBusy = errors.New("requests are still being served; try again")

func newWorld(name string, options refserver.Options, settings Settings, differs func(twin.Difference)) (*World, error) {
	w := &World{
		Name: name, Clock: &Clock{}, options: options, first: settings.clone(), gate: semaphore.NewWeighted(gateWidth), differs: differs,
	}
	for i := range options.AppTokens {
		w.appNames = append(w.appNames, "app:"+strconv.Itoa(i+1))
	}
	w.options.Clock = w.Clock.Now
	if differs != nil {
		w.clock = twin.NewClock(w.Clock.Now)
		w.options.Clock = w.clock.Now
	}
	w.touch()
	return w, w.begin()
}

func (w *World) touch() { w.touched.Store(time.Now().UnixNano()) }

func (w *World) used() time.Time { return time.Unix(0, w.touched.Load()) }

// begin makes the world as its first settings have it.
func (w *World) begin() error {
	if err := checkMoment(w.first.Clock); err != nil {
		return err
	}
	w.Clock.set(w.first.Clock)
	built, err := w.build(w.first)
	if err != nil {
		return err
	}
	if strings.TrimSpace(w.first.Seed) != "" {
		data, err := seed.Parse(w.first.Seed)
		if err != nil {
			return err
		}
		state, err := data.State(w.Clock.Now(), w.options.PasswordCost)
		if err != nil {
			return err
		}
		if err := built.server.Restore(state); err != nil {
			return fmt.Errorf("seeding: %w", err)
		}
	}
	if err := w.sky.Set(w.first.Weather, w.Clock.Now()); err != nil {
		return err
	}
	w.labels.Clear()
	return w.install(built)
}

// install puts a server in the place of the one before, and has it kept where the world is.
func (w *World) install(b built) error {
	if w.keeper != nil {
		b.server.KeepIn(w.keeper, true)
	}
	w.settings, w.choices = b.settings, b.choices
	w.server.Store(b.server)
	return w.pairUp()
}

// pairUp puts a sound server beside the world's own, which holds the same. It has the choices that some faults come
// with: they are lawful ones, under which the fault shows.
func (w *World) pairUp() error {
	if w.differs == nil {
		return nil
	}
	served, options := w.server.Load(), w.options
	options.Choices = w.choices
	sound, err := refserver.New(options)
	if err != nil {
		return err
	}
	if err := sound.Restore(served.State()); err != nil {
		return fmt.Errorf("filling the sound server beside: %w", err)
	}
	w.pair = twin.New(served, sound, w.clock, w.differs)
	return nil
}

// Keep makes a keeper save the world's data from now on. A state that is not nil comes from the
// keeper and replaces the world's data.
func (w *World) Keep(ctx context.Context, keeper refserver.Keeper, state *store.State) error {
	return w.alone(ctx, func() error {
		server := w.server.Load()
		if state != nil {
			if err := server.Restore(*state); err != nil {
				return err
			}
		}
		w.keeper = keeper
		server.KeepIn(keeper, state == nil)
		return nil
	})
}

// built is a server with what it was made of.
type built struct {
	server   *refserver.Server
	settings Settings
	choices  refserver.Choices
}

func (w *World) build(settings Settings) (built, error) {
	options := w.options
	if err := settings.apply(&options); err != nil {
		return built{}, err
	}
	server, err := refserver.New(options)
	return built{server, settings.clone(), options.Choices}, err
}

// alone runs a change while no request is served, and waits until it is kept.
func (w *World) alone(ctx context.Context, change func() error) error {
	waiting, cancel := context.WithTimeout(ctx, gateWait)
	defer cancel()
	if err := w.gate.Acquire(waiting, gateWidth); err != nil {
		return errBusy
	}
	defer w.gate.Release(gateWidth)
	if err := change(); err != nil || w.keeper == nil {
		return err
	}
	return w.keeper.Flush(ctx)
}

// beside runs a read concurrently with requests.
func (w *World) beside(ctx context.Context, read func(*refserver.Server)) error {
	if err := w.gate.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("waiting for a change of the world: %w", err)
	}
	defer w.gate.Release(1)
	read(w.server.Load())
	return nil
}

// ServeHTTP serves a request by the contract, without weather or journal.
func (w *World) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	// An error means that the client is gone.
	_ = w.beside(r.Context(), func(server *refserver.Server) {
		if w.pair != nil {
			w.pair.ServeHTTP(rw, r)
			return
		}
		server.ServeHTTP(rw, r)
	})
}

// Reset restores the world's initial users, clock, weather and settings.
func (w *World) Reset(ctx context.Context) error {
	return w.alone(ctx, w.begin)
}

// Change sets dialect, choices and faults; users, sessions and events stay. If
// the new settings are impossible, nothing changes.
func (w *World) Change(ctx context.Context, change func(*Settings)) error {
	return w.alone(ctx, func() error {
		settings := w.settings.clone()
		change(&settings)
		built, err := w.build(settings)
		if err != nil {
			return err
		}
		if err := built.server.Restore(w.server.Load().State()); err != nil {
			return fmt.Errorf("the world's data does not fit the new settings: %w", err)
		}
		return w.install(built)
	})
}

// Settings are the current settings, weather included.
func (w *World) Settings(ctx context.Context) (Settings, error) {
	var settings Settings
	err := w.beside(ctx, func(*refserver.Server) {
		settings = w.settings.clone()
		settings.Weather = w.sky.Texts()
		settings.Clock = time.Time{}
		if w.Clock.Frozen() {
			settings.Clock = w.Clock.Now()
		}
	})
	return settings, err
}

// Weather replaces the rules of the weather; none is a clear sky.
func (w *World) Weather(rules ...string) error {
	return w.sky.Set(rules, w.Clock.Now())
}

// Seed replaces the world's data.
func (w *World) Seed(ctx context.Context, data seed.Data) error {
	state, err := data.State(w.Clock.Now(), w.options.PasswordCost)
	if err != nil {
		return err
	}
	return w.Restore(ctx, state)
}

// State is the world's data.
func (w *World) State(ctx context.Context) (store.State, error) {
	_, state, err := w.contents(ctx)
	return state, err
}

// Restore replaces the world's data.
func (w *World) Restore(ctx context.Context, state store.State) error {
	return w.alone(ctx, func() error {
		if err := w.server.Load().Restore(state); err != nil {
			return err
		}
		return w.pairUp()
	})
}

// fileFormat names the form of an exported world.
const fileFormat = "refserver.world/v1"

// file is a world in a file. It holds hashes of passwords and of session tokens,
// never the texts themselves.
type file struct {
	Format string      `json:"format"`
	State  store.State `json:"state"`
}

// Export writes the world as one file.
func (w *World) Export(ctx context.Context, to io.Writer) error {
	state, err := w.State(ctx)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(to).Encode(file{fileFormat, state}); err != nil {
		return fmt.Errorf("exporting the world: %w", err)
	}
	return nil
}

// Import replaces the world's data by an exported file, or changes nothing.
func (w *World) Import(ctx context.Context, from io.Reader) error {
	var read file
	decoder := json.NewDecoder(from)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("importing a world: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("importing a world: something follows after its end")
	}
	if read.Format != fileFormat {
		return fmt.Errorf("importing a world: the file's format is %q, not %q", read.Format, fileFormat)
	}
	return w.Restore(ctx, read.State)
}
