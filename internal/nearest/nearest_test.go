package nearest

import "testing"

func TestNearestNames(t *testing.T) {
	known := []string{"feed.order", "feed.merge", "lag", "judge"}
	for text, want := range map[string]string{
		"feed.oder":   "feed.order",
		"FEED.MERGE":  "feed.merge",
		"feed.mrege":  "feed.merge",
		"lga":         "lag", // one slip, though it changes two of three letters
		"log":         "lag",
		"jugde":       "judge",
		"":            "",
		"users":       "",
		"feed.format": "",
	} {
		if got := To(text, known); got != want {
			t.Errorf("%q is near %q, want %q", text, got, want)
		}
	}
	if got := Hint("jugde", known); got != "; did you mean judge?" {
		t.Errorf("the hint is %q", got)
	}
	if got := Hint("users", known); got != "" {
		t.Errorf("the hint is %q", got)
	}
}
