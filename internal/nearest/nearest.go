// Package nearest finds what a mistyped name was meant to be.
package nearest

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// To is the known word that a mistyped one was probably meant to be: the one
// that takes the fewest letters to add, drop, change or swap, whatever their case. It is
// "" when that is more than a third of the letters. Known words are in lower case.
func To(text string, known []string) string {
	best, distance := "", len(text)/3+1
	for _, k := range known {
		if d := distanceOf(strings.ToLower(text), k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// distanceOf is how many letters differ; two neighbours that changed places are one slip.
func distanceOf(text, known string) int {
	if len(text) == len(known) {
		for i := range len(text) - 1 {
			if text[i] != known[i] && text[:i]+text[i+1:i+2]+text[i:i+1]+text[i+2:] == known {
				return 1
			}
		}
	}
	return levenshtein.ComputeDistance(text, known)
}

// Hint is the nearest known word as the end of an error, "" when none is near.
func Hint(text string, known []string) string {
	if near := To(text, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}
