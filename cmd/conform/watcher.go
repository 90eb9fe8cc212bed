package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watcher reports changes of files and folders.
type watcher struct {
	notify  *fsnotify.Watcher
	files   map[string]bool // watched without the rest of their folder
	folders map[string]bool // watched with everything in them
	ignored []string        // files that the runs themselves write
	changes chan string
}

const (
	burstEnds   = 150 * time.Millisecond // after the last of a burst of changes
	mostWatched = 5000                   // folders
)

// newWatcher watches files and folders, with the folders in them, until it is closed.
func newWatcher(paths, ignored []string) (*watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("--watch: %w", err)
	}
	w := &watcher{notify: notify, files: map[string]bool{}, folders: map[string]bool{}, changes: make(chan string, 1)}
	for _, path := range ignored {
		w.ignored = append(w.ignored, absolute(path))
	}
	for _, path := range paths {
		if err := w.add(absolute(path)); err != nil {
			notify.Close()
			return nil, fmt.Errorf("--watch %s: %w", path, err)
		}
	}
	go w.report()
	return w, nil
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return filepath.Clean(path)
}

// add watches a path. A file is watched by its folder, since editors replace files.
func (w *watcher) add(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		w.files[path] = true
		return w.notify.Add(filepath.Dir(path))
	}
	return filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir():
			return nil //nolint:nilerr // a folder that no longer exists
		case at != path && irrelevant(entry.Name()):
			return filepath.SkipDir
		case len(w.folders) >= mostWatched:
			return fmt.Errorf("it has more than %d folders: name the one with the sources", mostWatched)
		}
		w.folders[at] = true
		return w.notify.Add(at)
	})
}

// irrelevant reports whether a file or folder is of a kind that nobody edits.
func irrelevant(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || strings.HasPrefix(name, "#") {
		return true
	}
	endings := []string{".log", ".tmp", ".swp", ".pyc", ".db", ".sqlite", ".sqlite3", "-journal", "-wal", "-shm"}
	return slices.Contains([]string{"node_modules", "__pycache__", "target", "venv", "vendor"}, name) ||
		slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// report reports one change for each burst of changes, until the watcher is closed.
func (w *watcher) report() {
	defer close(w.changes)
	timer := time.NewTimer(0)
	<-timer.C
	latest := ""
	for {
		select {
		case event, open := <-w.notify.Events:
			if !open {
				return
			}
			if w.counts(event) {
				latest = event.Name
				timer.Reset(burstEnds)
			}
		case _, open := <-w.notify.Errors: // a missed change is noticed with the next one
			if !open {
				return
			}
		case <-timer.C:
			select {
			case w.changes <- latest:
			default: // a change is already waiting to be received
			}
		}
	}
}

// counts reports whether an event is a change that a person made, and watches the
// folders that are made.
func (w *watcher) counts(event fsnotify.Event) bool {
	path := filepath.Clean(event.Name)
	switch {
	case !event.Has(fsnotify.Write) && !event.Has(fsnotify.Create) && !event.Has(fsnotify.Remove) && !event.Has(fsnotify.Rename):
		return false
	case irrelevant(filepath.Base(path)) || slices.Contains(w.ignored, path):
		return false
	case w.files[path]:
		return true
	case !w.folders[filepath.Dir(path)]:
		return false
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		_ = w.add(path) // if that fails, the folder is not watched
		return false
	}
	return true
}
