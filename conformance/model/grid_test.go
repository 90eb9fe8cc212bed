package model

import "testing"

// TestGridControls plays the grid against a fake that accepts every input, where each rule of
// the grid must be blamed at each of its endpoints, and against one that refuses all, where
// none may be blamed.
func TestGridControls(t *testing.T) {
	cases := Grid(1)
	for name, lenient := range map[string]bool{"takes everything": true, "refuses everything": false} {
		f := newFake(dialect{}, "")
		o, err := NewPlayer(&gridTarget{fake: f, lenient: lenient}, Options{Pause: noPause}).PlayGrid(t.Context(), cases)
		if err != nil {
			t.Fatal(err)
		}
		blamed := map[string]bool{}
		for _, d := range o.Differences {
			blamed[d.Rule+" "+string(rune('a'+d.At))] = true
			if !lenient {
				t.Errorf("%s: %s", name, d)
			}
		}
		const rules = 6 + 4*4 + 11 + 4 // wrong types at six endpoints, metadata at four, what is missing, no JSON, or no type, logins
		if lenient && len(blamed) < rules {
			t.Errorf("%s: %d rules are blamed, want %d", name, len(blamed), rules)
		}
		t.Logf("%d cases, %d requests", len(cases), o.Requests)
	}
}
