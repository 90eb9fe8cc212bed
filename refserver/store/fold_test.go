package store

import (
	"strings"
	"testing"
	"unicode"
)

// TestFoldAgreesWithEqualFold: what strings.EqualFold takes for the same letter, the search finds.
func TestFoldAgreesWithEqualFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if other := unicode.SimpleFold(r); other != r && fold(string(r)) != fold(string(other)) {
			t.Errorf("%c (%U) and %c (%U) fold to %q and %q", r, r, other, other, fold(string(r)), fold(string(other)))
		}
	}
	if !strings.Contains(fold("Straße"), fold("STRASSE")) {
		t.Error("ß is not found by SS")
	}
}
