package story

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

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
