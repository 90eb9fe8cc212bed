// Package control is the reference server as a local fake: isolated worlds, weather, a
// clock to move, a journal of requests, and a control plane over HTTP with a console for
// people. The contract's own port stays the contract's.
package control

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/socialfeed/conform/internal/redact"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/control/openapi"
	"github.com/socialfeed/conform/refserver/control/weather"
	"github.com/socialfeed/conform/refserver/twin"
)

// Options configures a Fake.
type Options struct {
	// Server has the options that all worlds share: limits, plain HTTP, the logger. Its app
	// tokens belong to the default world.
	Server refserver.Options

	// First are the initial settings of the default world, and of every world that a token opens.
	First Settings

	// WorldPrefix lets any app token that begins with it open a world of its own; blank is none.
	WorldPrefix string

	// Log, if set, gets every entry of the journal.
	Log func(*journal.Entry)

	// Differs, if set, gets every answer that differs from the sound server's: each world then asks a
	// server of the same settings, without their faults, beside its own, and serves one request after the other.
	Differs func(twin.Difference)
}

// defaultWorld is the name of the world that is there from the start.
const defaultWorld = "default"

// The bounds of one fake's worlds. A full one forgets the world that was idle for
// longest, if that is idle for long enough.
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
	secrets    *journal.Secrets // that requests and answers had

	buffers sync.Pool // of *buffers

	mu     sync.Mutex
	worlds map[string]*World
	tokens map[[sha256.Size]byte]*World // of the worlds beside the default one

	opening   singleflight.Group // by name: the first requests of a world wait for one to open it
	forgotten int                // idle worlds that gave way to new ones
}

// New makes a fake with its default world.
func New(options Options) (*Fake, error) {
	first, err := newWorld(defaultWorld, options.Server, options.First, options.Differs)
	if err != nil {
		return nil, err
	}
	operations := openapi.Operations()
	known := redact.New(publicTexts(operations)...)
	for i, token := range options.Server.AppTokens {
		known.Add(token, "app:"+strconv.Itoa(i+1))
	}
	return &Fake{
		Journal: journal.New(), options: options, operations: operations, secrets: journal.NewSecrets(known),
		worlds: map[string]*World{defaultWorld: first}, tokens: make(map[[sha256.Size]byte]*World),
	}, nil
}

// publicTexts are texts that everybody knows: a part of a secret that is also part of one of them gives nothing away.
func publicTexts(operations []openapi.Operation) []string {
	public := []string{"session_token", "password", "user_name", "first_name", "last_name", "created_at", "updated_at", "application/json", "Authorization", "User-Agent", "Content-Type"}
	for _, operation := range operations {
		public = append(public, operation.Path)
	}
	return public
}

// Default is the world that is there from the start.
func (f *Fake) Default() *World {
	w, _ := f.World(defaultWorld)
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
	list := []*World{f.worlds[defaultWorld]}
	for _, name := range slices.Sorted(maps.Keys(f.worlds)) {
		if name != defaultWorld {
			list = append(list, f.worlds[name])
		}
	}
	return list
}

// ServeHTTP serves one request in its world, and records it in the journal.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var tokens journal.Tokens
	var sent bool
	tokens.App, tokens.Session, sent = r.BasicAuth()
	world, err := f.route(tokens.App, sent)
	if err != nil {
		refuseWorld(w, err)
		return
	}
	world.touch()
	seen := f.observe(world, w, r, tokens)
	f.serve(seen)
	seen.release() // not after a panic: it may still be in use
}

// serve lets a request meet the weather and its world.
func (f *Fake) serve(seen *observation) {
	defer seen.finish()
	outcome := seen.world.sky.Next(weather.Request{Method: seen.r.Method, Operation: *seen.operation, User: seen.user}, seen.world.Clock.Now())
	seen.entry.Weather = outcome.Text()
	outcome.Serve(seen, seen.request(), seen.world)
}

// refuseWorld answers a request whose world cannot be opened.
func refuseWorld(w http.ResponseWriter, err error) {
	type reason struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = json.NewEncoder(w).Encode(map[string][]reason{"errors": {{9503, err.Error()}}}) // an error is the reader's, who is gone
}
