package model

import "testing"

// TestWhatIsLeftOutIsNotRefusable drops fields from a payload: their refusable values must be
// dropped, too.
func TestWhatIsLeftOutIsNotRefusable(t *testing.T) {
	d := func() *drawnPayload {
		return &drawnPayload{fields: Fields{"verb": "like", "location": "a", "metadata": Fields{"a": "b"}, "object": Fields{"id": "x"}}, fallback: Fields{},
			refusable: map[string]string{"location": "long", "metadata": "odd", "object.id": "long"}}
	}
	if one := d().keepOne(0); len(one.fields) != 1 || len(one.refusable) != 0 {
		t.Errorf("the verb alone is %v, of which may be refused %v", one.fields, one.refusable)
	}
	for _, name := range []string{"location", "object"} {
		if only := d().keepOnly(name); len(only.fields) != 1 || len(only.refusable) != 1 {
			t.Errorf("%v alone may be refused for %v", only.fields, only.refusable)
		}
	}
	left := d()
	left.drop("object")
	left.drop("location")
	p := NewPlayer(newFake(dialect{}, ""), Options{})
	p.newRun(Story{Slots: 1}).respectKeyLimit(left, lawful{Fields{"c": "1", "d": "2", "e": "3", "f": "4", "g": "5", "h": "6", "i": "7", "j": "8", "k": "9", "l": "0"}})
	if len(left.fields) != 1 || len(left.refusable) != 0 {
		t.Errorf("left are %v, of which may be refused %v", left.fields, left.refusable)
	}
}
