package blame

import "testing"

// TestDecomposedKeysAreGarbledText tells keys in another form of Unicode from other keys.
func TestDecomposedKeysAreGarbledText(t *testing.T) {
	sent := map[string]any{"é": "1", "f": "2", "ẽ": "3"}
	for _, tc := range []struct {
		got  map[string]any
		want bool
	}{
		{map[string]any{"e\u0301": "1", "f": "2", "e\u0303": "3"}, true},
		{map[string]any{"f": "2"}, false},
		{map[string]any{"é": "3", "f": "2", "ẽ": "1"}, false},
	} {
		if looksGarbled(sent, tc.got) != tc.want {
			t.Errorf("%v: garbled is %v", tc.got, !tc.want)
		}
	}
}
