package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/datafile"
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
	if err := world.Keep(ctx, file, state); err != nil {
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
