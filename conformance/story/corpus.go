package story

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// Saved is a story that showed a difference, saved so that it can be replayed: one line of readable
// JSON.
type Saved struct {
	Version  int            `json:"version"`
	Rule     string         `json:"rule"`
	Endpoint rules.Endpoint `json:"endpoint"`
	Story    *Story         `json:"story,omitempty"`
	// Inputs are inputs with a defect, if they showed it and no story does.
	Inputs []rules.Input `json:"inputs,omitempty"`
}

// Saved returns the finding as it is saved; false if it has no story.
func (f Finding) Saved() (Saved, bool) {
	return Saved{Version: version, Rule: f.Rule, Endpoint: f.At, Story: &f.Story}, len(f.Story.Steps) > 0
}

// ParseSaved decodes a saved story. It refuses one that cannot be played, in a sentence.
func ParseSaved(text []byte) (*Saved, error) {
	k := &Saved{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(k); err != nil {
		return nil, fmt.Errorf("reading a saved story: %w", err)
	}
	const mostInputs = 1000
	switch {
	case k.Version < version && len(k.Inputs) == 0:
		return nil, fmt.Errorf("the saved story of %s was written by an earlier version and cannot be played any more: delete it", k.Rule)
	case k.Version > version:
		return nil, fmt.Errorf("the saved story of %s was written by a later version (format %d; this one reads %d)", k.Rule, k.Version, version)
	case k.Story == nil && len(k.Inputs) == 0:
		return nil, fmt.Errorf("the saved story of %s has neither steps nor inputs", k.Rule)
	case len(k.Inputs) > mostInputs:
		return nil, fmt.Errorf("the saved story of %s has %d inputs: at most %d can be played", k.Rule, len(k.Inputs), mostInputs)
	}
	if k.Story == nil {
		return k, nil
	}
	if err := k.Story.check(); err != nil {
		return nil, fmt.Errorf("the saved story of %s cannot be played: %w", k.Rule, err)
	}
	return k, nil
}
