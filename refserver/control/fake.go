// Package control is the reference server as a local fake: isolated worlds,
// weather, a clock to move, a journal of what was asked, and a control plane over
// HTTP with a console for people. The contract's own port stays the contract's.
package control

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/control/openapi"
)

// Options configures a Fake.
type Options struct {
	// Server is what all worlds share: limits, plain HTTP, the logger. Its app
	// tokens are the default world's.
	Server refserver.Options

	// First is what the default world, and every world that a token opens, begins with.
	First Settings

	// WorldPrefix lets any app token that begins with it open a world of its own; blank is none.
	WorldPrefix string

	// Log, if set, gets every entry of the journal.
	Log func(*journal.Entry)
}

// DefaultWorld is the name of the world that is there from the start.
const DefaultWorld = "default"

// The bounds of one fake's worlds. A full one forgets the world that was idle for
// longest, where that is idle for long enough.
const (
	MaxWorlds = 500
	idleWorld = 10 * time.Minute
)

// Fake serves the contract for any number of worlds. It is an http.Handler for
// the contract's port; NewPlane makes the handler for the control port.
type Fake struct {
	Journal *journal.Journal

	options    Options
	operations []openapi.Operation

	mu     sync.Mutex
	worlds map[string]*World
	tokens map[[sha256.Size]byte]*World // of the worlds beside the default one

	opening   singleflight.Group // by name: the first requests of a world wait for one to open it
	forgotten int                // idle worlds that gave way to new ones
}

// New makes a fake with its default world.
func New(options Options) (*Fake, error) {
	operations, err := openapi.Operations()
	if err != nil {
		return nil, err
	}
	f := &Fake{
		Journal: journal.New(), options: options, operations: operations,
		worlds: make(map[string]*World), tokens: make(map[[sha256.Size]byte]*World),
	}
	if err := options.First.Validate(); err != nil {
		return nil, err
	}
	if f.worlds[DefaultWorld], err = newWorld(DefaultWorld, options.Server, options.First); err != nil {
		return nil, err
	}
	return f, nil
}

// Default is the world that is there from the start.
func (f *Fake) Default() *World {
	w, _ := f.World(DefaultWorld)
	return w
}

// World finds a world by its name.
func (f *Fake) World(name string) (*World, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w, ok := f.worlds[name]
	return w, ok
}

// Worlds lists the worlds by name, the default one first.
func (f *Fake) Worlds() []*World {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := []*World{f.worlds[DefaultWorld]}
	for _, name := range slices.Sorted(maps.Keys(f.worlds)) {
		if name != DefaultWorld {
			list = append(list, f.worlds[name])
		}
	}
	return list
}

// Errors of worlds.
var (
	ErrWorldExists   = errors.New("there is a world of this name already")
	ErrTooManyWorlds = fmt.Errorf("there are %d worlds already; delete some", MaxWorlds)
	ErrWorldName     = errors.New("a world's name has 1 to 64 letters, digits, dots, dashes and underlines")
	ErrNoWorld       = errors.New("there is no world of this name")
)

var worldName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Open makes a world and returns the app token that leads to it. A blank name is
// made up.
func (f *Fake) Open(name string, settings Settings) (*World, string, error) {
	if name == "" {
		name = "world-" + strings.ToLower(refserver.NewAppToken()[:10])
	}
	if !worldName.MatchString(name) {
		return nil, "", ErrWorldName
	}
	if err := settings.Validate(); err != nil {
		return nil, "", err
	}
	token := f.options.WorldPrefix + name
	if f.options.WorldPrefix == "" {
		token = refserver.NewAppToken()
	}
	w, err := f.open(name, token, settings)
	return w, token, err
}

func (f *Fake) open(name, token string, settings Settings) (*World, error) {
	options := f.options.Server
	options.AppTokens = []string{token}
	w, err := newWorld(name, options, settings)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.worlds[name] != nil {
		return nil, ErrWorldExists
	}
	if len(f.worlds) >= MaxWorlds && !f.forgetIdle(time.Now()) {
		return nil, ErrTooManyWorlds
	}
	f.worlds[name], f.tokens[sha256.Sum256([]byte(token))] = w, w
	return w, nil
}

// forgetIdle makes room for one world, where another is idle, and reports whether it did.
func (f *Fake) forgetIdle(now time.Time) bool {
	oldest, since := "", now.Add(-idleWorld)
	for name, w := range f.worlds {
		if used := w.used(); name != DefaultWorld && used.Before(since) {
			oldest, since = name, used
		}
	}
	if oldest == "" {
		return false
	}
	f.forget(f.worlds[oldest])
	f.forgotten++
	return true
}

func (f *Fake) forget(w *World) {
	delete(f.worlds, w.Name)
	maps.DeleteFunc(f.tokens, func(_ [sha256.Size]byte, other *World) bool { return other == w })
}

// Forgotten counts the idle worlds that gave way to new ones.
func (f *Fake) Forgotten() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.forgotten
}

// Close forgets a world. Its token leads nowhere, or with the prefix to a new world.
func (f *Fake) Close(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.worlds[name]
	if w == nil || name == DefaultWorld {
		return ErrNoWorld
	}
	f.forget(w)
	return nil
}

// route finds the world that a request's app token leads to, and opens it where
// the token has the prefix.
func (f *Fake) route(r *http.Request) (*World, error) {
	token, _, ok := r.BasicAuth()
	if !ok {
		return f.Default(), nil
	}
	hash := sha256.Sum256([]byte(token))
	f.mu.Lock()
	w := f.tokens[hash]
	f.mu.Unlock()
	if w != nil {
		return w, nil
	}
	name, hasPrefix := strings.CutPrefix(token, f.options.WorldPrefix)
	if f.options.WorldPrefix == "" || !hasPrefix || !worldName.MatchString(name) || slices.Contains(f.options.Server.AppTokens, token) {
		return f.Default(), nil
	}
	return f.ensure(name)
}

// ensure finds the world of a name, and opens it where a token could, too.
func (f *Fake) ensure(name string) (*World, error) {
	if w, there := f.World(name); there {
		return w, nil
	}
	if f.options.WorldPrefix == "" || !worldName.MatchString(name) {
		return nil, ErrNoWorld
	}
	opened, err, _ := f.opening.Do(name, func() (any, error) {
		if w, there := f.World(name); there { // another request of the same test was quicker
			return w, nil
		}
		return f.open(name, f.options.WorldPrefix+name, f.options.First)
	})
	if err != nil {
		return nil, err
	}
	return opened.(*World), nil
}

// ServeHTTP serves one request in its world, and books it in the journal.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	world, err := f.route(r)
	if err != nil {
		refuseWorld(w, err)
		return
	}
	world.touch()
	seen := f.observe(world, w, r)
	defer seen.finish()
	request, user := seen.request(), ""
	if session := seen.tokens[1]; session != "" {
		_, user = world.labels.Find(session)
	}
	outcome := world.sky.Next(weatherRequest(r, seen.operation, user), world.Clock.Now())
	seen.entry.Weather = outcome.Text()
	outcome.Serve(seen, request, world)
}

// refuseWorld answers where a world cannot be opened.
func refuseWorld(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintf(w, `{"errors":[{"code":9503,"message":%q}]}`+"\n", err.Error())
}
