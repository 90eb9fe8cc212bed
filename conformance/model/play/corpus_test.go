package play

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestCorpusStoriesAreReplayed saves a difference, parses it and replays it.
func TestCorpusStoriesAreReplayed(t *testing.T) {
	f := newFake(dialect{}, "the second change is not in feeds")
	s := story.Story{Name: "short", Slots: 2, Ops: []story.Op{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Post, Actor: 1}, {Kind: story.Change, Actor: 1, Values: 1}, {Kind: story.Change, Actor: 1, Values: 4}}}
	o := played(t, f, s, leeway.Choices{})
	if len(o.Differences) == 0 {
		t.Fatal("the fault does not show")
	}
	text, err := json.Marshal(Finding{Difference: o.Differences[0], Story: s}.CorpusEntry())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := story.ParseCorpusEntry(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*kept.Story, s) {
		t.Errorf("read back is %v, want %v", *kept.Story, s)
	}
	again := played(t, newFake(dialect{}, "the second change is not in feeds"), *kept.Story, leeway.Choices{})
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
		text, err := json.Marshal(Finding{Difference: blame.Difference{Rule: c.Rule, At: c.Endpoint}, Inputs: []rules.Input{c.Input}}.CorpusEntry())
		if err != nil {
			t.Fatal(err)
		}
		kept, err := story.ParseCorpusEntry(text)
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
		for _, s := range slices.Concat(draw.Plain(seed, leeway.Choices{}), draw.Deep(seed), draw.Applications(seed)) {
			text, err := json.Marshal(Finding{Story: s}.CorpusEntry())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := story.ParseCorpusEntry(text); err != nil {
				t.Errorf("%s of seed %d: %v", s.Name, seed, err)
			}
		}
	}
}

// FuzzParseCorpusEntry checks that whatever can be parsed can be played.
func FuzzParseCorpusEntry(f *testing.F) {
	f.Add([]byte(`{"rule":"feed.order","endpoint":21,"story":{"name":"a","slots":2,"ops":[{"kind":"audit","a":1,"v":4},{"kind":"gather","a":0}]}}`))
	f.Add([]byte(`{"version":2,"rule":"feed.order","endpoint":21,"story":{"name":"a","slots":2,"ops":[{"do":"audit","actor":1,"extent":"others"},{"do":"connect all by social id","actor":0}]}}`))
	f.Add([]byte(`{"rule":"users.create.wrong-type","endpoint":1,"inputs":[{"endpoint":1,"field":"email","class":"true","rule":"users.create.wrong-type"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		kept, err := story.ParseCorpusEntry(text)
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
