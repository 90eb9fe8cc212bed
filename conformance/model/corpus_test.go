package model

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestCorpusStoriesAreReplayed saves a difference, parses it and replays it.
func TestCorpusStoriesAreReplayed(t *testing.T) {
	f := newFake(dialect{}, "the second change is not in feeds")
	story := Story{Name: "short", Slots: 2, Ops: []Op{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Post, Actor: 1}, {Kind: Change, Actor: 1, Values: 1}, {Kind: Change, Actor: 1, Values: 4}}}
	o := played(t, f, story, Choices{})
	if len(o.Differences) == 0 {
		t.Fatal("the fault does not show")
	}
	text, err := json.Marshal(Finding{Difference: o.Differences[0], Story: story}.CorpusEntry())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := ParseCorpusEntry(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*kept.Story, story) {
		t.Errorf("read back is %v, want %v", *kept.Story, story)
	}
	again := played(t, newFake(dialect{}, "the second change is not in feeds"), *kept.Story, Choices{})
	if _, shown := again.match(o.Differences[0]); !shown || kept.Rule != o.Differences[0].Rule {
		t.Errorf("played again it shows %v, want %v", again.Differences, o.Differences[0])
	}
}

// TestCorpusInputsAreFound saves and parses inputs of the grid.
func TestCorpusInputsAreFound(t *testing.T) {
	const some = 97 // of many hundreds
	for i, c := range grid.Draw(7) {
		if i%some != 0 {
			continue
		}
		text, err := json.Marshal(Finding{Difference: Difference{Rule: c.Rule, At: c.Endpoint}, Inputs: []rules.Input{c.Input}}.CorpusEntry())
		if err != nil {
			t.Fatal(err)
		}
		kept, err := ParseCorpusEntry(text)
		if err != nil {
			t.Fatal(err)
		}
		if cases := grid.Named(kept.Inputs); len(cases) != 1 || cases[0].Input != c.Input {
			t.Errorf("%+v is %d cases when it is read", c.Input, len(cases))
		}
	}
}

// TestDrawnStoriesCanBeKept saves and parses every story of some seeds.
func TestDrawnStoriesCanBeKept(t *testing.T) {
	for seed := range uint64(5) {
		for _, s := range slices.Concat(PlainStories(seed, Choices{}), DeepStories(seed), ApplicationStories(seed)) {
			text, err := json.Marshal(Finding{Story: s}.CorpusEntry())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseCorpusEntry(text); err != nil {
				t.Errorf("%s of seed %d: %v", s.Name, seed, err)
			}
		}
	}
}

// TestUnplayableStoriesAreRefused checks the errors for corpus entries that cannot be played.
func TestUnplayableStoriesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                   "unexpected end",
		`{"rule":"feed.order","endpoint":21}`: "neither operations nor inputs",
		`{"rule":"feed.order","story":{"slots":0}}`:                                                       "0 users",
		`{"rule":"r","story":{"slots":2,"ops":[{"kind":"dance"}]}}`:                                       `no operation "dance"`,
		`{"rule":"r","version":2,"story":{"slots":2,"ops":[{"do":"dance"}]}}`:                             `no operation "dance"`,
		`{"rule":"r","version":2,"story":{"slots":2,"ops":[{"do":"create event","actor":0,"event":-1}]}}`: "numbers beyond",
		`{"rule":"r","version":2,"story":{"slots":2,"ops":[{"do":"audit","actor":0,"extent":"sky"}]}}`:    `no extent "sky"`,
		`{"rule":"r","version":3,"story":{"slots":2,"ops":[]}}`:                                           "another version of conform",
		`{"rule":"r","story":{"slots":2,"ops":[{"kind":"post","v":-1}]}}`:                                 "numbers beyond",
		`{"rule":"r","inputs":[{"endpoint":1,"field":"nonsense","class":"true"}]}`:                        "not known",
	} {
		if _, err := ParseCorpusEntry([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is refused with %v, want %q", text, err, want)
		}
	}
}

// TestStoriesWithoutAVersionAreConverted reads stories as they were saved before stories had a version.
func TestStoriesWithoutAVersionAreConverted(t *testing.T) {
	text := `{"rule":"feed.merge","endpoint":21,"story":{"name":"old","slots":3,"looks":1,"kin":2,"brief":true,"late":true,"apart":3,"order":[1,0],"ops":[` +
		`{"kind":"ask","a":0,"b":1},{"kind":"edit","a":1,"b":1,"c":2,"v":5},{"kind":"log in","a":2,"v":1},{"kind":"tweak","a":1,"c":2,"v":3},{"kind":"tweak","a":1,"v":4},` +
		`{"kind":"trespass","a":0,"b":1,"c":1,"v":1,"at_once":true},{"kind":"audit","a":0,"b":2,"c":1,"v":4}]}}`
	want := Story{Name: "old", Slots: 3, Compare: CompareAfterEach, SharedNames: 2, ShortAudit: true, DeferChecks: true, Stagger: 3, CreationOrder: []int{1, 0}, Ops: []Op{
		{Kind: RequestFriend, Actor: 0, Other: 1}, {Kind: Edit, Actor: 1, Values: 5, SharedLastName: true}, {Kind: LogIn, Actor: 2, ByEmail: true},
		{Kind: UpdateEventSimilar, Actor: 1, Event: 2}, {Kind: UpdateSimilar, Actor: 1, Variant: 2},
		{Kind: WriteForeign, Actor: 0, Other: 1, Event: 1, Write: DeleteForeignEvent, AtOnce: true}, {Kind: Audit, Actor: 0, Other: 2, Extent: AuditRepeatedly, WithRecords: true}}}
	kept, err := ParseCorpusEntry([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*kept.Story, want) {
		t.Errorf("it is read as %v, want %v", *kept.Story, want)
	}
	now, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParseCorpusEntry(now); err != nil || !reflect.DeepEqual(*again.Story, want) {
		t.Errorf("saved anew as %s it is read as %v (%v)", now, again, err)
	}
}

// FuzzParseCorpusEntry checks that whatever can be parsed can be played.
func FuzzParseCorpusEntry(f *testing.F) {
	f.Add([]byte(`{"rule":"feed.order","endpoint":21,"story":{"name":"a","slots":2,"ops":[{"kind":"audit","a":1,"v":4},{"kind":"gather","a":0}]}}`))
	f.Add([]byte(`{"version":2,"rule":"feed.order","endpoint":21,"story":{"name":"a","slots":2,"ops":[{"do":"audit","actor":1,"extent":"others"},{"do":"connect all by social id","actor":0}]}}`))
	f.Add([]byte(`{"rule":"users.create.wrong-type","endpoint":1,"inputs":[{"endpoint":1,"field":"email","class":"true","rule":"users.create.wrong-type"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		kept, err := ParseCorpusEntry(text)
		if err != nil {
			return
		}
		p := NewPlayer(newFake(dialect{}, ""), Options{Pause: noPause})
		if kept.Story == nil {
			return
		}
		if len(kept.Story.Ops) > 20 || kept.Story.Slots > 20 {
			return // takes long
		}
		if o, err := p.Play(t.Context(), *kept.Story); err != nil || len(o.Differences) > 0 {
			t.Errorf("%s: %v, %v", kept.Story, o.Differences, err)
		}
		_ = kept.Story.Cost()
	})
}
