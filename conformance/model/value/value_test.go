package value

import (
	"strings"
	"testing"
)

// TestShownValuesCanBeToldApart checks the display of values that look alike when printed
// verbatim.
func TestShownValuesCanBeToldApart(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{"it's <b>", `"it's <b>"`},
		{"a\u00a0b", `"a\u00a0b"`},
		{"a  b", `"a \u0020b"`},
		{"a\u200fb", `"a\u200fb"`},
		{"Zoe\u0301", `"Zoe\u0301"`},
		{"Zoé 圖書館", `"Zoé 圖書館"`},
		{"👩‍👩‍👧 🏳️‍🌈", `"👩‍👩‍👧 🏳️‍🌈"`},
	} {
		if got := Show(test.value); got != test.want {
			t.Errorf("%+q is shown as %s, want %s", test.value, got, test.want)
		}
	}
}

func TestLongValuesThatBeginAlikeLookDifferent(t *testing.T) {
	long := strings.Repeat("längé", 200)
	if whole, cut := Show(long), Show(string([]rune(long)[:255])); whole == cut || !strings.HasSuffix(cut, `längé" (257 characters)`) {
		t.Errorf("%s and %s", whole, cut)
	}
}
