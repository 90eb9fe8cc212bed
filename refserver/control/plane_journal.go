package control

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver/control/journal"
)

// heartbeat keeps proxies and browsers from taking a quiet stream for a dead one.
const heartbeat = 15 * time.Second

var errTooManyReaders = fmt.Errorf("the journal has %d readers already", journal.MaxWatchers)

// journalView is the journal as it is sent.
type journalView struct {
	Dropped uint64         `json:"dropped"` // entries that the bounds took, over all worlds
	Entries []journal.View `json:"entries"`
}

// getJournal serves GET /v1/journal?world=NAME&since=SEQ.
func (p *Plane) getJournal(w http.ResponseWriter, r *http.Request) error {
	since, err := readSince(r.URL.Query().Get("since"))
	if err != nil {
		return err
	}
	entries, dropped := p.fake.Journal.Entries(r.URL.Query().Get("world"), since)
	view := journalView{Dropped: dropped, Entries: make([]journal.View, 0, len(entries))}
	for _, e := range entries {
		view.Entries = append(view.Entries, e.View())
	}
	return answerJSON(w, http.StatusOK, view)
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

// streamJournal serves GET /v1/journal/stream?world=NAME&since=SEQ as server-sent
// events: what is kept since then, and whatever comes. A reader that comes back
// names the last entry it had by Last-Event-ID.
func (p *Plane) streamJournal(w http.ResponseWriter, r *http.Request) error {
	since, err := readSince(r.URL.Query().Get("since"))
	if err != nil {
		return err
	}
	if last, err := readSince(r.Header.Get("Last-Event-ID")); err == nil && last > since {
		since = last
	}
	world := r.URL.Query().Get("world")
	watcher, ok := p.fake.Journal.Watch()
	if !ok {
		return errTooManyReaders
	}
	defer watcher.Close()
	stream := http.NewResponseController(w)
	_ = stream.SetWriteDeadline(time.Time{}) // a stream lasts as long as its reader
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	kept, _ := p.fake.Journal.Entries(world, since)
	for _, e := range kept {
		if err := sendEvent(w, e); err != nil {
			return nil // the reader is gone
		}
		since = e.Seq
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
			if e.Seq > since && (world == "" || e.World == world) {
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
