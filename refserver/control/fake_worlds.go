package control

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
)

var (
	errWorldExists   = errors.New("there is a world of this name already")
	errTooManyWorlds = fmt.Errorf("there are %d worlds already; delete some", MaxWorlds)
	errWorldName     = errors.New("a world's name has 1 to 64 letters, digits, dots, dashes and underlines")
	errNoWorld       = errors.New("there is no world of this name")
)

var worldName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Open makes a world and returns the app token that leads to it. A blank name is
// made up.
func (f *Fake) Open(name string, settings Settings) (*World, string, error) {
	if name == "" {
		name = "world-" + strings.ToLower(refserver.NewAppToken()[:10])
	}
	if !worldName.MatchString(name) {
		return nil, "", errWorldName
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
	w, err := newWorld(name, options, settings, f.options.Differs)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.worlds[name] != nil {
		return nil, errWorldExists
	}
	if len(f.worlds) >= MaxWorlds && !f.forgetIdle(time.Now()) {
		return nil, errTooManyWorlds
	}
	f.worlds[name], f.tokens[sha256.Sum256([]byte(token))] = w, w
	return w, nil
}

// forgetIdle makes room for one world, where another is idle, and reports whether it did.
func (f *Fake) forgetIdle(now time.Time) bool {
	oldest, since := "", now.Add(-idleWorld)
	for name, w := range f.worlds {
		if used := w.used(); name != defaultWorld && used.Before(since) {
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
	if w == nil || name == defaultWorld {
		return errNoWorld
	}
	f.forget(w)
	return nil
}

// route finds the world that a request's app token leads to, and opens it where
// the token has the prefix. A request may have sent none.
func (f *Fake) route(token string, sent bool) (*World, error) {
	if !sent {
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
		return nil, errNoWorld
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
