package play

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/draw"
)

// TestListedInputsAreSent checks that stories of a few seeds send the values that are listed, and
// no others.
func TestListedInputsAreSent(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and half a minute with the race detector: it runs without it")
	}
	sent := Coverage{}
	for seed := range uint64(6) {
		f := newFake(dialect{}, "")
		p := NewPlayer(f, Options{Choices: dialect{}.choices(), Pause: noPause})
		for _, s := range append(draw.AllValues(seed), draw.ShortSequences(seed, 24)...) {
			if _, err := p.Play(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		sent.Merge(p.Coverage)
	}
	listed := map[string]bool{}
	for _, input := range body.Inputs() {
		if input.Rule == "" { // it has no defect
			listed["value "+input.Field+"/"+input.Class] = true
		}
	}
	for value := range listed {
		if sent[value] == 0 {
			t.Errorf("%s is listed, and no story sends it", value)
		}
	}
	for key := range sent {
		name, classes, _ := strings.Cut(key, "/")
		for class := range strings.SplitSeq(classes, "; ") {
			if strings.HasPrefix(name, "value ") && !listed[name+"/"+class] {
				t.Errorf("%s is sent, and not listed", name+"/"+class)
			}
		}
	}
}
