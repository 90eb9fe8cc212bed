package model

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/rules"
)

// CorpusEntry is what showed a difference, saved so that it can be replayed: a story, or inputs
// with a defect.
type CorpusEntry struct {
	Rule     string         `json:"rule"`
	Endpoint rules.Endpoint `json:"endpoint"`
	Story    *Story         `json:"story,omitempty"`
	Inputs   []rules.Input  `json:"inputs,omitempty"`
}

// CorpusEntry returns the finding as a corpus entry, nil if nothing was played.
func (f Finding) CorpusEntry() *CorpusEntry {
	k := &CorpusEntry{Rule: f.Rule, Endpoint: f.At, Inputs: f.Inputs}
	if len(f.Story.Ops) > 0 {
		k.Story = &f.Story
	}
	if k.Story == nil && k.Inputs == nil {
		return nil
	}
	return k
}

// ParseCorpusEntry decodes a corpus entry. It refuses one that cannot be played.
func ParseCorpusEntry(text []byte) (*CorpusEntry, error) {
	k := &CorpusEntry{}
	if err := json.Unmarshal(text, k); err != nil {
		return nil, fmt.Errorf("reading a drawn story: %w", err)
	}
	const most, mostApps, largest = 1000, 2, 1 << 30
	switch {
	case k.Story == nil && len(k.Inputs) == 0:
		return nil, fmt.Errorf("a drawn story of %s has neither operations nor inputs", k.Rule)
	case k.Story != nil && (k.Story.Apps < 0 || k.Story.Apps > mostApps):
		return nil, fmt.Errorf("a drawn story of %s is of %d applications: at most %d can be played", k.Rule, k.Story.Apps, mostApps)
	case k.Story != nil && (k.Story.Slots < 1 || k.Story.Slots > most || max(len(k.Story.Ops), len(k.Story.Order), len(k.Inputs)) > most):
		return nil, fmt.Errorf("a drawn story of %s is of %d users and %d operations: at most %d can be played", k.Rule, k.Story.Slots, len(k.Story.Ops), most)
	}
	if k.Story != nil && slices.ContainsFunc(k.Story.Ops, func(o Op) bool { return max(abs(o.A), abs(o.B), abs(o.C), abs(o.V)) > largest || o.V < 0 }) {
		return nil, fmt.Errorf("a drawn story of %s has numbers beyond all that are drawn", k.Rule)
	}
	if len(grid.Named(k.Inputs)) < len(k.Inputs) {
		return nil, fmt.Errorf("a drawn story of %s has inputs that are not known (any more)", k.Rule)
	}
	return k, nil
}

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets the kind by its name.
func (k *Kind) UnmarshalText(name []byte) error {
	for each := range kinds {
		if each.String() == string(name) {
			*k = each
			return nil
		}
	}
	return fmt.Errorf("there is no operation %q", name)
}
