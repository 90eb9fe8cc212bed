// Package datafile keeps a store's data in a file that a crash at any moment leaves whole.
//
// The file is a bbolt database: a commit is there as a whole or not at all. Transactions of the
// store are committed together, by one goroutine, so that writers do not wait for the disk.
package datafile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/socialfeed/conform/refserver/store"
)

const (
	// Interval is the time between two commits if writers do not wait for them: a crash loses
	// the writes since the latest commit, and those of a commit under way.
	Interval = 100 * time.Millisecond

	retryAfter  = time.Second // after a commit that failed
	lockWait    = 200 * time.Millisecond
	mostPending = 1 << 14 // changes that wait for a commit; beyond it writers wait
)

// Options say how a file is kept.
type Options struct {
	Sync   bool        // Settle waits until what was written is on the disk
	Report func(error) // if set, gets the error of a failed commit, and nil when one succeeds again
}

// File is an open file. It is a keeper of a store.
type File struct {
	path   string
	db     *bbolt.DB
	sync   bool
	report func(error)

	mu      sync.Mutex
	moved   *sync.Cond // something below has changed
	pending []change
	last    store.Progress
	given   uint64 // how many calls of Keep and Replace there were
	kept    uint64 // how many of them are on the disk
	failing error
	closing bool

	wake chan struct{} // has one value if there may be work
	done chan struct{} // closed when the last commit is through
}

// change is one row, or everything.
type change struct {
	store.Change
	whole *store.State
}

// Open opens a file for this process alone, or makes it. found is its data, nil for a new one.
// The caller must call Close.
func Open(path string, options Options) (f *File, found *store.State, err error) {
	if err := check(path); err != nil {
		return nil, nil, err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType, NoFreelistSync: true})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, nil, fmt.Errorf("%s is in use by another server", path)
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrChecksum), errors.Is(err, bbolterrors.ErrVersionMismatch), errors.Is(err, io.EOF):
		return nil, nil, fmt.Errorf("%s holds something else than a server's data", path)
	case err != nil:
		return nil, nil, err
	}
	if found, err = load(db); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	f = &File{path: path, db: db, sync: options.Sync, report: options.Report, wake: make(chan struct{}, 1), done: make(chan struct{})}
	f.moved = sync.NewCond(&f.mu)
	go f.run()
	return f, found, nil
}

// check refuses a path that is not a writable file, before anything waits for it.
func check(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s is read-only", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	first := make([]byte, 1)
	if n, _ := file.Read(first); n == 1 && first[0] == '{' { // an empty one is new
		return fmt.Errorf("%s is a world as JSON, as earlier versions kept it: name a new file, start, and give it to PUT /v1/worlds/default/state of the control plane", path)
	}
	return nil
}

// Keep takes the changes of one transaction. It waits where too many wait for the disk already.
func (f *File) Keep(changes []store.Change, at store.Progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.pending) >= mostPending && f.failing == nil && !f.closing {
		f.moved.Wait()
	}
	for _, c := range changes {
		f.pending = append(f.pending, change{Change: c})
	}
	f.take(at)
}

// Replace takes a new state instead of all earlier data.
func (f *File) Replace(state store.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pending = []change{{whole: &state}}
	f.take(state.Progress())
}

func (f *File) take(at store.Progress) {
	f.last = at
	f.given++
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Failing is why nothing can be kept at present; nil: all is well.
func (f *File) Failing() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failing
}

// Settle waits until earlier writes are on the disk, if the file is kept so.
func (f *File) Settle(ctx context.Context) error {
	if !f.sync {
		return nil
	}
	return f.Flush(ctx)
}

// Flush waits until earlier writes are on the disk.
func (f *File) Flush(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.moved.Broadcast()
	})()
	f.mu.Lock()
	defer f.mu.Unlock()
	for mine := f.given; f.kept < mine; f.moved.Wait() {
		if f.failing != nil {
			return f.failing
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("waiting for %s: %w", f.path, err)
		}
	}
	return nil
}

// Close saves the remaining writes and closes the file. An error means that the latest writes are lost.
func (f *File) Close() error {
	f.mu.Lock()
	f.closing = true
	f.moved.Broadcast()
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
	<-f.done
	return errors.Join(f.failing, f.db.Close())
}
