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

// keepEvery is how often a world that changed is written to its file: what a
// crash of the machine may lose.
const keepEvery = 2 * time.Second

// keeper keeps the default world in a file over restarts. A nil one keeps nothing.
type keeper struct {
	path  string
	world *control.World
	kept  uint64 // the world's writes when it was kept last
	found bool   // the file was there: what it holds stands in the place of a seed
}

// openKeeper reads the world from its file, where there is one.
func openKeeper(ctx context.Context, path string, world *control.World) (*keeper, error) {
	if path == "" {
		return nil, nil
	}
	k := &keeper{path: path, world: world}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, k.keep(ctx) // says now, not at the end, where it cannot be written
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

// run keeps the world while it changes, and once more when the result is called.
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
