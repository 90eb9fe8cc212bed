package play

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// TestWhatIsLeftOutIsNotRefusable drops fields from a payload: their refusable values must be
// dropped, too.
func TestWhatIsLeftOutIsNotRefusable(t *testing.T) {
	d := func() *body.Drawn {
		return &body.Drawn{Fields: value.Fields{"verb": "like", "location": "a", "metadata": value.Fields{"a": "b"}, "object": value.Fields{"id": "x"}}, Fallback: value.Fields{},
			Refusable: map[string]string{"location": "long", "metadata": "odd", "object.id": "long"}}
	}
	if one := d().KeepOne(0); len(one.Fields) != 1 || len(one.Refusable) != 0 {
		t.Errorf("the verb alone is %v, of which may be refused %v", one.Fields, one.Refusable)
	}
	for _, name := range []string{"location", "object"} {
		if only := d().KeepOnly(name); len(only.Fields) != 1 || len(only.Refusable) != 1 {
			t.Errorf("%v alone may be refused for %v", only.Fields, only.Refusable)
		}
	}
	left := d()
	left.Drop("object")
	left.Drop("location")
	p := NewPlayer(newFake(dialect{}, ""), Options{})
	p.newRun(story.Story{Slots: 1}).respectKeyLimit(left, value.Set{value.Fields{"c": "1", "d": "2", "e": "3", "f": "4", "g": "5", "h": "6", "i": "7", "j": "8", "k": "9", "l": "0"}})
	if len(left.Fields) != 1 || len(left.Refusable) != 0 {
		t.Errorf("left are %v, of which may be refused %v", left.Fields, left.Refusable)
	}
}
