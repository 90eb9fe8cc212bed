// Package journal keeps what the fake was asked and what it answered: the last
// requests, within bounds, without a secret in what it shows.
package journal

import (
	"strconv"
	"sync"
)

const (
	MaxEntries = 1000
	MaxBytes   = 8 << 20

	// MaxWatchers bounds the number of readers at the same time.
	MaxWatchers = 1000
)

// Journal keeps the last entries. It is safe for concurrent use.
type Journal struct {
	mu       sync.Mutex
	entries  []*Entry // oldest first
	bytes    int
	last     uint64
	dropped  uint64
	watchers map[*Watcher]bool
}

// New makes an empty journal.
func New() *Journal {
	return &Journal{watchers: make(map[*Watcher]bool)}
}

// Add numbers an entry and keeps it; the oldest go where the bounds demand it.
func (j *Journal) Add(e *Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	e.Seq = j.last
	j.entries = append(j.entries, e)
	j.bytes += e.Size()
	for len(j.entries) > MaxEntries || j.bytes > MaxBytes && len(j.entries) > 1 {
		j.bytes -= j.entries[0].Size()
		j.entries[0] = nil
		j.entries = j.entries[1:]
		j.dropped++
	}
	for w := range j.watchers {
		select {
		case w.entries <- e:
		default: // a reader that is behind finds the gap in the numbers
		}
	}
}

// Filter says which entries are meant. The zero value means all.
type Filter struct {
	World    string
	Since    uint64 // the number of an entry: those after it
	Endpoint int    // of the contract
	Method   string
	Status   string // such as 404, or 5xx
	Session  string // such as session:ada#1
}

// Matches reports whether an entry is meant.
func (f Filter) Matches(e *Entry) bool {
	status := strconv.Itoa(e.Status)
	return e.Seq > f.Since && (f.World == "" || e.World == f.World) && (f.Endpoint == 0 || e.Endpoint == f.Endpoint) &&
		(f.Method == "" || e.Method == f.Method) && (f.Session == "" || e.Session == f.Session) &&
		(f.Status == "" || f.Status == status || f.Status == status[:1]+"xx")
}

// Entries returns what is kept of the entries that are meant, and how many were dropped over all.
func (j *Journal) Entries(f Filter) ([]*Entry, uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := []*Entry{}
	for _, e := range j.entries {
		if f.Matches(e) {
			kept = append(kept, e)
		}
	}
	return kept, j.dropped
}

// Clear forgets the entries of a world, or all.
func (j *Journal) Clear(world string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := make([]*Entry, 0, len(j.entries))
	j.bytes = 0
	for _, e := range j.entries {
		if world != "" && e.World != world {
			kept = append(kept, e)
			j.bytes += e.Size()
		}
	}
	j.entries = kept
}

// Watcher receives new entries.
type Watcher struct {
	entries chan *Entry
	journal *Journal
}

// Watch begins to watch; Close ends it. It is false where too many watch already.
func (j *Journal) Watch() (*Watcher, bool) {
	w := &Watcher{entries: make(chan *Entry, 256), journal: j}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.watchers) >= MaxWatchers {
		return nil, false
	}
	j.watchers[w] = true
	return w, true
}

// Entries delivers new entries. One that reads too slowly misses some.
func (w *Watcher) Entries() <-chan *Entry { return w.entries }

// Close ends the watching.
func (w *Watcher) Close() {
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	delete(w.journal.watchers, w)
}
