package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/control/openapi"
)

// heartbeat keeps proxies and browsers from taking a quiet stream for a dead one.
const heartbeat = 15 * time.Second

var errTooManyReaders = fmt.Errorf("the journal has %d readers already", journal.MaxWatchers)

// journalView is the journal as it is sent.
type journalView struct {
	Dropped uint64         `json:"dropped"` // entries that the bounds took, over all worlds
	Count   int            `json:"count"`   // of the entries here
	Entries []journal.View `json:"entries"`
}

// maxWait is how long a call may wait for entries.
const maxWait = time.Minute

// journalFilters are the query parameters that say which entries are meant.
func journalFilters() []string {
	return []string{"since", "world", "endpoint", "method", "status", "session"}
}

// readFilter reads the parameters. A world that is not there is an error: nothing would match, and a test for the
// absence of requests would hold.
func (p *Plane) readFilter(query url.Values) (journal.Filter, error) {
	f := journal.Filter{World: query.Get("world"), Method: query.Get("method"), Status: query.Get("status"), Session: query.Get("session")}
	if _, there := p.fake.World(f.World); !there && f.World != "" {
		return f, errNoWorld
	}
	var err error
	if f.Since, err = readSince(query.Get("since")); err != nil {
		return f, err
	}
	if query.Has("endpoint") {
		if f.Endpoint, err = strconv.Atoi(query.Get("endpoint")); err != nil || f.Endpoint < 1 || f.Endpoint > len(openapi.Operations()) {
			return f, fmt.Errorf("endpoint is a number of the contract's table, 1 to %d", len(openapi.Operations()))
		}
	}
	if query.Has("status") && !statusFilter.MatchString(f.Status) {
		return f, errors.New("status is one such as 404, or a class such as 5xx; 0 is of requests whose client was gone before an answer")
	}
	if query.Has("method") && !methodFilter.MatchString(f.Method) {
		return f, errors.New("method is written in capitals, such as POST")
	}
	return f, nil
}

var (
	statusFilter = regexp.MustCompile(`^(0|[1-5]\d\d|[1-5]xx)$`)
	methodFilter = regexp.MustCompile(`^[A-Z]{1,20}$`)
)

// getJournal serves GET /v1/journal. With wait it answers once there are count entries that are meant, one
// if there is no count, or when that time has passed.
func (p *Plane) getJournal(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	filter, err := p.readFilter(query)
	if err != nil {
		return err
	}
	count, patience, err := readWait(query)
	if err != nil {
		return err
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience + time.Minute)) // one that stays is of no harm
	entries, dropped, err := p.await(r.Context(), filter, count, patience)
	if err != nil {
		return err
	}
	view := journalView{Dropped: dropped, Count: len(entries), Entries: make([]journal.View, 0, len(entries))}
	for _, e := range entries {
		view.Entries = append(view.Entries, e.View())
	}
	return answerJSON(w, http.StatusOK, view)
}

// readWait reads for how many entries a call waits, and for how long.
func readWait(query url.Values) (count int, patience time.Duration, err error) {
	count = 1
	if query.Has("count") {
		if count, err = strconv.Atoi(query.Get("count")); err != nil || count < 1 || count > journal.MaxEntries || !query.Has("wait") {
			return 0, 0, fmt.Errorf("count goes with wait, and is a number from 1 to %d", journal.MaxEntries)
		}
	}
	if query.Has("wait") {
		if patience, err = time.ParseDuration(query.Get("wait")); err != nil || patience <= 0 || patience > maxWait {
			return 0, 0, fmt.Errorf("wait is a time such as 5s, of %s at most", maxWait)
		}
	}
	return count, patience, nil
}

// await returns the entries that are meant once there are so many, or the time has passed.
func (p *Plane) await(ctx context.Context, filter journal.Filter, count int, patience time.Duration) ([]*journal.Entry, uint64, error) {
	if patience == 0 {
		entries, dropped := p.fake.Journal.Entries(filter)
		return entries, dropped, nil
	}
	watcher, ok := p.fake.Journal.Watch()
	if !ok {
		return nil, 0, errTooManyReaders
	}
	defer watcher.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		entries, dropped := p.fake.Journal.Entries(filter)
		if len(entries) >= count {
			return entries, dropped, nil
		}
		select {
		case <-watcher.Entries():
		case <-ctx.Done():
			return entries, dropped, nil
		}
	}
}

func readSince(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	since, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, errors.New("since is the number of an entry")
	}
	return since, nil
}

func (p *Plane) clearJournal(w http.ResponseWriter, r *http.Request) error {
	p.fake.Journal.Clear(r.URL.Query().Get("world"))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// streamJournal serves GET /v1/journal/stream as server-sent events: the entries that are
// kept, and new ones. A reader that reconnects names its last entry by Last-Event-ID.
func (p *Plane) streamJournal(w http.ResponseWriter, r *http.Request) error {
	filter, err := p.readFilter(r.URL.Query())
	if err != nil {
		return err
	}
	if last, err := readSince(r.Header.Get("Last-Event-ID")); err == nil && last > filter.Since {
		filter.Since = last
	}
	watcher, ok := p.fake.Journal.Watch()
	if !ok {
		return errTooManyReaders
	}
	defer watcher.Close()
	stream := http.NewResponseController(w)
	_ = stream.SetWriteDeadline(time.Time{}) // a stream lasts as long as its reader
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	kept, _ := p.fake.Journal.Entries(filter)
	for _, e := range kept {
		if err := sendEvent(w, e); err != nil {
			return nil // the reader is gone
		}
		filter.Since = e.Seq
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for stream.Flush() == nil {
		select {
		case <-r.Context().Done():
			return nil
		case <-beat.C:
			_, err = fmt.Fprint(w, ": still here\n\n")
		case e := <-watcher.Entries():
			if filter.Matches(e) {
				err = sendEvent(w, e)
			}
		}
		if err != nil {
			return nil
		}
	}
	return nil
}

func sendEvent(w http.ResponseWriter, e *journal.Entry) error {
	text, err := e.JSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "id: %d\nevent: request\ndata: %s\n\n", e.Seq, text)
	return err
}
