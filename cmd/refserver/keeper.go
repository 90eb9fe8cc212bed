package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/datafile"
	"github.com/socialfeed/conform/refserver/store"
)

// keeper keeps the default world in a file across restarts. A nil keeper does nothing.
type keeper struct {
	file  *datafile.File
	found bool // the file held a world, which replaces any seed
}

// openKeeper opens the file that --data names, and gives the world what it holds. A blank path
// gives nil.
func (set *settings) openKeeper(ctx context.Context, world *control.World, stderr io.Writer) (*keeper, error) {
	if set.data == "" {
		return nil, nil
	}
	file, state, err := datafile.Open(set.data, datafile.Options{Sync: set.dataSync, Report: func(err error) {
		if err == nil {
			fmt.Fprintln(stderr, "refserver: --data: writing goes on")
			return
		}
		fmt.Fprintf(stderr, "refserver: --data: %v; writes are refused with 503 until it can be written\n", err)
	}})
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w", failed.Path, failed.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	var kept refserver.Keeper = file
	if set.dataFault != "" {
		fault, err := datafile.FindFault(set.dataFault)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--data-fault: %w", err), file.Close())
		}
		fault.Found(state)
		set.found, kept = state, file.With(fault)
	}
	if err := world.Keep(ctx, kept, state); err != nil {
		file.Close() // the first error counts
		return nil, fmt.Errorf("--data %s: %w", set.data, err)
	}
	return &keeper{file, state != nil}, nil
}

// close keeps what was written last.
func (k *keeper) close() error {
	if k == nil {
		return nil
	}
	if err := k.file.Close(); err != nil {
		return fmt.Errorf("--data: what was written last is lost: %w", err)
	}
	return nil
}

// wrapByDataFault has the fault of --data-fault serve what was found at the start. A name that is not a fault is
// refused where the file is opened.
func (set *settings) wrapByDataFault(options *refserver.Options) {
	fault, err := datafile.FindFault(set.dataFault)
	if err != nil {
		return
	}
	options.WrapHandler = func(next http.Handler) http.Handler {
		handler := sync.OnceValue(func() http.Handler {
			state := set.found
			if state == nil {
				state = &store.State{}
			}
			return fault.Serve(state, next)
		})
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) })
	}
}
