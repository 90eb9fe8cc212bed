// Package faults breaks the reference server on purpose: each fault is the
// smallest deviation that breaks one rule of the contract. They prove that the
// judge blames what is broken, and show client developers what a broken service
// looks like. They stand around the server, not in it: in front of its handler,
// or between its handlers and its store.
package faults

import (
	"fmt"
	"net"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

// Fault is a named way to make the reference server break one rule.
type Fault struct {
	Name    string
	Rule    string        // the id of the rule that it breaks
	Summary string        // what the server then does, in one sentence
	Also    []Unavoidable // what else it breaks of necessity
	// Apply changes the options of a server that is to have the fault.
	Apply func(*refserver.Options)
	// Listen, if set, changes how the server listens below TLS, for what the
	// options cannot do. The handler is the whole server.
	Listen func(net.Listener, http.Handler) net.Listener
}

// Unavoidable is a further rule that a fault cannot help breaking.
type Unavoidable struct {
	Rule   string
	Reason string
}

// All lists the faults, in the order of the contract's parts.
func All() []Fault {
	return slices.Concat(transport(), auth(), sessions(), users(), search(), connections(),
		social(), events(), feed(), versions(), errorResponses(), limits())
}

// Find finds a fault by its name.
func Find(name string) (Fault, error) {
	all := All()
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, fmt.Errorf("there is no fault %q", name)
	}
	return all[i], nil
}

// front puts a handler in front of the server.
func front(wrap func(http.Handler) http.Handler) func(*refserver.Options) {
	return func(o *refserver.Options) {
		inner := o.WrapHandler
		o.WrapHandler = func(next http.Handler) http.Handler {
			if inner != nil {
				next = inner(next)
			}
			return wrap(next)
		}
	}
}

// behind puts a wrapper between the handlers and the store.
func behind(wrap func(refserver.Store) refserver.Store) func(*refserver.Options) {
	return func(o *refserver.Options) { o.WrapStore = wrap }
}

// both applies several changes.
func both(changes ...func(*refserver.Options)) func(*refserver.Options) {
	return func(o *refserver.Options) {
		for _, change := range changes {
			change(o)
		}
	}
}
