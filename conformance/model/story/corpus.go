package story

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/rules"
)

// corpusVersion is the version of saved stories. One without a version is converted.
const corpusVersion = 2

// CorpusEntry is what showed a difference, saved so that it can be replayed: a story, or inputs
// with a defect.
type CorpusEntry struct {
	Rule     string         `json:"rule"`
	Endpoint rules.Endpoint `json:"endpoint"`
	Story    *Story         `json:"story,omitempty"`
	Inputs   []rules.Input  `json:"inputs,omitempty"`
}

// MarshalJSON encodes the entry with its version.
func (k CorpusEntry) MarshalJSON() ([]byte, error) {
	type fields CorpusEntry // without this method
	return json.Marshal(struct {
		Version int `json:"version"`
		fields
	}{corpusVersion, fields(k)})
}

// ParseCorpusEntry decodes a corpus entry. It refuses one that cannot be played.
func ParseCorpusEntry(text []byte) (*CorpusEntry, error) {
	k, err := decodeCorpusEntry(text)
	if err != nil {
		return nil, fmt.Errorf("reading a drawn story: %w", err)
	}
	if err := k.playable(); err != nil {
		return nil, fmt.Errorf("a drawn story of %s %w", k.Rule, err)
	}
	return k, nil
}

// decodeCorpusEntry decodes a corpus entry of any version.
func decodeCorpusEntry(text []byte) (*CorpusEntry, error) {
	var entry struct {
		CorpusEntry
		Version int             `json:"version"`
		Story   json.RawMessage `json:"story"`
	}
	if err := json.Unmarshal(text, &entry); err != nil {
		return nil, err
	}
	k := entry.CorpusEntry
	if entry.Story == nil || string(entry.Story) == "null" {
		return &k, nil
	}
	var err error
	switch entry.Version {
	case corpusVersion:
		err = json.Unmarshal(entry.Story, &k.Story)
	case 0:
		var old storyV1
		if err = json.Unmarshal(entry.Story, &old); err == nil {
			k.Story, err = old.story()
		}
	default:
		err = fmt.Errorf("it has version %d, and the latest that is known is %d: another version of conform has saved it", entry.Version, corpusVersion)
	}
	return &k, err
}

// largestNumber is beyond all numbers that are drawn.
const largestNumber = 1 << 30

var errNumbers = errors.New("has numbers beyond all that are drawn")

// playable returns an error if the entry cannot be played.
func (k *CorpusEntry) playable() error {
	const most, mostApps = 1000, 2
	if len(k.Inputs) > 0 && len(grid.Named(k.Inputs)) < len(k.Inputs) {
		return errors.New("has inputs that are not known (any more)")
	}
	s := k.Story
	switch {
	case s == nil && len(k.Inputs) == 0:
		return errors.New("has neither operations nor inputs")
	case s == nil:
		return nil
	case s.Apps < 0 || s.Apps > mostApps:
		return fmt.Errorf("is of %d applications: at most %d can be played", s.Apps, mostApps)
	case s.Slots < 1 || s.Slots > most || max(len(s.Ops), len(s.CreationOrder), len(k.Inputs)) > most:
		return fmt.Errorf("is of %d users and %d operations: at most %d can be played", s.Slots, len(s.Ops), most)
	case slices.ContainsFunc(s.Ops, func(o Op) bool { return o.beyondAllDrawn() }), slices.ContainsFunc(s.CreationOrder, func(slot int) bool { return slot < 0 }):
		return errNumbers
	}
	return nil
}

// beyondAllDrawn reports whether an argument is one that no story is drawn with.
func (o Op) beyondAllDrawn() bool {
	return min(o.Actor, o.Other, o.Values, o.Event, o.Session, o.Variant) < 0 || max(o.Actor, o.Other, o.Values, o.Event, o.Session, o.Variant) > largestNumber
}
