package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/socialfeed/conform/refserver/control"
)

// keepEvery is how often a changed world is written to its file. A crash loses no more than
// that.
const keepEvery = 2 * time.Second

// keeper keeps the default world in a file across restarts. A nil keeper does nothing.
type keeper struct {
	path  string
	world *control.World
	kept  uint64 // the world's number of writes when it was last written to the file
	found bool   // the file existed, and replaces any seed
}

// openKeeper reads the world from its file, or makes the file. A blank path gives nil.
func openKeeper(ctx context.Context, path string, world *control.World) (*keeper, error) {
	if path == "" {
		return nil, nil
	}
	k := &keeper{path: path, world: world}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, k.keep(ctx) // fails now, rather than at the end, if the file cannot be written
	}
	if err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	defer file.Close()
	if err := world.Import(ctx, file); err != nil {
		return nil, fmt.Errorf("--data %s: %w", path, err)
	}
	k.kept, k.found = world.Writes(), true
	return k, nil
}

func (k *keeper) keep(ctx context.Context) error {
	writes := k.world.Writes()
	var state bytes.Buffer
	if err := k.world.Export(ctx, &state); err != nil {
		return fmt.Errorf("--data: %w", err)
	}
	if err := replaceFile(k.path, state.Bytes(), 0o600); err != nil {
		return fmt.Errorf("--data: %w", err)
	}
	k.kept = writes
	return nil
}

// run writes the world to the file while it changes, and once more when the returned function
// is called.
func (k *keeper) run(stderr io.Writer) func() error {
	if k == nil {
		return func() error { return nil }
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(keepEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if k.world.Writes() == k.kept {
				continue
			}
			if err := k.keep(ctx); err != nil {
				fmt.Fprintf(stderr, "refserver: %v\n", err)
			}
		}
	}()
	return func() error {
		cancel()
		<-done
		return k.keep(context.Background())
	}
}
