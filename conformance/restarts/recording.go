package restarts

import (
	"encoding/json"
	"fmt"
	"time"
)

// recording is a play as a script repeats it: the story with all that the player added to it.
type recording struct {
	Story      Story  `json:"story"`
	NumericIDs bool   `json:"numeric_ids,omitempty"`
	IDs        bool   `json:"ids,omitempty"` // an id that was given again shows it
	Acts       []act  `json:"acts"`
	Looks      []look `json:"looks,omitempty"` // what shows it
}

// act is a write, a signal or a start.
type act struct {
	Do      Kind          `json:"do,omitempty"`
	User    int           `json:"user,omitempty"`
	Other   int           `json:"other,omitempty"`
	Event   int           `json:"event,omitempty"`
	Session int           `json:"session,omitempty"` // that is ended, or opened
	Value   string        `json:"value,omitempty"`
	Signal  Signal        `json:"signal,omitempty"` // during the write, or of itself
	After   time.Duration `json:"after,omitempty"`
	Start   bool          `json:"start,omitempty"`
}

// look is a view that shows something else than it should.
type look struct {
	View     view   `json:"view"`
	Subject  int    `json:"subject"`
	Other    int    `json:"other,omitempty"`
	Expected string `json:"expected"`
}

// recording is what the play did, and what showed that something is wrong.
func (p *player) recording(s Story) recording {
	r := recording{Story: s, NumericIDs: p.numericIDs, IDs: p.found.Rule == IDs}
	for _, l := range p.log {
		switch {
		case l.write != nil:
			w := *l.write
			a := act{Do: w.kind, User: w.user, Other: w.other, Event: w.event, Session: w.session, Value: w.value}
			if l.opened != 0 {
				a.Session = l.opened
			}
			if l.inside != nil {
				a.Signal, a.After = l.inside.Signal, l.inside.After
			}
			r.Acts = append(r.Acts, a)
		case l.signal != "":
			r.Acts = append(r.Acts, act{Signal: l.signal})
		case l.start:
			r.Acts = append(r.Acts, act{Start: true})
		}
	}
	for _, m := range p.found.wrong {
		if m.fact.subject > 0 && m.fact.other >= 0 {
			r.Looks = append(r.Looks, look{m.fact.view, m.fact.subject, m.fact.other, m.expected})
		}
	}
	return r
}

// parseRecording reads a recording of a report.
func parseRecording(text []byte) (recording, error) {
	const most = 1000 // numbers and steps
	var r recording
	if err := json.Unmarshal(text, &r); err != nil {
		return recording{}, fmt.Errorf("reading a story with restarts: %w", err)
	}
	inRange := func(n int) bool { return n >= 0 && n <= most }
	sound := len(r.Acts) <= most && len(r.Looks) <= most
	for _, a := range r.Acts {
		sound = sound && inRange(a.User) && inRange(a.Other) && inRange(a.Event) && inRange(a.Session) && a.After >= 0 && a.After < time.Minute
	}
	for _, l := range r.Looks {
		sound = sound && inRange(l.Subject) && inRange(l.Other)
	}
	if !sound {
		return recording{}, fmt.Errorf("reading a story with restarts: it is larger than any that is drawn")
	}
	return r, nil
}
